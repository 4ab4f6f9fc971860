/**
 * A sender's packets that are neither acknowledged nor considered lost, by number and by send time; and numbers waiting for
 * retransmission, lowest first (docs/specs/uet-reference.md, 5).
 *
 * Their numbers lie between the lowest unacknowledged one and the next new one, so the records are kept in a ring, which
 * doubles when it is full.
 */
import { UET_NONE, UET_SENT_BYTES, UetFlow, UetSent } from '../records/uet-flows';
import { giveBlock, takeBlock } from './memory';

const FIRST_CAPACITY: u32 = 64;
const RECORD_BITS: u32 = ctz(UET_SENT_BYTES);
const NONE: u32 = <u32>UET_NONE;

@inline export function sentOf(flow: UetFlow, seq: u32): UetSent {
  return changetype<UetSent>(<usize>flow.sentAt + (<usize>(seq & (flow.sentCapacity - 1)) << RECORD_BITS));
}

/** Whether a number has a record. */
@inline export function isKnown(flow: UetFlow, seq: u32): bool {
  return seq - flow.lowestSeq < flow.nextSeq - flow.lowestSeq;
}

/** Whether a number is outstanding. */
@inline export function isOutstanding(flow: UetFlow, seq: u32): bool {
  return isKnown(flow, seq) && sentOf(flow, seq).sizeBytes != 0;
}

/** Initialises the record of the next new number; grows the ring if it is full. */
export function openSent(flow: UetFlow, seq: u32): void {
  if (seq - flow.lowestSeq >= flow.sentCapacity) grow(flow, seq);
  const sent = sentOf(flow, seq);
  sent.sizeBytes = 0;
  sent.queuedBytes = 0;
  sent.copies = 0;
  sent.message = 0;
  sent.isAcknowledged = 0;
}

function grow(flow: UetFlow, end: u32): void {
  const capacity = flow.sentCapacity ? flow.sentCapacity << 1 : FIRST_CAPACITY;
  const bits = ctz(capacity);
  const records = takeBlock(bits + RECORD_BITS);
  const queued = takeBlock(bits - 3);
  memory.fill(queued, 0, <usize>capacity >> 3);
  for (let seq = flow.lowestSeq; seq != end; seq++) {
    const to = records + (<usize>(seq & (capacity - 1)) << RECORD_BITS);
    memory.copy(to, changetype<usize>(sentOf(flow, seq)), UET_SENT_BYTES);
    if (changetype<UetSent>(to).queuedBytes) setBit(queued, seq & (capacity - 1));
  }
  if (flow.sentCapacity) {
    giveBlock(flow.sentAt, bits + RECORD_BITS - 1);
    giveBlock(flow.queuedAt, bits - 4);
  }
  flow.sentAt = <u32>records;
  flow.queuedAt = <u32>queued;
  flow.sentCapacity = capacity;
}

@inline function setBit(words: usize, bit: u32): void {
  const at = words + (<usize>(bit >> 6) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << <u64>(bit & 63)));
}

export function addSent(flow: UetFlow, seq: u32, sizeBytes: u32, sentPs: f64): void {
  const sent = sentOf(flow, seq);
  if (sent.sizeBytes) removeSent(flow, seq, sent);
  sent.sentPs = sentPs;
  sent.sizeBytes = <u16>sizeBytes;
  sent.isTimed = 1;
  sent.older = flow.newestSeq;
  sent.newer = NONE;
  if (flow.newestSeq == NONE) flow.oldestSeq = seq;
  else sentOf(flow, flow.newestSeq).newer = seq;
  flow.newestSeq = seq;
}

export function removeSent(flow: UetFlow, seq: u32, sent: UetSent): void {
  sent.sizeBytes = 0;
  if (sent.isTimed) untime(flow, sent);
}

/** Excludes a packet from the timer, but keeps it as outstanding. */
export function untime(flow: UetFlow, sent: UetSent): void {
  if (sent.older == NONE) flow.oldestSeq = sent.newer;
  else sentOf(flow, sent.older).newer = sent.newer;
  if (sent.newer == NONE) flow.newestSeq = sent.older;
  else sentOf(flow, sent.newer).older = sent.older;
  sent.isTimed = 0;
}

/** Queues a number for retransmission; one that is already queued keeps its size. */
export function addQueued(flow: UetFlow, seq: u32, sizeBytes: u32): void {
  const sent = sentOf(flow, seq);
  if (sent.queuedBytes) return;
  sent.queuedBytes = <u16>sizeBytes;
  setBit(flow.queuedAt, seq & (flow.sentCapacity - 1));
  if (!flow.queuedCount || seq < flow.queuedFirst) flow.queuedFirst = seq;
  flow.queuedCount++;
  flow.queuedBytes += <f64>sizeBytes;
}

/** Removes a queued number and returns the packet's bytes; 0 if it is not queued. */
export function removeQueued(flow: UetFlow, seq: u32): u32 {
  const sent = sentOf(flow, seq);
  const sizeBytes = <u32>sent.queuedBytes;
  if (!sizeBytes) return 0;
  sent.queuedBytes = 0;
  const bit = seq & (flow.sentCapacity - 1);
  const at = <usize>flow.queuedAt + (<usize>(bit >> 6) << 3);
  store<u64>(at, load<u64>(at) & ~((<u64>1) << <u64>(bit & 63)));
  flow.queuedCount--;
  flow.queuedBytes -= <f64>sizeBytes;
  if (seq == flow.queuedFirst && flow.queuedCount) flow.queuedFirst = nextQueued(flow, seq);
  return sizeBytes;
}

/** The lowest queued number above `seq`, which must exist. */
function nextQueued(flow: UetFlow, seq: u32): u32 {
  const mask = flow.sentCapacity - 1;
  let at = seq + 1;
  while (true) {
    const bit = at & mask;
    const rest = load<u64>(<usize>flow.queuedAt + (<usize>(bit >> 6) << 3)) >> <u64>(bit & 63);
    if (rest) return at + <u32>ctz(rest);
    at += 64 - (bit & 63);
  }
}
