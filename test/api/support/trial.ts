/** Calls the declared functions with invalid values and expects a result, or a RoceError that names the argument. */
import { RoceError } from '../../../src/errors.js';
import type { Callable } from './declarations.js';
import { NONSENSE } from './nonsense.js';
import { withAt, type Values } from './valid-values.js';
import { IS_LONG } from '../../support/effort.js';

const MESSAGE_CHARACTERS = 4096;
/** Far above the time of any call, but below that of a loop to 2^32. A busy machine may exceed it once. */
const CALL_MS = 4000;
const ITEMS = 4;
const KINDS = Object.entries(NONSENSE);
/** `npm test` tries a few kinds of invalid values, different ones at each place; the long tests try more. */
const KINDS_OF_AN_ARGUMENT = IS_LONG ? KINDS.length : 5;
const KINDS_OF_A_MEMBER = IS_LONG ? 5 : 1;
/** Coprime to the number of kinds, so that the kinds of a place differ. */
const STRIDE = 7;
/** Equals no item. */
const NEVER = Symbol('never');

/** @returns the problems, one line each. */
export async function tryCallable(callable: Callable, values: Values,
  isThorough = process.env['ROCE_API_KINDS'] === 'all'): Promise<string[]> {
  const problems: string[] = [];
  try {
    const call = await values.caller(callable);
    await resolve(call(await values.args(callable)));
  } catch (error) {
    return [
      `no valid call, known-values.ts lacks something: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
  for (const [index, parameter] of callable.parameters.entries()) {
    const valid = await values.args(callable);
    const argument = valid[index] ?? (parameter.isOptional ? await tryValue(values, callable, index) : undefined);
    const isMade = values.isMadeHere(parameter.type);
    for (const place of isMade ? [[]] : values.places(parameter.type, argument)) {
      for (const [words, make] of kindsFor(`${callable.name}.${parameter.name}`, place, { isMade, isThorough })) {
        const call = await values.caller(callable);
        const args = await values.args(callable);
        const nonsense = make();
        args[index] = withAt(args[index] ?? argument, place, nonsense);
        const names = [callable.name, parameter.name, ...values.members(parameter.type), ...place];
        const problem = await problemOf(() => call(args), names, nonsense);
        // eslint-disable-next-line max-depth -- one loop each for parameters, places and kinds.
        if (problem) problems.push(`${[parameter.name, ...place].join('.')} = ${words}: ${problem}`);
      }
    }
  }
  return problems;
}

/**
 * Kinds of invalid values for a place: fewer for a member than for an argument, different ones at each.
 * Values that only the library makes are replaced only by values that are not an object: their members are private.
 */
function kindsFor(name: string, place: readonly string[],
  { isMade, isThorough }: { readonly isMade: boolean; readonly isThorough: boolean }
): readonly [string, () => unknown][] {
  // A string is a valid path, to which the file would be written.
  if (name === 'writeCaptureFile.path') return KINDS.filter(([words]) => words !== 'a text');
  if (isMade) return KINDS.filter(([, make]) => typeof make() !== 'object' || make() === null);
  if (isThorough) return KINDS;
  const count = place.length === 0 ? KINDS_OF_AN_ARGUMENT : KINDS_OF_A_MEMBER;
  let at = Array.from([name, ...place].join('.')).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return Array.from({ length: count }, () => KINDS[(at += STRIDE) % KINDS.length]!);
}

/** A valid value of an optional parameter, so that its members are tried too. */
async function tryValue(values: Values, { name, parameters }: Callable, index: number): Promise<unknown> {
  const parameter = parameters[index];
  try {
    return await values.of(parameter.type, `${name}.${parameter.name}`);
  } catch {
    return undefined;
  }
}

async function problemOf(call: () => unknown, names: readonly string[], nonsense: unknown,
  isRepeated = false): Promise<string | undefined> {
  const startMs = performance.now();
  try {
    await resolve(call());
  } catch (error) {
    const problem = problemOfError(error, names, nonsense);
    if (problem) return problem;
  }
  const tookMs = performance.now() - startMs;
  if (tookMs <= CALL_MS) return undefined;
  return isRepeated ? `took ${Math.round(tookMs)} ms` : problemOf(call, names, nonsense, true);
}

function problemOfError(error: unknown, names: readonly string[], nonsense: unknown): string | undefined {
  // Errors of the system about files are documented.
  if (error instanceof Error && 'syscall' in error && typeof nonsense === 'string') return undefined;
  if (!(error instanceof RoceError))
    return String(error instanceof Error ? (error.stack ?? error) : error).split('\n').slice(0, 4).join(' ');
  if (error.message.length > MESSAGE_CHARACTERS) return `a message of ${error.message.length} characters`;
  // An error about a layer, as "The bth at byte 3 needs 12 bytes", may concern the offset or the bytes.
  if (error.layer !== undefined) return undefined;
  return showsIt(error, nonsense) || isNamed(error, names) ? undefined : `not named: ${error.message}`;
}

/** Whether the error holds the passed value, or a part of it, which identifies it under any name. */
function showsIt(error: RoceError, nonsense: unknown): boolean {
  if (Object.is(error.got, nonsense)) return true;
  // An error about a missing member names the member, and one about invalid bytes describes their contents.
  if (('got' in error && error.got === undefined) || isPartOf(error.got, nonsense)) return true;
  return nonsense instanceof Uint8Array && /^invalid-(?:packet|capture)$/.test(error.code);
}

function isNamed(error: RoceError, names: readonly string[]): boolean {
  const text = plain(`${error.where} ${error.what} ${error.message}`);
  return names.some((name) => namesOf(name).some((word) => text.includes(word)));
}

/** Whether `got` is the length, a key or the first item of `whole`. */
function isPartOf(got: unknown, whole: unknown): boolean {
  if (typeof whole !== 'object' || whole === null) return false;
  const { length, 0: first } = whole as Partial<ArrayLike<unknown>>;
  return [length, first, ...Object.keys(whole)].some((part) => part !== undefined && Object.is(part, got));
}

/** The words of a name, as both of `Engine.openQp`. Numbers are positions in lists and identify nothing. */
function namesOf(name: string): string[] {
  return name.replace(/^(?:new |parse|build|\w+Error$)|(?:View|Into)$/g, '').split(/[.\s()]+/).map(plain).filter((
    word,
  ) => word.length > 0 && word !== 'new' && !/^\d+$/.test(word));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Awaits a promise and reads a few items of an iterator. */
async function resolve(result: unknown): Promise<void> {
  const value = await result;
  if (typeof value !== 'object' || value === null) return;
  if (Symbol.asyncIterator in value) {
    let items = 0;
    for await (const item of value as AsyncIterable<unknown>) if (item === NEVER || ++items === ITEMS) break;
  } else if ('next' in value && Symbol.iterator in value) {
    let items = 0;
    for (const item of value as unknown as Iterable<unknown>) if (item === NEVER || ++items === ITEMS) break;
  }
  if ('result' in value) await value.result;
  if ('close' in value) (value as { close(): void }).close();
}
