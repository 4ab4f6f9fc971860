/**
 * Reads the JSON of a SONiC CONFIG_DB as tables of entries, with the formats of its fields: numbers as text, references
 * as `AZURE` or `[DSCP_TO_TC_MAP|AZURE]`, and keys of ports and numbers of queues or priority groups:
 *
 *   Ethernet0|3      Ethernet0|3-4      Ethernet0,Ethernet4|3-4
 *   lc3|asic0|Ethernet0|3-4              QUEUE of a chassis with virtual output queues (VOQ): host, ASIC, port, queue
 *
 * In a VOQ chassis, each file has the queues of all line cards; those of other line cards are skipped.
 *
 * Sources: SONiC, sonic-yang-models/doc/Configuration.md, and sonic-queue.yang, VOQ_QUEUE_LIST; NVIDIA SONiC 4.0, "QoS and
 * Buffers". See docs/reference/sources.md.
 */
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { RoceError, type Allowed } from '../../errors.js';
import { qosNote, type QosNote } from '../notes.js';

/** Maximum number of ports, more than any switch has. */
export const PORTS_MAX = 4096;
/** Maximum length of the text; large switches have some megabytes, mostly access lists. */
const CONFIG_CHARACTERS_MAX = 16 * 1024 * 1024;

/** One entry of a table. */
export interface SonicEntry {
  /** Table and key: `QUEUE|Ethernet0|3`. */
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Highest number of a queue or priority group in a key: large chips have 64 queues. */
const INDEX_MAX = 63;

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

/** Entries by port and by queue or priority group number. */
export type PortEntries = ReadonlyMap<string, ReadonlyMap<number, SonicEntry>>;

/** The entries of a table, and the assumptions made about its keys. */
export interface ReadPortTable {
  readonly entries: PortEntries;
  /** Whether the table's keys name hosts and ASICs. */
  readonly isVoq: boolean;
  readonly notes: readonly QosNote[];
}

interface PortKey {
  /** Line card, such as `lc3|asic0`; empty for a key without host and ASIC. */
  readonly card: string;
  readonly ports: readonly string[];
  readonly first: number;
  readonly last: number;
  readonly entry: SonicEntry;
}

/**
 * Reads a table by port and number.
 * @throws RoceError `invalid-settings` for a key in another format.
 */
export function readPortTable(tables: SonicTables, table: string): ReadPortTable {
  const keys = tables.entries(table).map(([key, entry]) => splitKey(table, key, entry));
  const cards = [...new Set(keys.flatMap(({ card }) => (card === '' ? [] : [card])))];
  const local = localCards(tables, cards);
  const found = new Map<string, Map<number, SonicEntry>>();
  for (const key of keys) if (key.card === '' || local.includes(key.card)) addKey(found, key);
  return { entries: found, isVoq: cards.length > 0, notes: explainCards(table, cards, local) };
}

function addKey(found: Map<string, Map<number, SonicEntry>>, { ports, first, last, entry }: PortKey): void {
  for (const port of ports) {
    const ofPort = found.get(port) ?? new Map<number, SonicEntry>();
    for (let index = first; index <= last; index++) ofPort.set(index, entry);
    found.set(port, ofPort);
  }
  if (found.size > PORTS_MAX) rejectPorts(found.size);
}

/** The line cards of this file: those named in DEVICE_METADATA, otherwise the first one. */
function localCards(tables: SonicTables, cards: readonly string[]): readonly string[] {
  const metadata = tables.entry('DEVICE_METADATA', 'localhost');
  const [host, asic] = (['hostname', 'asic_name'] as const).map((field) =>
    (metadata && textOf(metadata, field))?.toLowerCase()
  );
  const ofHost = cards.filter((card) => card.split('|')[0].toLowerCase() === host);
  const ofAsic = ofHost.filter((card) => asic === undefined || card.split('|')[1].toLowerCase() === asic);
  return ofAsic.length > 0 ? ofAsic : ofHost.length > 0 ? ofHost : cards.slice(0, 1);
}

function explainCards(table: string, cards: readonly string[], local: readonly string[]): QosNote[] {
  const others = cards.filter((card) => !local.includes(card));
  return others.length === 0 ? [] : [qosNote('queues-of-other-asics', { table, others, read: local })];
}

function splitKey(table: string, key: string, entry: SonicEntry): PortKey {
  const parts = key.split('|');
  const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(parts[parts.length - 1]);
  const first = Number(match?.[1] ?? NaN);
  const last = Number(match?.[2] ?? match?.[1] ?? NaN);
  const ports = parts.length === 2 || parts.length === 4 ? parts[parts.length - 2].split(',') : [''];
  const card = parts.slice(0, -2).join('|');
  if (first <= last && last <= INDEX_MAX && !ports.includes('') && !parts.includes('')) {
    return { card, ports, first, last, entry };
  }
  throw new RoceError('invalid-settings', {
    what: `a key of ${table}`,
    got: key,
    allowed: `ports and numbers from 0 to ${INDEX_MAX}, such as Ethernet0|3, Ethernet0,Ethernet4|3-4 ` +
      'or lc3|asic0|Ethernet0|3',
    where: table,
  });
}
