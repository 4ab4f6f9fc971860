/** Makes the form's fields from the scenario's JSON schema. */
import { shortNumber, unitOfKey, wordsOfKey } from '../../../src/view/format.js';
import { vendorSetting } from './parameter-notes.js';
import { pathText, valueAt, type Json, type Path } from './scenario-edit.js';
import { valueText, type FieldSpec, type FieldValue } from './rows.js';

/** The part of JSON schema that the scenario's schema uses. */
export interface Schema {
  readonly type?: string;
  readonly const?: FieldValue;
  readonly enum?: readonly FieldValue[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Default value under fidelity `standard`; the form shows no lists and objects. */
  readonly default?: Json;
  /** Default values under other fidelities, if different. */
  readonly 'x-defaults'?: Readonly<Record<string, Json>>;
  /** Default values under network configurations that set it. */
  readonly 'x-network-defaults'?: Readonly<Record<string, Json>>;
  /** For an object: the thing that it describes exists only if the object is given. */
  readonly 'x-absent-unless-given'?: true;
}

/** A place in the form: its path, and the schema of its value. */
export interface Place {
  readonly path: Path;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Path of the optional object that contains it. */
  readonly part: Path | undefined;
}

/** Numbers, choices and flags directly in an object, and in those nested objects that `deep` names. */
export function placesIn(schema: Schema, path: Path, deep: readonly string[] = []): Place[] {
  const part = schema['x-absent-unless-given'] === true ? path : undefined;
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]): Place[] => {
    const at = [...path, key];
    if (inner.properties !== undefined) return deep.includes(key) ? placesIn(inner, at, deep) : [];
    if (fieldKind(inner) === undefined || inner.const !== undefined) return [];
    return [{ path: at, schema: inner, isRequired: schema.required?.includes(key) === true, part }];
  });
}

/** The schema of a kind among alternatives. */
export function ofKind(schema: Schema | undefined, kind: string): Schema | undefined {
  const all = [...schema?.oneOf ?? [], ...schema?.anyOf ?? []];
  for (const one of all) {
    if (one.properties?.['kind']?.const === kind) return one;
    const inner = ofKind(one, kind);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** @param scenario determines the defaults. */
export function fieldSpec(place: Place, scenario: Json): FieldSpec {
  const { path, schema, isRequired } = place;
  const key = String(path[path.length - 1]);
  const text = pathText(path);
  const unit = unitOfKey(key);
  const choices = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? []) ?? [];
  const { minimum = -Infinity, maximum = Infinity, description = '' } = schema;
  const fallback = defaultIn(scenario, place);
  const said = fallback === undefined ? '' : `Default ${valueText(fallback, unit)}.`;
  return {
    path: text,
    label: wordsOfKey(key),
    unit,
    kind: fieldKind(schema) ?? 'choice',
    choices,
    min: Math.max(minimum, schema.exclusiveMinimum ?? -Infinity),
    max: maximum,
    isWhole: schema.type === 'integer',
    fallback,
    hint: [description, said, rangeOf(schema)].filter((part) => part !== '').join(' '),
    vendor: vendorSetting(text.replace(/^workload\[\d+\]/, 'workload')),
    isOptional: !isRequired,
  };
}

function fieldKind(schema: Schema): FieldSpec['kind'] | undefined {
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'boolean') return 'flag';
  if (schema.enum !== undefined) return 'choice';
  // A size distribution may also be a list of points, which only the JSON editor can edit.
  const { anyOf = [] } = schema;
  const isNamed = (one: Schema): boolean => one.const !== undefined || one.enum !== undefined;
  return anyOf.some(isNamed) && anyOf.every((one) => isNamed(one) || one.type === 'array') ? 'choice' : undefined;
}

/** Default value in this scenario; undefined if there is no fixed one. */
export function defaultIn(scenario: Json, { path, schema, part }: Place): FieldValue | undefined {
  if (part !== undefined && valueAt(scenario, part) === undefined) {
    return path[path.length - 1] === 'enabled' ? false : undefined;
  }
  const value = chosen(schema['x-network-defaults'], valueAt(scenario, ['network'])) ??
    chosen(schema['x-defaults'], valueAt(scenario, ['fidelity'])) ?? schema.default;
  return typeof value === 'object' || value === null ? undefined : value;
}

function chosen(values: Readonly<Record<string, Json>> = {}, by: Json | undefined): Json | undefined {
  return typeof by === 'string' ? values[by] : undefined;
}

/** Larger ends of ranges are not shown, as they are only technical limits. */
const SHOWN_MAX = 1e7;

function rangeOf({ minimum, exclusiveMinimum, maximum = Infinity }: Schema): string {
  const low = minimum ?? exclusiveMinimum;
  if (low === undefined) return '';
  if (maximum >= SHOWN_MAX) return exclusiveMinimum === undefined ? `From ${shortNumber(low)}.` : `Above ${low}.`;
  return `${shortNumber(low)} to ${shortNumber(maximum)}.`;
}
