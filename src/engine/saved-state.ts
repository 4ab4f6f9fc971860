/**
 * Reads the saved memory of an engine with the same configuration but less capacity, to move it to a larger engine.
 *
 * Records of QPs and windows have the same order in a larger engine, so their regions are copied. Positions in hash
 * tables depend on the table size, so their entries are inserted again.
 */
import { FLOW_BYTES, FLOW_TABLE_ADDRESS, REGION_ACK_EVENTS, REGION_CNP_WINDOWS, REGION_CUT_TIMES, REGION_FLOW_ENTRIES,
  REGION_KEPT_HOPS, REGION_LOCAL_QPNS, REGION_PEER_OF, REGION_PEER_REFERENCES, REGION_QPS, REGION_QP_FLAGS,
  REGION_TABLES, REGIONS_ADDRESS, TABLE_ENTRIES, TABLE_FREE, TABLE_GROUPS, TABLE_SLOTS,
  TABLE_TAGS } from '../abi/layout.js';

/** The regions of the state, in memory order without gaps; the flow table follows. */
const IN_ORDER = [
  REGION_QPS,
  REGION_QP_FLAGS,
  REGION_LOCAL_QPNS,
  REGION_FLOW_ENTRIES,
  REGION_CNP_WINDOWS,
  REGION_CUT_TIMES,
  REGION_PEER_OF,
  REGION_PEER_REFERENCES,
  REGION_TABLES,
  REGION_ACK_EVENTS,
  REGION_KEPT_HOPS,
];
/** Regions that the flow table's insertions write, or that do not depend on QPs. */
const NOT_COPIED: readonly number[] = [REGION_FLOW_ENTRIES, REGION_TABLES, REGION_ACK_EVENTS];

/** Copies the records of QPs and windows into the memory of a larger engine. */
export function copyRecords(from: Uint8Array, to: Uint8Array): void {
  IN_ORDER.forEach((region, index) => {
    if (NOT_COPIED.includes(region)) return;
    const next = IN_ORDER[index + 1];
    const end = next === undefined ? wordAt(from, FLOW_TABLE_ADDRESS + TABLE_TAGS) : regionOf(from, next);
    to.set(from.subarray(regionOf(from, region), end), regionOf(to, region));
  });
}

/** The used entries of the hash table with this descriptor. */
export function* entriesOf(memory: Uint8Array, table: number): Generator<Uint8Array, undefined> {
  const tags = wordAt(memory, table + TABLE_TAGS);
  const entries = wordAt(memory, table + TABLE_ENTRIES);
  const slots = wordAt(memory, table + TABLE_GROUPS) * TABLE_SLOTS;
  for (let slot = 0; slot < slots; slot++) {
    const at = entries + slot * FLOW_BYTES;
    if (memory[tags + slot] !== TABLE_FREE) yield memory.subarray(at, at + FLOW_BYTES);
  }
}

/** Byte address of region REGION_*. */
export function regionOf(memory: Uint8Array, region: number): number {
  return wordAt(memory, REGIONS_ADDRESS + region * 4);
}

/** Reads a u32. */
export function wordAt(memory: Uint8Array, address: number): number {
  return new DataView(memory.buffer, memory.byteOffset).getUint32(address, true);
}
