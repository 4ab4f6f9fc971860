/** The capacity of an engine, stored in its memory and in saved states. */
import { CAPACITY } from './records/engine-capacity.js';
import { CAPACITY_ADDRESS } from './layout.js';

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
