/** Building blocks of the schema. Each has the allowed values, for errors, and a description, for the published JSON schema. */
import * as z from 'zod';
import type { Allowed, AllowedValue } from '../../errors.js';
import { DEFAULT_LINK, type LinkSettings } from '../topology/network.js';
import { DEFAULT_CONNECTIONS, DEFAULT_START_US, DEFAULT_TRAFFIC_CLASS } from './defaults.js';
import { FIDELITIES, TRANSPORTS } from './setting-words.js';
import type { Fidelity } from './spec.js';
import { PARAMETER_RULES, PRESET_ALGORITHMS } from '../../config/algorithms/registry.js';
import type { FieldRule } from '../../config/field-rules.js';

/** Largest time of a scenario: 9,000 s keep picoseconds below 2^53. */
export const TIME_MAX_US = 9_000_000_000;
/** Maximum number of nodes: the engine's address numbers have 16 bits. */
export const NODES_MAX = 65_535;

const NAME_PATTERN = /^[^\s:]{1,64}$/;

const ALLOWED = new Map<string, Allowed>();

/** The values that a piece allows, as zod's option `error`. Zod carries only texts, so the text is a key to the value. */
export function rejecting(allowed: Allowed): { readonly error: string } {
  const error = JSON.stringify(allowed);
  ALLOWED.set(error, allowed);
  return { error };
}

/** The value that belongs to the text of an issue. */
export function allowedOf(message: string): Allowed {
  return ALLOWED.get(message) ?? message;
}

/** Default of a setting, by fidelity. */
export type ByFidelity<Value> = Readonly<Partial<Record<Fidelity, Value>>>;
/** Default of a setting: one value, or one by fidelity. */
export type Default<Value> = Value | ByFidelity<Value>;

/**
 * Metadata of a setting for the published schema: its description; `default`, the value under fidelity `standard`; and
 * `x-defaults`, the values under other fidelities that differ.
 */
export function meta(description: string, given?: Default<unknown>): Record<string, unknown> {
  if (given === undefined) return { description };
  if (!isByFidelity(given)) return { description, default: given };
  const { standard, ...others } = given;
  const differing = Object.entries(others).filter(([, value]) => value !== standard);
  return {
    description,
    ...(standard === undefined ? {} : { default: standard }),
    ...(differing.length === 0 ? {} : { 'x-defaults': Object.fromEntries(differing) }),
  };
}

function isByFidelity(given: unknown): given is ByFidelity<unknown> {
  return typeof given === 'object' && given !== null &&
    Object.keys(given).some((key) => (FIDELITIES as readonly string[]).includes(key));
}

/** Marks settings that all fidelities have, including `reference-uet`. Unmarked settings belong to the other fidelities. */
export function alsoUnderUet<Piece extends z.ZodType>(piece: Piece): Piece {
  return piece.meta({ 'x-fidelities': FIDELITIES });
}

/** Marks settings that only `reference-uet` has. */
export function onlyUnderUet<Piece extends z.ZodType>(piece: Piece): Piece {
  return piece.meta({ 'x-fidelities': ['reference-uet'] });
}

/** Marks an object that is absent by default, whatever defaults its keys have. */
export const ABSENT_UNLESS_GIVEN = { 'x-absent-unless-given': true };

/** A number from `low` to `high`. */
export function numberIn(low: number, high: number, meaning: string, given?: Default<number>): z.ZodNumber {
  const rejection = rejecting({ min: low, max: high });
  return z.number(rejection).min(low, rejection).max(high, rejection).meta(meta(meaning, given));
}

/** A number above 0, up to `high`. */
export function numberAboveZero(high: number, meaning: string, given?: Default<number>): z.ZodNumber {
  const rejection = rejecting({ above: 0, max: high });
  return z.number(rejection).gt(0, rejection).max(high, rejection).meta(meta(meaning, given));
}

