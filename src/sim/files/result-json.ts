/**
 * A result as JSON in a fixed order of keys, with one line for each flow, port and column of the series, so that two
 * files can be compared line by line; and such a file back as a result.
 *
 * A file is checked against the schema of results: every member is present and has the right type, so that code which
 * reads the result can rely on it, whatever wrote the file. Members that the schema does not have are ignored. The
 * check is a separate walk because zod's parsing copies what it checks, and results can have millions of flows.
 */
import type * as z from 'zod';
import { checkRecord, reject } from '../../config/field-rules.js';
import { RoceError, type Allowed } from '../../errors.js';
import { RESULT_SCHEMA } from '../result-schema/result.js';
import type { SimResult } from '../result.js';

type Piece = z.core.$ZodTypes;
type Members = Readonly<Record<string, unknown>>;

/** Keys of a result in the order of the file. Other keys follow, sorted by code units. */
const RESULT_KEYS = Object.keys(RESULT_SCHEMA.shape) as readonly (keyof SimResult)[];

/** Members whose own members have a line each. */
const SPREAD: readonly string[] = [
  'flows',
  'ports',
  'equalPaths',
  'jobs',
  'pauses',
  'notes',
  'noteRecords',
  'series',
  'queueBytes',
  'mostQueueBytes',
  'utilization',
  'rateBps',
];

const FORMAT: SimResult['format'] = 'roce-cc-result-2';
/** The previous format, whose hash was computed differently. */
const OLD_FORMAT = 'roce-cc-result-1';
const INDENT = '  ';
/** Number of lines per part. */
const PART_LINES = 500;
const [DIGIT_0, DIGIT_9] = [0x30, 0x39];
const MANY = { number: 'numbers', string: 'texts' } as const;

/**
 * Converts a result to JSON. Equal results give the same bytes. Only the scenario keeps its own order of keys, as its first
 * parameter set is the default.
 *
 * For results with millions of flows use `resultJsonParts`: a single string would exceed JavaScript's limit.
 */
export function resultToJson(result: SimResult): string {
  return [...resultJsonParts(result)].join('');
}

/** Like `resultToJson`, but in parts of at most some hundred kilobytes, whatever the number of flows. */
export function* resultJsonParts(result: SimResult): Generator<string> {
  checkRecord(result, 'result');
  const keys = orderedKeys(result);
  for (const [place, key] of keys.entries()) {
    yield `${place === 0 ? '{' : ','}\n${INDENT}${JSON.stringify(key)}: `;
    if (key === 'flows') yield* listParts(result.flows);
    else yield writeMember(key, result[key]);
  }
  yield '\n}\n';
}

/** A list with one line per member. */
function* listParts(values: readonly unknown[]): Generator<string> {
  if (values.length === 0) yield '[]';
  const line = `\n${INDENT.repeat(2)}`;
  for (let first = 0; first < values.length; first += PART_LINES) {
    const lines = values.slice(first, first + PART_LINES).map((value) => write(value, 2, false));
    const isLast = first + PART_LINES >= values.length;
    yield `${first === 0 ? '[' : ','}${line}${lines.join(`,${line}`)}${isLast ? `\n${INDENT}]` : ''}`;
  }
}

/**
 * Parses the JSON of a result, as `resultToJson` writes it. `isHashRight` tells whether the result was altered.
 *
 * @param where the text's name in errors, such as a file name.
 * @throws RoceError `invalid-argument` for invalid JSON, or JSON that is not a complete result of this format.
 */
export function parseResultJson(text: string, where = 'result'): SimResult {
  if (typeof where !== 'string') reject({ got: where, allowed: 'a text', where: 'where' });
  const value = parse(text, where);
  const got = isObject(value) ? value['format'] : undefined;
  if (!isObject(value) || got !== FORMAT) {
    const hint = got === OLD_FORMAT ? 'An earlier version wrote it: run its scenario again' : undefined;
    const what = 'the format of a result';
    throw new RoceError('invalid-argument', { what, got, allowed: [FORMAT], where, ...(hint && { hint }) });
  }
  checkResultShape(value, where);
  return value as unknown as SimResult;
}

function writeMember(key: keyof SimResult, value: unknown): string {
  return key === 'scenario' ? JSON.stringify(value) : write(value, 1, SPREAD.includes(key));
}

function write(value: unknown, depth: number, isSpread: boolean): string {
  if (Array.isArray(value)) return writeList(value, depth, isSpread);
  if (!isObject(value)) return JSON.stringify(value);
  const members = sortedKeys(value).map((key) =>
    `${JSON.stringify(key)}: ${write(value[key], depth + 1, SPREAD.includes(key))}`
  );
  return enclose('{', '}', members, depth, isSpread);
}

function writeList(values: readonly unknown[], depth: number, isSpread: boolean): string {
  return enclose('[', ']', values.map((value) => write(value, depth + 1, false)), depth, isSpread);
}

function enclose(open: string, close: string, members: readonly string[], depth: number, isSpread: boolean): string {
  if (members.length === 0 || !isSpread) return `${open}${members.join(', ')}${close}`;
  const line = `\n${INDENT.repeat(depth)}`;
  return `${open}${line}${INDENT}${members.join(`,${line}${INDENT}`)}${line}${close}`;
}

