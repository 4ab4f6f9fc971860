/**
 * Pending work on operations at the current instant, in an order that does not depend on how it was found: a binary heap by
 * (round, stage, operation).
 *
 * Round   work caused by other work of the instant runs one round later
 * Stage   ends of timed operations, last ACKs, sends, complete messages, receives, their claims of a lane, computes
 *
 * Operations are numbered by rank, then by their position in the rank. All work follows the other events of the instant.
 */
import { allocate } from '../../memory/map';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { operationAt, operationCount } from './memory';
import { RECEIVED_AT_LAST_ACK, SEND_DONE_DELIVERED, SEND_DONE_ISSUED } from '../../records/graph';

export const STAGE_LAPSED: u32 = 0;
export const STAGE_ACKNOWLEDGED: u32 = 1;
export const STAGE_SEND: u32 = 2;
export const STAGE_OFFER: u32 = 3;
export const STAGE_RECEIVE: u32 = 4;
export const STAGE_CLAIM: u32 = 5;
export const STAGE_COMPUTE: u32 = 6;

const STAGE_SHIFT: u64 = 32;
const ROUND_SHIFT: u64 = 40;
/** A send can be acknowledged and offered at the same instant; any other operation has one entry at a time. */
const ENTRIES_PER_OPERATION: usize = 2;

let operationsEvent: u32 = 0;
let heap: usize = 0;
let size: u32 = 0;
let round: u64 = 0;
let isScheduled: bool = false;

/** Sets the number of the event that runs the work of an instant. */
export function placeOperations(event: u32): void {
  operationsEvent = event;
}

export function allocateReady(): void {
  heap = allocate(<usize>operationCount * ENTRIES_PER_OPERATION << 3);
}

export function clearReady(): void {
  size = 0;
  round = 0;
  isScheduled = false;
}

/** Called when a message's last byte has reached its receiver. */
export function messageDelivered(operation: u32): void {
  const flags = operationAt(operation).flags;
  if (!(flags & RECEIVED_AT_LAST_ACK)) expect(STAGE_OFFER, operation);
}

/** Called when the last ACK of a message has reached its sender. */
export function messageAcknowledged(operation: u32): void {
  const flags = operationAt(operation).flags;
  if (flags & RECEIVED_AT_LAST_ACK) expect(STAGE_OFFER, operation);
  if (!(flags & (SEND_DONE_ISSUED | SEND_DONE_DELIVERED))) expect(STAGE_ACKNOWLEDGED, operation);
}

/** Adds work on an operation at this instant, one round after the current one. */
export function expect(stage: u32, operation: u32): void {
  push(((round + 1) << ROUND_SHIFT) | (<u64>stage << STAGE_SHIFT) | operation);
  if (isScheduled) return;
  isScheduled = true;
  schedule(operationsEvent, nowPs, drawOrder());
}

/** Adds work on an operation in this round, in a later stage. */
@inline export function expectInRound(stage: u32, operation: u32): void {
  push((round << ROUND_SHIFT) | (<u64>stage << STAGE_SHIFT) | operation);
}

@inline export function isAnyReady(): bool {
  return size > 0;
}

@inline export function stageOf(key: u64): u32 {
  return <u32>(key >> STAGE_SHIFT) & 0xff;
}

/** Removes the first key, whose low half is the operation. */
export function removeReady(): u64 {
  const first = load<u64>(heap);
  size--;
  if (size) sink(load<u64>(heap + (<usize>size << 3)));
  round = first >> ROUND_SHIFT;
  return first;
}

/** Called when the instant's work is done. */
export function endRounds(): void {
  round = 0;
  isScheduled = false;
}

function push(key: u64): void {
  let place = size++;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = load<u64>(heap + (<usize>parent << 3));
    if (above <= key) break;
    store<u64>(heap + (<usize>place << 3), above);
    place = parent;
  }
  store<u64>(heap + (<usize>place << 3), key);
}

/** Replaces the first key and restores the heap. */
function sink(key: u64): void {
  let place: u32 = 0;
  for (;;) {
    let child: u32 = 2 * place + 1;
    if (child >= size) break;
    if (child + 1 < size && keyAt(child + 1) < keyAt(child)) child++;
    const below = keyAt(child);
    if (key <= below) break;
    store<u64>(heap + (<usize>place << 3), below);
    place = child;
  }
  store<u64>(heap + (<usize>place << 3), key);
}

@inline function keyAt(place: u32): u64 {
  return load<u64>(heap + (<usize>place << 3));
}