/** A whole number from `low` to `high`. */
export function wholeIn(low: number, high: number, meaning: string, given?: Default<number>): z.ZodNumber {
  const rejection = rejecting({ min: low, max: high, multipleOf: 1 });
  return z.number(rejection).int(rejection).min(low, rejection).max(high, rejection).meta(meta(meaning, given));
}

/** true or false. */
export function flag(meaning: string, given?: Default<boolean>): z.ZodBoolean {
  return z.boolean(rejecting([true, false])).meta(meta(meaning, given));
}

/** One of several words. */
export function wordOf<const Word extends string>(words: readonly Word[], meaning: string,
  given?: Default<NoInfer<Word>>): z.ZodEnum<{ [Key in Word]: Key }> {
  return z.enum(words, rejecting(words)).meta(meta(meaning, given));
}

/** Any text. */
export function text(meaning: string): z.ZodString {
  return z.string(rejecting('text')).describe(meaning);
}

/** Name of a node or of a parameter set: no blanks, no colon (`node:peer` names a port). */
export function name(meaning: string): z.ZodString {
  const rejection = rejecting('a name of 1 to 64 characters without blanks and colons');
  return z.string(rejection).regex(NAME_PATTERN, rejection).describe(meaning);
}

/** A list of `low` to `high` items. */
export function listOf<Item extends z.ZodType>(item: Item, low: number, high: number, meaning: string,
  given?: readonly z.output<Item>[]): z.ZodArray<Item> {
  const rejection = rejecting(`a list of ${low} to ${high} items`);
  return z.array(item, rejection).min(low, rejection).max(high, rejection).meta(meta(meaning, given));
}

/** Optional keys, each with its schema. */
export type Optional<Shape extends z.ZodRawShape> = { [Key in keyof Shape]: z.ZodExactOptional<Shape[Key]> };

/** Makes keys optional; an undefined value counts as omitted. */
export function optional<Shape extends z.ZodRawShape>(shape: Shape): Optional<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, piece]) => [key, z.exactOptional(piece)]),
  ) as unknown as Optional<Shape>;
}

/** Keys that several records share. In spec.ts they are an interface of this name, which those records extend. */
export interface CommonKeys {
  readonly typeName: string;
  readonly meaning: string;
  readonly shape: z.ZodRawShape;
}

const COMMON_KEYS: CommonKeys[] = [];

/** All shared keys, the largest sets first. */
export const commonKeys = (): readonly CommonKeys[] =>
  COMMON_KEYS.toSorted((a, b) => Object.keys(b.shape).length - Object.keys(a.shape).length);

/** Declares keys that several records share. */
export function common<Shape extends z.ZodRawShape>(typeName: string, meaning: string, shape: Shape): Shape {
  COMMON_KEYS.push({ typeName, meaning, shape });
  return shape;
}

/** An object with these keys and no others. `typeName` is its type's name in spec.ts. */
export function record<Shape extends z.ZodRawShape>(shape: Shape, meaning: string,
  typeName?: string): z.ZodObject<Shape, z.core.$strict> {
  const { error } = rejecting(`an object with the keys ${Object.keys(shape).join(', ')}`);
  const { error: keys } = rejecting(Object.keys(shape));
  const piece = z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? keys : error) });
  return piece.meta({ description: meaning, ...(typeName === undefined ? {} : { typeName }) });
}

/**
 * Gives a piece's type a name in spec.ts. `about` describes the type if the setting's own description is not enough, or names
 * the module that declares it.
 */
export function typed<Piece extends z.ZodType>(typeName: string, piece: Piece,
  about?: string | { readonly from: string }): Piece {
  return piece.meta({ typeName, ...(about === undefined ? {} : { about }) });
}

/** Pieces made by `orFlag`. */
const WITH_FLAG = new WeakSet<object>();

