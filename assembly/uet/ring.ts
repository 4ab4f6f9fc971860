/** FIFO queues of 32-bit numbers in ring buffers that grow by doubling. */
import { UetRing } from '../records/uet-network';
import { giveBlock, takeBlock } from './memory';

const FIRST_CAPACITY: u32 = 8;

export function pushRing(ring: UetRing, value: u32): void {
  if (ring.length == ring.capacity) grow(ring);
  store<u32>(<usize>ring.at + (<usize>((ring.head + ring.length) & (ring.capacity - 1)) << 2), value);
  ring.length++;
}

/** The oldest number; the ring must not be empty. */
@inline export function firstOfRing(ring: UetRing): u32 {
  return load<u32>(<usize>ring.at + (<usize>ring.head << 2));
}

/** Removes the oldest number; the ring must not be empty. */
export function shiftRing(ring: UetRing): u32 {
  const value = firstOfRing(ring);
  ring.head = (ring.head + 1) & (ring.capacity - 1);
  ring.length--;
  return value;
}

function grow(ring: UetRing): void {
  const capacity = ring.capacity ? ring.capacity << 1 : FIRST_CAPACITY;
  const bytes = ctz(capacity) + 2;
  const at = takeBlock(bytes);
  for (let index: u32 = 0; index < ring.length; index++) {
    const from = <usize>ring.at + (<usize>((ring.head + index) & (ring.capacity - 1)) << 2);
    store<u32>(at + (<usize>index << 2), load<u32>(from));
  }
  if (ring.capacity) giveBlock(ring.at, bytes - 1);
  ring.at = <u32>at;
  ring.head = 0;
  ring.capacity = capacity;
}
