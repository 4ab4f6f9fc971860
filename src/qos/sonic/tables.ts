/**
 * Reads the JSON of a SONiC CONFIG_DB as tables of entries, with the formats of its fields: numbers as text, references
 * as `AZURE` or `[DSCP_TO_TC_MAP|AZURE]`, keys as in port-keys.ts.
 *
 * Sources: SONiC, sonic-yang-models/doc/Configuration.md; NVIDIA SONiC 4.0, "QoS and Buffers". See docs/reference/sources.md.
 */
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { RoceError, type Allowed } from '../../errors.js';

/** Maximum number of ports, more than any switch has. */
export const PORTS_MAX = 4096;
/** Maximum length of the text; large switches have some megabytes, mostly access lists. */
export const CONFIG_CHARACTERS_MAX = 16 * 1024 * 1024;

/** One entry of a table. */
export interface SonicEntry {
  /** Table and key: `QUEUE|Ethernet0|3`. */
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Rejects a field: RoceError `invalid-settings` with `where` = table and key. */
export function rejectField(entry: SonicEntry, field: string, allowed: Allowed): never {
  throw new RoceError('invalid-settings', {
    what: `${field} of ${entry.place}`,
    got: entry.fields[field],
    allowed,
    where: entry.place,
  });
}

/** Reads a whole number, written as a number or as text; undefined if the field is missing. */
export function wholeOf(entry: SonicEntry, field: string, min: number, max: number): number | undefined {
  if (!Object.hasOwn(entry.fields, field)) return undefined;
  const value = entry.fields[field];
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  return rejectField(entry, field, { min, max, multipleOf: 1 });
}

/** Reads a string; undefined if the field is missing. */
export function textOf(entry: SonicEntry, field: string): string | undefined {
  if (!Object.hasOwn(entry.fields, field)) return undefined;
  const value = entry.fields[field];
  return typeof value === 'string' ? value : rejectField(entry, field, 'a string');
}

/** Reads a flag, `true` or `false` as text or as JSON; undefined if the field is missing. */
export function flagOf(entry: SonicEntry, field: string): boolean | undefined {
  if (!Object.hasOwn(entry.fields, field)) return undefined;
  const value = String(entry.fields[field]).toLowerCase();
  if (value === 'true' || value === 'false') return value === 'true';
  return rejectField(entry, field, ['true', 'false']);
}

/** Reads a list of priorities such as `3,4`; empty if the field is missing or empty. */
export function prioritiesOf(entry: SonicEntry, field: string): readonly number[] {
  const text = textOf(entry, field)?.trim() ?? '';
  if (text === '') return [];
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^[0-7]$/.test(part)) || new Set(parts).size !== parts.length) {
    return rejectField(entry, field, 'priorities from 0 to 7, each once, such as 3,4');
  }
  return parts.map(Number).sort((a, b) => a - b);
}

/** The tables of a configuration. */
export class SonicTables {
  readonly #root: Readonly<Record<string, unknown>>;
  readonly #listsByTable = new Map<string, ReadonlyMap<string, string>>();

  constructor(root: Readonly<Record<string, unknown>>) {
    this.#root = root;
  }

  /** All entries of a table by key; empty if the table is missing. */
  entries(table: string): readonly (readonly [key: string, entry: SonicEntry])[] {
    if (!Object.hasOwn(this.#root, table)) return [];
    const value = requireObject(this.#root[table], table);
    return Object.keys(value).map((key) => [key, entryOf(table, key, value[key])] as const);
  }

  /** One entry; undefined if it is missing. */
  entry(table: string, key: string): SonicEntry | undefined {
    if (!Object.hasOwn(this.#root, table)) return undefined;
    const value = requireObject(this.#root[table], table);
    return Object.hasOwn(value, key) ? entryOf(table, key, value[key]) : undefined;
  }

  /** The entry of a port; its key may list several ports, `Ethernet0,Ethernet4`. Undefined if it is missing. */
  entryOfPort(table: string, port: string): SonicEntry | undefined {
    const key = this.#keysOfLists(table).get(port);
    return this.entry(table, port) ?? (key === undefined ? undefined : this.entry(table, key));
  }

  /** Keys of a table that list several ports, by port. */
  #keysOfLists(table: string): ReadonlyMap<string, string> {
    const known = this.#listsByTable.get(table);
    if (known !== undefined) return known;
    const value = Object.hasOwn(this.#root, table) ? requireObject(this.#root[table], table) : {};
    const lists = Object.keys(value).filter((key) => key.includes(','));
    const keys = new Map(lists.flatMap((key) => key.split(',').map((port) => [port, key] as const)));
    this.#listsByTable.set(table, keys);
    return keys;
  }

  /**
   * The name in a field that refers to an entry, `AZURE` or `[TABLE|AZURE]`; undefined if the field is missing or
   * empty.
   */
  nameReferred(from: SonicEntry, field: string, table: string): string | undefined {
    const text = textOf(from, field)?.trim();
    if (text === undefined || text === '') return undefined;
    const prefix = `[${table}|`;
    return text.startsWith(prefix) && text.endsWith(']') ? text.slice(prefix.length, -1) : text;
  }

  /**
   * The entry that a field refers to; undefined if the field is missing.
   * @throws RoceError `invalid-settings` if the entry does not exist.
   */
  referred(from: SonicEntry, field: string, table: string): SonicEntry | undefined {
    const key = this.nameReferred(from, field, table);
    if (key === undefined) return undefined;
    return this.entry(table, key) ?? rejectField(from, field, `the name of an entry of ${table}`);
  }
}

/** Rejects more ports than any switch has. */
export function rejectPorts(got: number): never {
  const allowed = { max: PORTS_MAX };
  throw new RoceError('invalid-settings', { what: 'the number of ports', got, allowed, where: 'CONFIG_DB' });
}

/**
 * Reads the text of a config_db.json.
 * @throws RoceError `invalid-settings` if the text is not a JSON object, is too long, or is nested too deeply.
 */
export function readRoot(text: string): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') {
    throw new RoceError('invalid-settings', { where: 'text', got: text, allowed: 'a string' });
  }
  if (text.length > CONFIG_CHARACTERS_MAX) {
    const allowed = { max: CONFIG_CHARACTERS_MAX, unit: 'characters' };
    throw new RoceError('invalid-settings', {
      what: 'the length of the text',
      got: text.length,
      allowed,
      where: 'text',
    });
  }
  requireShallowText(text, 'invalid-settings', 'text');
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    const problem = 'is not JSON';
    throw new RoceError('invalid-settings', { what: 'the configuration', problem, cause: error, where: 'text' });
  }
  requirePlainJson(root, 'invalid-settings', 'text');
  return requireObject(root, 'text');
}

function entryOf(table: string, key: string, value: unknown): SonicEntry {
  const place = `${table}|${key}`;
  return { place, fields: requireObject(value, place) };
}

function requireObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new RoceError('invalid-settings', { got: value, allowed: 'an object with fields', where });
}
