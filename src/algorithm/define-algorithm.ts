/**
 * Custom algorithms in JavaScript or in a WebAssembly module: a declaration and its handlers, validated once.
 *
 * Citation: the contract is this project's (docs/guides/your-own-algorithm.md). It has one handler per event that
 * reaches a sender, like NVIDIA's DOCA PCC and the Ultra Ethernet Consortium's Programmable Congestion Management.
 */
import { CustomAlgorithm, HANDLER_NAMES, type CustomCode } from '../config/algorithms/custom/custom-algorithm.js';
import type { AlgorithmDeclaration, ParameterDeclaration, ParameterDeclarations, StateDeclaration,
  ParameterValue } from '../config/algorithms/custom/declaration.js';
import { checkRecord, reject } from '../config/field-rules.js';
import type { Handlers, StateList } from './events.js';
import { MODULE_EXPORTS } from './module-functions.js';
import { checkModule } from './module/check.js';
import { inspectModule } from './module/inspect.js';
import { meterModule } from './module/meter.js';

/** Loop iterations and calls allowed per event. */
export const CALL_BUDGET = 1_000_000;

/* eslint-disable @typescript-eslint/no-generated-empty-object-type -- a definition without parameters or without state */
type NoParameters = Readonly<Record<never, ParameterDeclaration>>;
type NoState = Readonly<Record<never, number>>;
/* eslint-enable @typescript-eslint/no-generated-empty-object-type */

/** Common to all algorithms. */
interface CommonValues {
  readonly maxRateBps: number;
  readonly sequence: string;
  readonly sendGap: string;
}
/** The type of a parameter in handlers, from the type of its default. */
type ValueOf<Declared extends ParameterDeclaration<never>> = Declared extends { default: infer Default } ?
  Default extends (...of: never[]) => infer Made ? Widened<Made> : Widened<Default> :
  ParameterValue;
type Widened<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : never;
/** Parameters as handlers see them. */
export type ValuesOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends ParameterDeclaration<never> ? ValueOf<Declared[Name]> :
    ParameterValue;
};

/** The state as handlers see it. */
export type StateOf<Declared> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends readonly number[] ? StateList : number;
};

/** A custom algorithm in JavaScript or TypeScript. */
export type AlgorithmDefinition<Declared extends ParameterDeclarations, State extends StateDeclaration> = Omit<
  AlgorithmDeclaration,
  'parameters' | 'state'
> & {
  /** Declared parameters by name. */
  readonly parameters?: Declared;
  /** Initial values of a QP's state by name. */
  readonly state?: State;
} & Handlers<
  StateOf<State>,
  CommonValues & ValuesOf<Declared>
>;

/** A custom algorithm whose handlers a WebAssembly module exports. */
export interface ModuleDefinition extends AlgorithmDeclaration {
  /** The module's bytes. */
  readonly module: Uint8Array;
}

/**
 * Defines a congestion-control algorithm that the engine, the simulator, sweeps and the lab run.
 *
 * @throws RoceError `invalid-config` naming the part of the definition; `invalid-algorithm` for a module that breaks
 * the contract.
 * @example
 * export default defineAlgorithm({
 *   name: 'half-on-mark',
 *   ack(qp, { ecnEcho }) {
 *     qp.rateBps = ecnEcho ? qp.rateBps / 2 : Math.min(qp.lineRateBps, qp.rateBps * 1.01);
 *   },
 * });
 */
export function defineAlgorithm<
  const Declared extends ParameterDeclarations = NoParameters,
  const State extends StateDeclaration = NoState,
>(definition: AlgorithmDefinition<Declared, State> | ModuleDefinition): CustomAlgorithm {
  const given = checkRecord(definition, 'algorithm');
  const { module, ...others } = given;
  const names: readonly string[] = HANDLER_NAMES;
  const declaration = Object.fromEntries(Object.entries(others).filter(([key]) => !names.includes(key)));
  const handlers = Object.fromEntries(Object.entries(others).filter(([key]) => names.includes(key)));
  const code = module === undefined ? handlersOf(handlers) : moduleOf(module, handlers);
  const source = code.kind === 'module' ? [code.source] : Object.values(handlers).map(String);
  // Validate before hashing, so that an error names the part.
  const checked = new CustomAlgorithm(declaration as unknown as AlgorithmDeclaration, code, '');
  return checked.withSourceHash(hashSource(declaration, source));
}

