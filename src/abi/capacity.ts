/** Names of the words of the capacity record (capacity-layout.ts). */
import * as layout from './capacity-layout.js';
import { CAPACITY_ADDRESS } from './layout.js';

export const CAPACITY_FIELDS = {
  qps: layout.CAPACITY_QPS,
  endpoints: layout.CAPACITY_ENDPOINTS,
  addresses: layout.CAPACITY_ADDRESSES,
  events: layout.CAPACITY_EVENTS,
  packets: layout.CAPACITY_PACKETS,
  frameBytes: layout.CAPACITY_FRAME_BYTES,
  accessRanges: layout.CAPACITY_ACCESS_RANGES,
  features: layout.CAPACITY_FEATURES,
  hops: layout.CAPACITY_HOPS,
  tableBytes: layout.CAPACITY_TABLE_BYTES,
  traceRecords: layout.CAPACITY_TRACE_RECORDS,
  moduleBytes: layout.CAPACITY_MODULE_BYTES,
} as const;

/** How large an engine shall be. */
export type EngineCapacity = Readonly<Record<keyof typeof CAPACITY_FIELDS, number>>;

/** The capacity record of a memory, or of a saved state. */
export function capacityOf(memory: Uint8Array): Uint8Array {
  return memory.subarray(CAPACITY_ADDRESS, CAPACITY_ADDRESS + layout.CAPACITY_COUNT * 4);
}

/** Whether a memory and a saved state have the same capacity. */
export function isSameCapacity(memory: Uint8Array, state: Uint8Array): boolean {
  const own = capacityOf(memory);
  return capacityOf(state).every((byte, index) => byte === own[index]);
}

/** Whether an engine has room for that state: no size is smaller, and what settings determine is equal. */
export function hasRoomFor(memory: Uint8Array, state: Uint8Array): boolean {
  const own = viewOf(memory);
  const saved = viewOf(state);
  for (let at = 0; at < own.byteLength; at += 4) {
    const word = saved.getUint32(at, true);
    const isSize = at <= layout.CAPACITY_FRAME_BYTES * 4;
    if (isSize ? word < 1 || word > own.getUint32(at, true) : word !== own.getUint32(at, true)) return false;
  }
  return true;
}

function viewOf(memory: Uint8Array): DataView {
  const { buffer, byteOffset, byteLength } = capacityOf(memory);
  return new DataView(buffer, byteOffset, byteLength);
}
