/**
 * Reads tables whose keys are ports and numbers of queues or priority groups:
 *
 *   Ethernet0|3      Ethernet0|3-4      Ethernet0,Ethernet4|3-4
 *   lc3|asic0|Ethernet0|3-4              QUEUE of a chassis with virtual output queues (VOQ): host, ASIC, port, queue
 *
 * In a VOQ chassis, each file has the queues of all line cards; those of other line cards are skipped. Source:
 * sonic-queue.yang, VOQ_QUEUE_LIST.
 */
import { RoceError } from '../../errors.js';
import { qosNote, type QosNote } from '../notes.js';
import { PORTS_MAX, rejectPorts, textOf, type SonicEntry, type SonicTables } from './tables.js';

/** Highest number of a queue or priority group in a key: large chips have 64 queues. */
export const INDEX_MAX = 63;

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
