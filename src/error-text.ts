/**
 * The fields of an error, the forms of accepted values, and the sentence made from them. Making it never throws, whatever the
 * fields contain.
 */
/** Numbers from `min` to `max`, inclusive; an absent end is unlimited. */
export interface AllowedRange {
  /** Minimum. */
  readonly min?: number | bigint;
  /** Maximum. */
  readonly max?: number | bigint;
  /** The number must be greater than this one. */
  readonly above?: number;
  /** The number must be less than this one. */
  readonly below?: number;
  /** 1 = whole numbers; 4 = multiples of four. */
  readonly multipleOf?: number;
  /** Unit, such as `bytes` or `ps`. */
  readonly unit?: string;
}

/** One value of a list; a string is an exact text. */
export type AllowedValue = AllowedRange | number | bigint | boolean | string | null | undefined;

/**
 * The accepted values: a range; an exact number, boolean or null; or a list of alternatives. A bare string is not a
 * value but words that complete "must be", for what values can't express; an exact text is a list of one.
 */
export type Allowed = Exclude<AllowedValue, undefined> | readonly AllowedValue[];

/** Faults in settings that a program may handle: an unknown key, a missing key, or two values in the wrong order. */
export type SettingFault = 'unknown-key' | 'missing-key' | 'out-of-order';

/** The parts of a `RoceError` in addition to its code. */
export interface RoceErrorFields {
  /**
   * The subject of the error, as a noun phrase: `Kmin`, `destination QPN`, `the snapshot`. Default: the name at the end
   * of `where`, such as `Kmin` for `switches.ecn.kminBytes`.
   */
  readonly what?: string;
  /** The location: path of the parameter, file and line, … */
  readonly where?: string;
  /** For a settings object: the wrong field, such as `kminBytes`; `where` ends with it. */
  readonly field?: string | undefined;
  /** For a settings object: the kind of fault. For `out-of-order`, `got` lists the value that is too large first. */
  readonly settingFault?: SettingFault | undefined;
  /** The offending value as given; undefined if it is missing. Absent if there is no such value. */
  readonly got?: unknown;
  /** Accepted values. */
  readonly allowed?: Allowed | undefined;
  /**
   * The fault of the subject, as a predicate: `is not open`, `must not exceed Kmax`. Needed only if "must be … (got
   * …)", made from `allowed` and `got`, does not fit. `got` may then be a record of conflicting values.
   */
  readonly problem?: string;
  /** A remedy, as a sentence without a full stop. */
  readonly hint?: string;
  /** The underlying error; its message ends the sentence if `got` is absent. */
  readonly cause?: unknown;
  /** Code of a fault in a file format, such as `UNKNOWN_LABEL` in a workload. */
  readonly fault?: string;
  /** For truncated bytes: the header that doesn't fit. */
  readonly layer?: string;
  /** Byte at which the layer begins. */
  readonly offset?: number;
  /** Bytes that the layer needs. */
  readonly required?: number;
  /** Bytes available. */
  readonly available?: number;
}

/** Maximum length of external text quoted in a message. */
const QUOTED_CHARACTERS = 200;
/** Maximum items shown of a value, and of the list of allowed values. */
const ITEMS_SHOWN = 8;
const ALLOWED_SHOWN = 24;
const DEPTH_SHOWN = 3;

/**
 * `switches.ecn.kminBytes must be between 0 and 1,000,000 bytes (got -5).`; if the subject is not the parameter itself,
 * it follows the location: `flows.csv, line 3: destination QPN must be …`.
 */
export function errorText(fields: RoceErrorFields): string {
  const { hint, fault } = fields;
  const sentence = fields.layer === undefined ? sentenceOf(fields) : lengthSentence(fields);
  const code = fault === undefined ? '' : ` [${fault}]`;
  return `${plainText(sentence)}${code}.${hint === undefined ? '' : ` ${hint}.`}`;
}

function lengthSentence({ layer, offset, required = 0, available = 0, where = '' }: RoceErrorFields): string {
  const bytes = required === 1 ? '1 byte' : `${number(required)} bytes`;
  const rest = available === 1 ? '1 is' : `${number(available)} are`;
  return `${where === '' ? 'The' : `${clip(where)}: the`} ${layer ?? ''}${
    offset === undefined ? '' : ` at byte ${offset}`
  } needs ${bytes}, but ${rest} available`;
}

