/**
 * Custom algorithms in JavaScript: a declaration and its handlers, validated once.
 *
 * Citation: the contract is this project's (docs/guides/your-own-algorithm.md). It has one handler per event that
 * reaches a sender, like NVIDIA's DOCA PCC and the Ultra Ethernet Consortium's Programmable Congestion Management.
 */
import { CustomAlgorithm, HANDLER_NAMES, type CustomCode } from '../config/algorithms/custom/custom-algorithm.js';
import type { AlgorithmDeclaration, ParameterDeclaration, ParameterDeclarations,
  StateDeclaration } from '../config/algorithms/custom/declaration.js';
import { checkRecord, reject } from '../config/field-rules.js';
import type { StateOf, ValuesOf } from './declared-types.js';
import type { Handlers } from './events.js';
import { loadModule } from './load-module.js';
import { hashSource } from './source-hash.js';

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
