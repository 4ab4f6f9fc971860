/**
 * A result as JSON in a fixed order of keys, with one line for each flow, port and column of the series, so that two files can
 * be compared line by line.
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { SimResult } from '../result.js';
import { RESULT_SCHEMA } from '../result-schema/result.js';
import { checkResultShape } from './read-shape.js';

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
  const got = isRecord(value) ? value['format'] : undefined;
  if (!isRecord(value) || got !== FORMAT) {
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
  if (!isRecord(value)) return JSON.stringify(value);
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