/** Settings with a key `enabled`, which may also be given as true or false. */
export function orFlag<Shape extends z.ZodRawShape>(
  settings: z.ZodObject<Shape, z.core.$strict>,
): z.ZodUnion<readonly [z.ZodObject<Shape, z.core.$strict>, z.ZodBoolean]> {
  const rejection = rejecting(`true, false or an object with the keys ${Object.keys(settings.shape).join(', ')}`);
  const piece = z.union([settings, z.boolean(rejection)], rejection).meta({ ...settings.meta(), typeName: undefined });
  WITH_FLAG.add(piece);
  return piece;
}

/**
 * Adapts zod's JSON schema for publication. Removes type names and `x-fidelities` that list all fidelities, and makes settings
 * that may be a flag one piece with an object's properties, so that forms and tables handle them like any other.
 */
export function publishPiece({ zodSchema, jsonSchema }: {
  readonly zodSchema: object;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  delete jsonSchema['typeName'];
  delete jsonSchema['about'];
  if (jsonSchema['x-fidelities'] === FIDELITIES) delete jsonSchema['x-fidelities'];
  if (!WITH_FLAG.has(zodSchema)) return;
  const { anyOf: [settings] = [], ...rest } = jsonSchema;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, settings, rest, { type: ['object', 'boolean'] });
}

/** One of several kinds of objects, distinguished by `kind`. */
export function kindsOf(
  kinds: readonly string[],
): { error: (issue: { readonly code?: string | undefined }) => string } {
  const [unknown, none] = [rejecting(kinds), rejecting(`an object with a kind: ${kinds.join(', ')}`)];
  return { error: ({ code }) => (code === 'invalid_union' ? unknown : none).error };
}

/** Bytes of a flow. */
export const sizeBytes = (meaning: string): z.ZodNumber => wholeIn(1, Number.MAX_SAFE_INTEGER, meaning);
/** A time, microseconds. */
export const timeUs = (meaning: string, given?: Default<number>): z.ZodNumber =>
  numberIn(0, TIME_MAX_US, meaning, given);

/** Loss recovery of hosts, workloads and flows. */
export const transport = (meaning: string,
  given?: Default<(typeof TRANSPORTS)[number]>): z.ZodEnum<{ [Key in (typeof TRANSPORTS)[number]]: Key }> =>
  typed('Transport', wordOf(TRANSPORTS, meaning, given),
    'Loss recovery: go-back-n retransmits everything from the lost packet on; selective-repeat, as in adapters, only the packet that a NAK names ("RoCE Network Proposal", slide 16); irn what SACKs show as lost, with a limit on packets in flight and two timeouts (R. Mittal et al., SIGCOMM 2018); tolerant, for packets on many paths, what is missing long after later packets have arrived, without NAKs, as transports with SACK bitmaps do (Ultra Ethernet 1.0, OCP MRC 1.0); mrc what SACKs show as lost, and at once what a NACK reports as trimmed (OCP MRC 1.0).');

/** Keys common to all flows. */
export const FLOW_COMMON = optional({
  algorithm: name("Name of a parameter set in `algorithms`. Default: the workload's."),
  trafficClass: wholeIn(1, 7, "Traffic class of the data. Default: the workload's."),
  transport: transport("Under standard: how losses are retransmitted. Default: the workload's."),
});
const QPS_PER_PAIR_MAX = 256;
const CONNECTIONS_ALLOWED = rejecting('per-message, per-pair or an object with the keys perPair, choose');
const CONNECTIONS = typed('ConnectionsSpec', z.union([
  z.literal('per-message'),
  z.literal('per-pair'),
  record({
    perPair: wholeIn(1, QPS_PER_PAIR_MAX, 'QPs of each pair of hosts.'),
    choose: wordOf(['round-robin', 'fewest-bytes'],
      'The QP of a message: round-robin, or the one with fewest bytes assigned so far.', DEFAULT_CONNECTIONS.choose)
      .exactOptional(),
  }, 'Several QPs per pair of hosts.'),
], CONNECTIONS_ALLOWED).describe(
  'Under standard, QPs of its messages. per-message: a fresh one each, which begins at line rate. per-pair: the messages of a pair of hosts share a QP, are sent in the order in which they are posted, and inherit its rate, window and PSNs. A record: that many QPs per pair of hosts. Default: per-pair for jobs, collectives and programs, as NCCL keeps its QPs, otherwise per-message; with record.messages sums only per-message.',
));
/** Keys common to all workloads. */
export const WORKLOAD_COMMON = common('WorkloadCommon', 'Keys common to all workloads.', optional({
  algorithm: name('Name of a parameter set in `algorithms`. Default: the first.'),
  trafficClass: wholeIn(1, 7, 'Traffic class of the data.', DEFAULT_TRAFFIC_CLASS),
  transport: transport('Under standard: how losses are retransmitted. Default: that of the sending host.'),
  connections: CONNECTIONS,
  startUs: alsoUnderUet(timeUs('When it starts, us.', DEFAULT_START_US)),
}));

