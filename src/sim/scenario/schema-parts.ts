/**
 * Pieces of the schema. Each carries in words what is allowed, which is what its errors say, and what it means, which is what
 * the published JSON schema says.
 */
import * as z from 'zod';

/** Largest time of a scenario: 9,000 s keep picoseconds below 2^53. */
export const TIME_MAX_US = 9_000_000_000;
export const NODES_MAX = 65_536;

const NAME_PATTERN = /^[^\s:]{1,64}$/;

/** A number from `low` to `high`. */
export function numberIn(low: number, high: number, meaning: string): z.ZodNumber {
  const error = `a number from ${low} to ${high}`;
  return z.number({ error }).min(low, { error }).max(high, { error }).describe(meaning);
}

/** A number above 0, up to `high`. */
export function numberAboveZero(high: number, meaning: string): z.ZodNumber {
  const error = `a number above 0, up to ${high}`;
  return z.number({ error }).gt(0, { error }).max(high, { error }).describe(meaning);
}

/** A whole number from `low` to `high`. */
export function wholeIn(low: number, high: number, meaning: string): z.ZodNumber {
  const error = `a whole number from ${low} to ${high}`;
  return z.number({ error }).int({ error }).min(low, { error }).max(high, { error }).describe(meaning);
}

/** true or false. */
export function flag(meaning: string): z.ZodBoolean {
  return z.boolean({ error: 'true or false' }).describe(meaning);
}

/** One of some words. */
export function wordOf<const Word extends string>(words: readonly Word[],
  meaning: string): z.ZodEnum<{ [Key in Word]: Key }> {
  return z.enum(words, { error: words.map((word) => `'${word}'`).join(' or ') }).describe(meaning);
}

/** Any text. */
export function text(meaning: string): z.ZodString {
  return z.string({ error: 'text' }).describe(meaning);
}

/** Name of a node or of a parameter set: no blanks, no colon (`node:peer` names a port). */
export function name(meaning: string): z.ZodString {
  const error = 'a name of 1 to 64 characters without blanks and colons';
  return z.string({ error }).regex(NAME_PATTERN, { error }).describe(meaning);
}

/** A list of `low` to `high` items. */
export function listOf<Item extends z.ZodType>(item: Item, low: number, high: number,
  meaning: string): z.ZodArray<Item> {
  const error = `a list of ${low} to ${high} items`;
  return z.array(item, { error }).min(low, { error }).max(high, { error }).describe(meaning);
}

/** An object with these keys and no others. */
export function record<Shape extends z.ZodRawShape>(shape: Shape, meaning: string): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, { error: objectError(Object.keys(shape)) }).describe(meaning);
}

/** Says "only these keys" of a key too many, and "an object" of what is none. */
function objectError(keys: readonly string[]): (issue: { readonly code?: string | undefined }) => string {
  return ({ code }) => (code === 'unrecognized_keys' ?
    `only the keys ${keys.join(', ')}` :
    `an object with the keys ${keys.join(', ')}`);
}

/** One of several kinds, told apart by `kind`. */
export function kinds(words: readonly string[]): { error: string } {
  return { error: `one of ${words.join(', ')}` };
}

/** Bytes of a flow. */
export const sizeBytes = (meaning: string): z.ZodNumber => wholeIn(1, Number.MAX_SAFE_INTEGER, meaning);
/** A time, microseconds. */
export const timeUs = (meaning: string): z.ZodNumber => numberIn(0, TIME_MAX_US, meaning);
