/**
 * The active pauses of a node, looked up by subject and expired in order of their end.
 *
 * State    a Map by key, and a binary heap of the same records by (end, sequence). The sequence counts timer settings,
 *          so the order is total: of two pauses that end together, the one set first comes first.
 * Cost     a lookup is a Map access; setting, ending and expiring a pause take O(log n).
 */
import { RoceError } from '../errors.js';
import type { FiveTuple } from '../wire/arn/arn.js';

/** What precise flow control can pause (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.2). */
export type FlowControlMode = 'service' | 'flow' | 'priority';

/** What is paused: a service by its outer five-tuple, a flow by its inner one, or a priority. */
export type PauseSubject = {
  /** A service (all flows to a port), or a flow. */
  readonly level: 'service' | 'flow';
  /** Addresses, protocol and ports. */
  readonly flow: FiveTuple;
} | {
  /** All flows of a priority. */
  readonly level: 'priority';
  /** The priority, 0 to 7. */
  readonly priorityId: number;
};

/** One pause: from `sincePs` up to but not including `untilPs`. */
export interface Pause {
  /** What is paused. */
  readonly subject: PauseSubject;
  /** Start, picoseconds. */
  readonly sincePs: number;
  /** End, picoseconds. */
  readonly untilPs: number;
}

/** A record of the table. */
interface Entry {
  readonly key: string;
  readonly subject: PauseSubject;
  readonly sincePs: number;
  untilPs: number;
  sequence: number;
  /** Index in the heap. */
  place: number;
}

/** The table; only the functions of this file modify it. */
export interface PauseTable {
  readonly byKey: Map<string, Entry>;
  readonly heap: Entry[];
  nextSequence: number;
}

/** @returns a table without pauses. */
export function createPauseTable(): PauseTable {
  return { byKey: new Map(), heap: [], nextSequence: 0 };
}

/**
 * Guards against untyped callers: with a table not made by `createPauseTable`, the heap could loop forever.
 *
 * @throws RoceError `invalid-argument` for anything else, or if the map and the heap differ in size.
 */
export function requirePauseTable(table: PauseTable): void {
  const { byKey, heap, nextSequence } = (table ?? {}) as Partial<PauseTable>;
  const isTable = byKey instanceof Map && Array.isArray(heap) && byKey.size === heap.length;
  if (!isTable || !Number.isSafeInteger(nextSequence)) throw noTable(table);
}

function noTable(got: unknown): RoceError {
  return new RoceError('invalid-argument', { where: 'state.pauses', got, allowed: 'pauses of createFlowControl' });
}

/** @returns the map key of a service or a flow. */
export function flowKey(level: 'service' | 'flow', flow: FiveTuple): string {
  const { source, destination, protocol, sourcePort, destinationPort } = flow;
  return level + String.fromCharCode(...source, ...destination, protocol, sourcePort, destinationPort);
}

/** @returns the map key of a priority. */
export function priorityKey(priorityId: number): string {
  return `priority${priorityId}`;
}

/** @returns when the pause of this key ends; undefined if there is none. */
export function findPauseEnd(table: PauseTable, key: string): number | undefined {
  return table.byKey.get(key)?.untilPs;
}

/** @returns when the first pause ends; Infinity without any. */
export function firstPauseEnd({ heap }: PauseTable): number {
  return heap.length === 0 ? Infinity : heap[0].untilPs;
}

/** Starts a pause; the key must not have one yet. */
export function addPause(table: PauseTable, key: string, pause: Pause): void {
  const entry = { key, ...pause, sequence: table.nextSequence++, place: table.heap.length };
  table.byKey.set(key, entry);
  table.heap.push(entry);
  siftUp(table.heap, entry);
}

/** Resets the timer of a pause; the key must have one. */
export function movePause(table: PauseTable, key: string, untilPs: number): void {
  const entry = table.byKey.get(key);
  if (!entry) return;
  entry.untilPs = untilPs;
  entry.sequence = table.nextSequence++;
  siftUp(table.heap, entry);
  siftDown(table.heap, entry);
}

/** Ends the pause of this key. @returns whether there was one. */
export function removePause(table: PauseTable, key: string): boolean {
  const entry = table.byKey.get(key);
  if (!entry) return false;
  table.byKey.delete(key);
  removeFromHeap(table.heap, entry);
  return true;
}

/** Removes and returns the first pause if it has expired. */
export function takeExpired(table: PauseTable, nowPs: number): Pause | undefined {
  const entry = table.heap.at(0);
  if (!entry || entry.untilPs > nowPs) return undefined;
  // If the entry were missing from the map, this loop would never end.
  if (!removePause(table, entry.key)) throw noTable(table);
  return pauseOf(entry);
}

/** @returns all pauses, in the order in which they end. */
export function pausesByEnd({ heap }: PauseTable): Pause[] {
  return [...heap].sort((a, b) => (isBefore(a, b) ? -1 : 1)).map(pauseOf);
}

function pauseOf({ subject, sincePs, untilPs }: Entry): Pause {
  return { subject, sincePs, untilPs };
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.untilPs === b.untilPs ? a.sequence < b.sequence : a.untilPs < b.untilPs;
}

function removeFromHeap(heap: Entry[], entry: Entry): void {
  const last = heap[heap.length - 1];
  heap.length -= 1;
  if (last === entry) return;
  put(heap, last, entry.place);
  siftUp(heap, last);
  siftDown(heap, last);
}

function siftUp(heap: Entry[], entry: Entry): void {
  while (entry.place > 0) {
    const parent = heap[(entry.place - 1) >> 1];
    if (isBefore(parent, entry)) return;
    exchange(heap, parent, entry);
  }
}

function siftDown(heap: Entry[], entry: Entry): void {
  for (;;) {
    const left = 2 * entry.place + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right], heap[left]) ? heap[right] : heap[left];
    if (isBefore(entry, child)) return;
    exchange(heap, entry, child);
  }
}

function exchange(heap: Entry[], a: Entry, b: Entry): void {
  const place = a.place;
  put(heap, a, b.place);
  put(heap, b, place);
}

function put(heap: Entry[], entry: Entry, place: number): void {
  heap[place] = entry;
  entry.place = place;
}