function sentenceOf(fields: RoceErrorFields): string {
  const { problem, allowed, got } = fields;
  const subject = subjectOf(fields);
  if (problem !== undefined) {
    const rest = allowed === undefined ? '' : `; allowed: ${allowedText(allowed, got)}`;
    return `${subject} ${problem}${reasonOf(fields)}${rest}`;
  }
  const wanted = `must be ${allowedText(allowed, got)}`;
  if (!('got' in fields)) return `${subject} ${wanted}`;
  return got === undefined ? `${subject} is missing; it ${wanted}` : `${subject} ${wanted} (got ${showGot(got)})`;
}

/**
 * The parameter's path, or the subject after its location. A subject that the location already ends with is not
 * repeated.
 */
function subjectOf({ where = '', what = '' }: RoceErrorFields): string {
  if (where === '') return capitalised(clip(what));
  if (what === '' || isSame(what, nameOf(where)) || startsWithWord(where, what) || endsWith(where, what))
    return clip(where);
  const key = where.slice(where.lastIndexOf('.') + 1);
  return startsWithWord(what, key) ? `${clip(where)}${clip(what.slice(key.length))}` : `${clip(where)}: ${clip(what)}`;
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function endsWith(text: string, end: string): boolean {
  return isSame(text.slice(-end.length), end);
}

function startsWithWord(text: string, start: string): boolean {
  return isSame(text.slice(0, start.length), start) && !/^\w/.test(text.slice(start.length));
}

function reasonOf(fields: RoceErrorFields): string {
  const { got, cause } = fields;
  if ('got' in fields) return ` (${isRecord(got) ? valuesByName(got) : `got ${showGot(got)}`})`;
  if (cause === undefined) return '';
  return `: ${clip(cause instanceof Error ? cause.message : showValue(cause)).replace(/\.$/, '')}`;
}

const UNIT_SUFFIX = /(?<=[a-z])(Bytes|Bps|Ps)$/;
const ABBREVIATIONS =
  /\b(ai|hai|rtt|mtu|mss|qpn?|cnp|ecn|dscp|pcp|ip|icrc|pfc|int|ioam|arn|udp|ets|psn|sid|srh)(s?)\b/g;

/**
 * The last name of a path, in words: `base RTT` for `hpcc.baseRttPs`. Text that is not a parameter's name is unchanged.
 */
export function nameOf(where: string): string {
  const name = where.slice(where.lastIndexOf('.') + 1);
  if (!/^[a-z][a-zA-Z0-9]+$/.test(name)) return name;
  const words = name.replace(UNIT_SUFFIX, '').replace(/(?<=[a-z0-9])[A-Z]|(?<=[a-z])\d+$/g, ' $&').toLowerCase();
  return words.replace(ABBREVIATIONS, (_, short: string, plural: string) => short.toUpperCase() + plural);
}

/** Conflicting values: `kminBytes is 5 and kmaxBytes 4`. */
function valuesByName(record: object): string {
  try {
    const [first, ...others] = Object.entries(record).map(([key, value]) => [key, showGot(value)]);
    return listed([first.join(' is '), ...others.map((other) => other.join(' '))], 'and');
  } catch {
    return showValue(record);
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Object]';
}

/** The words after "must be". States the kind of number only if the value is not one, or not a whole one. */
function allowedText(allowed: Allowed | undefined, got: unknown): string {
  if (typeof allowed === 'string') return allowed;
  if (allowed === undefined) return 'another one';
  return isList(allowed) ? oneOf(allowed.map((value) => allowedValue(value, got))) : allowedValue(allowed, got);
}

function isList(allowed: Allowed): allowed is readonly AllowedValue[] {
  return Array.isArray(allowed);
}

function oneOf(items: readonly string[]): string {
  if (items.length === 0) return 'absent';
  if (items.length > ALLOWED_SHOWN) {
    return `one of ${items.slice(0, ITEMS_SHOWN).join(', ')}, … ${items[items.length - 1]} (${items.length} in all)`;
  }
  return listed(items, 'or');
}

function listed(items: readonly string[], joint: 'and' | 'or'): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} ${joint} ${items[items.length - 1]}`;
}

function allowedValue(value: AllowedValue, got: unknown): string {
  if (value === undefined) return 'absent';
  return typeof value === 'object' && value !== null ? rangeText(value, got) : showGot(value);
}

function rangeText(range: AllowedRange, got: unknown): string {
  const { min, max, multipleOf, unit } = range;
  const ends = endsText(range);
  const kind = min !== undefined && min === max ? '' : kindOfNumber({ min, max, multipleOf }, got);
  const joint = kind === '' || ends === '' ? '' : ends.startsWith('at') ? ' of ' : ' ';
  return `${kind}${joint}${ends}${unit === undefined ? '' : ` ${unit}`}`;
}

function endsText({ min, max, above, below }: AllowedRange): string {
  if (min !== undefined && max !== undefined && above === undefined && below === undefined) {
    return min === max ? number(min) : `between ${number(min)} and ${number(max)}`;
  }
  const low = above !== undefined ? `above ${number(above)}` : min !== undefined ? `at least ${number(min)}` : '';
  const high = below !== undefined ? `below ${number(below)}` : max !== undefined ? `at most ${number(max)}` : '';
  return [low, high].filter((end) => end !== '').join(' and ');
}

function kindOfNumber(
  { min, max, multipleOf }: { [Key in 'min' | 'max' | 'multipleOf']: AllowedRange[Key] | undefined },
  got: unknown,
): string {
  if (typeof got === 'bigint' && [min, max].some((end) => typeof end === 'bigint')) return '';
  if (multipleOf !== undefined && multipleOf !== 1) return `a multiple of ${multipleOf}`;
  if (multipleOf === 1) return Number.isInteger(got) ? '' : 'a whole number';
  return Number.isFinite(got) ? '' : 'a number';
}

function showGot(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'bigint') return `${clip(number(value))}n`;
  return typeof value === 'number' ? numberAsWritten(value) : showValue(value);
}

function numberAsWritten(value: number): string {
  return Object.is(value, -0) ? '-0' : number(value);
}

/** Formats 1000000 as 1,000,000. */
export function number(value: number | bigint): string {
  const text = String(value);
  if (!/^-?\d+$/.test(text) || text.length > QUOTED_CHARACTERS) return text;
  const groups: string[] = [];
  let end = text.length;
  for (; end > 3 && text[end - 4] !== '-'; end -= 3) groups.unshift(text.slice(end - 3, end));
  return [text.slice(0, end), ...groups].join();
}

/**
 * Formats any value briefly, including what JSON can't represent: BigInt, functions, typed arrays, cyclic objects,
 * getters that throw.
 */
export function showValue(value: unknown): string {
  try {
    return clip(show(value, 0));
  } catch {
    return 'a value that cannot be read';
  }
}

function show(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return showPrimitive(value);
  if (value instanceof Error) return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : `Date ${value.toISOString()}`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return showItems(value as Uint8Array, depth, true);
  if (Array.isArray(value)) return showItems(value, depth, false);
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (tag !== 'Object') return `${tag} {…}`;
  if (depth === DEPTH_SHOWN) return '{…}';
  const entries: string[] = [];
  for (const key in value) {
    if (entries.push(`${key}: ${show((value as Readonly<Record<string, unknown>>)[key], depth + 1)}`) > ITEMS_SHOWN) {
      entries[ITEMS_SHOWN] = '…';
      break;
    }
  }
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function showPrimitive(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(clip(value));
  if (typeof value === 'function') return value.name === '' ? 'a function' : `function ${value.name}`;
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function showItems(items: ArrayLike<unknown>, depth: number, isTyped: boolean): string {
  if (depth === DEPTH_SHOWN) return '[…]';
  const shown = Array.from({ length: Math.min(items.length, ITEMS_SHOWN) },
    (_, index) => show(items[index], depth + 1));
  if (items.length > ITEMS_SHOWN) shown.push('…');
  return `${isTyped ? `${items.constructor.name}(${items.length}) ` : ''}[${shown.join(', ')}]`;
}

function clip(text: string): string {
  return text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS - 1)}…` : text;
}

/** Capitalises a subject, unless it begins with a name from code. */
function capitalised(what: string): string {
  return /^[a-z][a-z-]*( |$)/.test(what) && !/^(?!a ).( |$)/.test(what) ? what[0].toUpperCase() + what.slice(1) : what;
}

/**
 * Replaces each line end, with blanks around it, by one blank. Runs of blanks match as a whole, so that a megabyte of
 * them takes no time.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
}

/** Puts text on one line and replaces control characters. */
function plainText(text: string): string {
  return oneLine(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