/* The schema of a link named by its ends. */

export const ENDS = z.tuple([name('One end.'), name('The other end.')], rejecting('the names of two nodes')).describe(
  'A link by its ends.',
);

/* Rate and propagation delay of links. */

type LinkShape = Optional<{ rateGbps: z.ZodNumber; delayNs: z.ZodNumber }>;

/** Keys of a link. Without `defaults`, unset keys are those of another link. */
export const linkShape = (defaults?: LinkSettings): LinkShape =>
  optional({
    rateGbps: alsoUnderUet(numberIn(0.001, 8000, 'Rate, Gb/s.', defaults?.rateGbps)),
    delayNs: alsoUnderUet(numberIn(0, 1e12, 'One-way propagation delay, ns.', defaults?.delayNs)),
  });

/** A link whose values are the defaults of other links. */
export const LINK = common('LinkSpec', 'Rate and propagation delay of links.', linkShape(DEFAULT_LINK));

/** A link whose unset keys are those of another link. */
export const link = (meaning: string): z.ZodObject<LinkShape, z.core.$strict> =>
  record(linkShape(), meaning, 'LinkSpec');

type Schema = Readonly<Record<string, unknown>>;

/** The schema of parameters for each preset, for editors; a scenario's parameters are validated when it is compiled. */
export const PARAMETERS_BY_PRESET: readonly Schema[] = Object.entries(PARAMETER_RULES).map(([algorithm, rules]) => {
  const presets = Object.entries(PRESET_ALGORITHMS).flatMap(([preset, of]) => (of === algorithm ? [preset] : []));
  const parameters = Object.entries(rules).filter(([name]) => name !== 'algorithm');
  const properties = Object.fromEntries(parameters.flatMap(([name, rule]) => {
    const schema = schemaOf(rule);
    return schema === undefined ? [] : [[name, schema]];
  }));
  return {
    if: { properties: { preset: { enum: presets } } },
    then: { properties: { parameters: { properties } } },
  };
});

/** The schema of a rule; undefined if the rule states what it allows only in words. */
function schemaOf({ allowed }: FieldRule): Schema | undefined {
  const options = [allowed].flat() as readonly AllowedValue[];
  const values = options.filter((one) => typeof one !== 'object' || one === null);
  const ranges = options.filter((one) => typeof one === 'object' && one !== null);
  if (typeof allowed === 'string') return undefined;
  const schemas = [
    ...(values.length === 0 ? [] : [{ enum: values }]),
    ...ranges.map(({ min, max, above, below, multipleOf }) =>
      Object.fromEntries(Object.entries({
        type: multipleOf === 1 ? 'integer' : 'number',
        minimum: min,
        exclusiveMinimum: above,
        maximum: max,
        exclusiveMaximum: below,
        multipleOf: multipleOf === 1 ? undefined : multipleOf,
      }).filter(([, value]) => value !== undefined && Math.abs(Number(value)) !== Infinity))
    ),
  ];
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}