function handlersOf(given: Readonly<Record<string, unknown>>): CustomCode {
  const entries = Object.entries(given).filter(([, handler]) => handler !== undefined);
  for (const [name, handler] of entries)
    if (typeof handler !== 'function') reject({ got: handler, allowed: 'a function', where: `algorithm.${name}` });
  if (entries.length === 0)
    reject({ what: 'the handlers of an algorithm', got: [], allowed: [...HANDLER_NAMES], where: 'algorithm' });
  return { kind: 'handlers', handlers: Object.freeze(Object.fromEntries(entries)) };
}

function moduleOf(module: unknown, handlers: object): CustomCode {
  const [also] = Object.keys(handlers);
  if (also !== undefined)
    reject({
      got: also,
      problem: 'is not allowed with a module, which exports the handlers',
      where: `algorithm.${also}`,
    });
  return loadModule(module);
}

/**
 * Loads a module: checks it against the contract, and meters it so that every call ends.
 *
 * @throws RoceError `invalid-algorithm`, naming the part that breaks the contract.
 */
export function loadModule(module: unknown): CustomCode {
  if (!(module instanceof Uint8Array)) reject({ got: module, allowed: 'a Uint8Array', where: 'algorithm.module' });
  const given = Uint8Array.from(module);
  const { handlers: exported, region } = checkModule(given);
  const handlers = new Set(
    HANDLER_NAMES.filter((name) => (exported as readonly string[]).includes(MODULE_EXPORTS[name])),
  );
  return { kind: 'module', bytes: Uint8Array.from(meterModule(given, CALL_BUDGET)), source: given, handlers, region };
}

/** The declaration in a module, as JSON; undefined if there is none. @throws RoceError `invalid-algorithm`. */
export function declarationOfModule(bytes: Uint8Array): string | undefined {
  const { declaration } = inspectModule(bytes);
  return declaration;
}

/** Seed and multipliers of each lane. */
const LANES = [[0x9747b28c, 0xcc9e2d51, 0x1b873593], [0x3c6ef372, 0x239b961b, 0xab0e9789]] as const;

/**
 * Fingerprint of an algorithm's code and declaration: equal code has equal hashes in every JavaScript engine.
 *
 * @param parts strings and bytes of the code. @returns 16 hexadecimal digits: two lanes of MurmurHash3 (A. Appleby,
 * public domain).
 */
export function hashSource(declaration: object, parts: readonly (string | Uint8Array)[]): string {
  const text = textOf(declaration);
  const encoder = new TextEncoder();
  const all = [text, ...parts].map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  return LANES.map((lane) => hashLane(all, lane).toString(16).padStart(8, '0')).join('');
}

/** @throws RoceError `invalid-config` for values that are not plain data, such as an object that contains itself. */
function textOf(declaration: object): string {
  const members = Object.entries(declaration).filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${textOfMember(key, member)}`);
  return `{${members.join(',')}}`;
}

function textOfMember(key: string, member: unknown): string {
  try {
    return JSON.stringify(member, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
  } catch (cause) {
    return reject({ got: member, problem: 'must be plain data', where: `algorithm.${key}`, cause });
  }
}

function hashLane(parts: readonly Uint8Array[], [seed, first, second]: readonly [number, number, number]): number {
  let hash = seed;
  let count = 0;
  for (const part of parts) {
    for (const byte of part) {
      hash = Math.imul(rotate(hash ^ Math.imul(rotate(Math.imul(byte + 1, first), 15), second), 13), 5) + 0xe6546b64;
      count++;
    }
    // Mark the end of each part, so that moving text between parts changes the hash.
    hash = Math.imul(hash ^ 0x1ff, first);
  }
  return mix(hash ^ count);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
