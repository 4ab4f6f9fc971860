/** Capacity of an engine: the host writes it at CAPACITY_ADDRESS (layout.ts) before `initialise`; saved states have it. */
import { CAPACITY_ADDRESS } from '../layout.js';
import { defineSlots, u32 } from './define-record.js';

/**
 * A larger engine can restore the state of one with smaller capacities up to `frameBytes`; the later fields must be
 * equal.
 */
export const CAPACITY = /* @__PURE__ */ defineSlots('CAPACITY', u32, {
  qps: 1,
  endpoints: 1,
  /** Total number of addresses of all endpoints. */
  addresses: 1,
  /** Maximum events per batch. */
  events: 1,
  /** Maximum frames per batch. */
  packets: 1,
  /** Maximum bytes of all frames of a batch. */
  frameBytes: 1,
  /** Number of access-list ranges. */
  accessRanges: 1,
  /** FEATURE_* bits (src/abi/codes.ts). */
  features: 1,
  /** Hops kept per QP, also the maximum per acknowledgement. */
  hops: 1,
  /** Bytes of the tables of parameter sets and of known ports. */
  tableBytes: 1,
  /** Maximum number of rate-change records; 0 = no trace. */
  traceRecords: 1,
  /** Bytes of the memory regions of modules with custom algorithms. */
  moduleBytes: 1,
  free12: 4,
});

/** Maximum sizes of an engine. */
export type EngineCapacity = Readonly<Record<keyof typeof CAPACITY['index'], number>>;

/** The capacity record of a memory, or of a saved state. */
export function capacityOf(memory: Uint8Array): Uint8Array {
  return memory.subarray(CAPACITY_ADDRESS, CAPACITY_ADDRESS + CAPACITY.count * 4);
}

/** Whether a memory and a saved state have the same capacity. */
export function isSameCapacity(memory: Uint8Array, state: Uint8Array): boolean {
  const own = capacityOf(memory);
  return capacityOf(state).every((byte, index) => byte === own[index]);
}

/** Whether an engine can hold this state: no capacity is smaller, and those determined by settings are equal. */
export function hasRoomFor(memory: Uint8Array, state: Uint8Array): boolean {
  const own = viewOf(memory);
  const saved = viewOf(state);
  for (let at = 0; at < own.byteLength; at += 4) {
    const word = saved.getUint32(at, true);
    const isSize = at <= CAPACITY.index.frameBytes * 4;
    if (isSize ? word < 1 || word > own.getUint32(at, true) : word !== own.getUint32(at, true)) return false;
  }
  return true;
}

function viewOf(memory: Uint8Array): DataView {
  const { buffer, byteOffset, byteLength } = capacityOf(memory);
  return new DataView(buffer, byteOffset, byteLength);
}
