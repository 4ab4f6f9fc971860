/** Fields of the form, made of the scenario's JSON schema. */
import { shortNumber, unitOfKey, wordsOfKey } from '../../../src/charts/units.js';
import { vendorSetting } from './parameter-notes.js';
import { pathText, type Path } from './scenario-edit.js';
import type { FieldSpec, FieldValue } from './rows.js';

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
}

/** A place in the form: its path, and the schema of what stands there. */
export interface Place {
  readonly path: Path;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Numbers, choices and flags right below an object; and those of objects within, where `deep` names them. */
export function placesIn(schema: Schema, path: Path, deep: readonly string[] = []): Place[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]): Place[] => {
    const at = [...path, key];
    if (inner.properties !== undefined) return deep.includes(key) ? placesIn(inner, at, deep) : [];
    if (fieldKind(inner) === undefined || inner.const !== undefined) return [];
    return [{ path: at, schema: inner, isRequired: schema.required?.includes(key) === true }];
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

export function fieldSpec({ path, schema, isRequired }: Place): FieldSpec {
  const key = String(path[path.length - 1]);
  const text = pathText(path);
  const unit = unitOfKey(key);
  const choices = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? []) ?? [];
  const { minimum = -Infinity, maximum = Infinity, description = '' } = schema;
  return {
    path: text,
    label: wordsOfKey(key),
    unit,
    kind: fieldKind(schema) ?? 'choice',
    choices,
    min: Math.max(minimum, schema.exclusiveMinimum ?? -Infinity),
    max: maximum,
    isWhole: schema.type === 'integer',
    fallback: fallbackOf(schema, choices),
    hint: [description, rangeOf(schema)].filter((part) => part !== '').join(' '),
    vendor: vendorSetting(text.replace(/^workload\[\d+\]/, 'workload')),
    isOptional: !isRequired,
  };
}

function fieldKind(schema: Schema): FieldSpec['kind'] | undefined {
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'boolean') return 'flag';
  if (schema.enum !== undefined) return 'choice';
  // Distributions of sizes stand there by name, or as a list of points, which is for the JSON.
  const { anyOf = [] } = schema;
  const isNamed = (one: Schema): boolean => one.const !== undefined || one.enum !== undefined;
  return anyOf.some(isNamed) && anyOf.every((one) => isNamed(one) || one.type === 'array') ? 'choice' : undefined;
}

/** The schema says defaults in words: "Default 100." */
function fallbackOf({ description = '', type }: Schema, choices: readonly FieldValue[]): FieldValue | undefined {
  const word = /\bDefault:? ([\w.,-]+?)(?:[.,;]?$|[.,;]? )/.exec(description)?.[1];
  if (word === undefined) return undefined;
  if (type === 'boolean') return word === 'true' ? true : word === 'false' ? false : undefined;
  if (choices.length > 0) return choices.find((choice) => String(choice) === word);
  const number = Number(word.replaceAll(',', ''));
  return Number.isFinite(number) && !description.includes('MiB') ? number : undefined;
}

/** Ends that mean something to a reader; the others are only what the machine can hold. */
const SAID_MAX = 1e7;

function rangeOf({ minimum, exclusiveMinimum, maximum = Infinity }: Schema): string {
  const low = minimum ?? exclusiveMinimum;
  if (low === undefined) return '';
  if (maximum >= SAID_MAX) return exclusiveMinimum === undefined ? `From ${shortNumber(low)}.` : `Above ${low}.`;
  return `${shortNumber(low)} to ${shortNumber(maximum)}.`;
}