function orderedKeys(result: SimResult): (keyof SimResult)[] {
  const known = RESULT_KEYS.filter((key) => result[key] !== undefined);
  const others = sortedKeys({ ...result }).filter((key) => !(known as readonly string[]).includes(key));
  return [...known, ...(others as (keyof SimResult)[])];
}

/** Flow indices in numeric order, then names sorted by code units. */
function sortedKeys(value: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return keys.sort((a, b) => {
    const [isIndexA, isIndexB] = [isIndex(a), isIndex(b)];
    if (isIndexA && isIndexB) return Number(a) - Number(b);
    return isIndexA === isIndexB ? (a < b ? -1 : 1) : isIndexA ? -1 : 1;
  });
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= DIGIT_0 && first <= DIGIT_9 && /^\d+$/.test(key);
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RoceError('invalid-argument', { what: 'the result', problem: 'is not JSON', cause: error, where });
  }
}

/**
 * Checks a result.
 *
 * @param where the result's name in errors.
 * @throws RoceError `invalid-argument` naming the member that is missing or of another type.
 */
function checkResultShape(result: Members, where: string): void {
  const check = new ShapeCheck(where);
  check.members(RESULT_SCHEMA.shape, result, '');
  for (const [index, { timeline }] of ((result['jobs'] ?? []) as readonly Members[]).entries()) {
    if (timeline !== undefined) check.sameLengths(timeline as Members, `jobs[${index}].timeline`);
  }
}

/** The methods take the path of the object that contains the value; the result's own path is empty. */
class ShapeCheck {
  constructor(private readonly where: string) {}

  members(shape: z.core.$ZodShape, members: Members, path: string): void {
    for (const member in shape) this.#value(shape[member] as Piece, members[member], path, member);
  }

  /** Requires columns of equal length. */
  sameLengths(columns: Members, path: string): void {
    const { length } = columns['operations'] as readonly unknown[];
    for (const [name, column] of Object.entries(columns)) {
      const { length: got } = column as readonly unknown[];
      this.#require(got === length, got, String(length), path, `the length of ${name}`);
    }
  }

  #value(piece: Piece, value: unknown, path: string, member: string): void {
    const { def } = piece._zod;
    switch (def.type) {
      case 'optional':
        if (value !== undefined) this.#value(def.innerType as Piece, value, path, member);
        return;
      case 'nullable':
        if (value !== null) this.#value(def.innerType as Piece, value, path, member);
        return;
      case 'array':
        this.#require(Array.isArray(value), value, allowedBy(piece), path, member);
        this.#items(piece, def.element as Piece, value as readonly unknown[], path, member);
        return;
      case 'record':
        this.#require(isObject(value), value, allowedBy(piece), path, member);
        for (const [name, item] of Object.entries(value as Members))
          this.#value(def.valueType as Piece, item, within(path, member), name);
        return;
      case 'object':
        this.#require(isObject(value), value, allowedBy(piece), path, member);
        this.members(def.shape, value as Members, within(path, member));
        return;
      default:
        this.#require(isSimple(piece, value), value, allowedBy(piece), path, member);
    }
  }

  /** Checks the items of a list. An error names the list if its items are simple values, or the item if it is an object. */
  #items(list: Piece, item: Piece, values: readonly unknown[], path: string, member: string): void {
    const { def } = item._zod;
    if (def.type === 'record') {
      values.forEach((value, index) => {
        this.#value(item, value, within(path, member), `entry ${index}`);
      });
      return;
    }
    if (def.type !== 'object') {
      for (const value of values) this.#require(isSimple(item, value), values, allowedBy(list), path, member);
      return;
    }
    values.forEach((value, index) => {
      this.#require(isObject(value), value, 'an object', within(path, member), `entry ${index}`);
      this.members(def.shape, value as Members, `${within(path, member)}[${index}]`);
    });
  }

  #require(isRight: boolean, got: unknown, allowed: Allowed, path: string, member: string): void {
    if (isRight) return;
    const where = path === '' ? this.where : `${this.where}, ${path}`;
    throw new RoceError('invalid-argument', { what: `${member} of a result`, got, allowed, where });
  }
}

const within = (path: string, member: string): string => path === '' ? member : `${path}.${member}`;

function isSimple(piece: Piece, value: unknown): boolean {
  const { def } = piece._zod;
  switch (def.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === def.type;
    case 'literal':
      return (def.values as readonly unknown[]).includes(value);
    case 'enum':
      return (Object.values(def.entries) as unknown[]).includes(value);
    case 'nullable':
      return value === null || isSimple(def.innerType as Piece, value);
    case 'unknown':
      return true;
    default:
      throw new Error(`results have no values of type ${def.type}`);
  }
}

function allowedBy(piece: Piece): Allowed {
  const { def } = piece._zod;
  switch (def.type) {
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'literal':
      return def.values.map(String).join(', ');
    case 'enum':
      return Object.values(def.entries);
    case 'array':
      return listOf(def.element as Piece);
    default:
      return 'an object';
  }
}

function listOf(item: Piece): string {
  const { def } = item._zod;
  if (def.type === 'nullable') return `${listOf(def.innerType as Piece)} and nulls`;
  return def.type === 'number' || def.type === 'string' ? `a list of ${MANY[def.type]}` : 'a list';
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
