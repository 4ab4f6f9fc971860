/**
 * Runs of events in an engine with several algorithms: sorts them by parameter set, then applies them set by set.
 *
 * The algorithm of the next event is unpredictable, and each change costs mispredicted branches (measured in
 * bench/RESULTS.md). The events of a QP stay in order, since they have the same parameter set; QPs are independent; and
 * each event reports to the host through its own slot, so the host reads the reports in the order of the events.
 */
import { KEEPS_HOPS, READS_ACKS } from '../../src/abi/algorithms';
import { EVENT_ACK, OUTCOME_ACK_APPLIED, OUTCOME_SENT, PARAMETER_SET_COUNT,
  QP_PARAMETER_SET_SHIFT } from '../../src/abi/codes';
import { COUNTER_OUTCOMES, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME,
  EVENT_VALUE_MAX } from '../../src/abi/layout';
import { isFastSet } from '../algorithms/hpcc/fast-acks';
import { traitsOf } from '../algorithms/registry';
import { beginSlots, closeSlots, enterSlot, leaveSlot } from '../memory/actions';
import { count, countOutcome } from '../memory/counters';
import { VECTORS } from '../memory/lanes';
import { ackEventBytes, ackEvents, eventCapacity, flagsOf, parameterSetOf, qpCapacity, scratch,
  SORTING_BYTES } from '../memory/map';
import { QP_EVENTS, qpEvent } from '../rp/qp-event';
import { tracing } from '../trace/ring';
import { applyAckPairs } from './ack-pairs';
import { fetchState, fetchStates, keepReads, readHops, readRecords } from './read-ahead';

/** Number of events sorted together: more would not fit the L1 cache, and indices are bytes. */
const RUN = 256;
/** Number of events whose records are read ahead. */
const AHEAD: u32 = 32;
/** From this many consecutive events of one parameter set on, they are applied without sorting. */
const ENOUGH: u32 = 8;

/** One bit per parameter set: whether it has events in this run. */
let used: u32 = 0;

/** Scratch memory: first, for each parameter set, the indices of its events in the run, a byte each ... */
@inline function placesOf(set: u32): usize {
  return scratch + <usize>set * RUN;
}

/** ... then their number ... */
@inline function sizeAt(set: u32): usize {
  return scratch + <usize>PARAMETER_SET_COUNT * RUN + (<usize>set << 1);
}

/** ... then the number of actions in each slot. */
@inline function slotSizes(): usize {
  return sizeAt(PARAMETER_SET_COUNT);
}

/** Applies events from `from` on, up to `end` or the first one that concerns more than a QP; returns that address. */
export function applyByAlgorithm(from: usize, end: usize): usize {
  if (tracing || !isOfQp(from)) return from;
  const limit = min(end, from + <usize>AHEAD * EVENT_BYTES);
  const sameSet = endOfSameSet(from, limit);
  if (sameSet == limit || sameSet - from >= <usize>ENOUGH * EVENT_BYTES) {
    applySameSet(from, <u32>((sameSet - from) / EVENT_BYTES));
    return sameSet;
  }
  const next = sortRun(from, min(end, from + RUN * EVENT_BYTES));
  beginSlots(from, slotSizes(), true);
  for (let sets = used; sets; sets &= sets - 1) {
    const set = <u32>ctz(sets);
    applySet(set, from, placesOf(set), load<u16>(sizeAt(set)), true);
  }
  closeSlots(<u32>((next - from) / EVENT_BYTES));
  return next;
}

@inline function isOfQp(event: usize): bool {
  return ((QP_EVENTS >> (load<u32>(event, EVENT_ARG) >> EVENT_KIND_SHIFT)) & 1) != 0;
}

/** The parameter set of an event's QP; arbitrary for an invalid QP number. */
@inline function setOf(event: usize): u32 {
  const qp = load<u32>(event, EVENT_QP);
  return (qp < qpCapacity ? flagsOf(qp) : 0) >> QP_PARAMETER_SET_SHIFT;
}

/** End of the events from `from` on that have the same parameter set. */
function endOfSameSet(from: usize, limit: usize): usize {
  const set = setOf(from);
  let at = from + EVENT_BYTES;
  while (at < limit && setOf(at) == set && isOfQp(at)) at += EVENT_BYTES;
  return at;
}

/** Applies at most AHEAD events of one parameter set in order. */
function applySameSet(from: usize, size: u32): void {
  for (let place: u32 = 0; place < AHEAD; place++) store<u8>(placesOf(0) + place, <u8>place);
  fetchStates(from, from + <usize>size * EVENT_BYTES);
  beginSlots(from, slotSizes(), false);
  applySet(setOf(from), from, placesOf(0), size, false);
}

/**
 * Adds each event to the list of its parameter set, and reads the first bytes of its records ahead: sorted by set, records
 * are accessed irregularly, which hardware prefetchers can't predict. Returns the end of the run.
 */
function sortRun(from: usize, end: usize): usize {
  if (PARAMETER_SET_COUNT * (RUN + 2) + RUN != <i32>SORTING_BYTES)
    ERROR('SORTING_BYTES is not what places, sizes and slots take');
  memory.fill(sizeAt(0), 0, PARAMETER_SET_COUNT << 1);
  let read: u32 = 0;
  let sets: u32 = 0;
  let place: u32 = 0;
  let at = from;
  for (; at < end; at += EVENT_BYTES, place++) {
    const argument = load<u32>(at, EVENT_ARG);
    const kind = argument >> EVENT_KIND_SHIFT;
    if (!((QP_EVENTS >> kind) & 1)) break;
    const qp = load<u32>(at, EVENT_QP);
    const flags = qp < qpCapacity ? flagsOf(qp) : 0;
    const set = flags >> QP_PARAMETER_SET_SHIFT;
    const size = <u32>load<u16>(sizeAt(set));
    store<u8>(placesOf(set) + size, <u8>place);
    store<u16>(sizeAt(set), <u16>(size + 1));
    sets |= 1 << set;
    const index = argument & EVENT_VALUE_MAX;
    const hasRecord = kind == EVENT_ACK && index < eventCapacity;
    read += load<u32>(ackEvents + (hasRecord ? <usize>index * ackEventBytes : 0));
    read += fetchState(qp);
  }
  used = sets;
  keepReads(read);
  return at;
}

/** Applies events of one parameter set in order; if QPs store hops, a few at a time. `sorted`: they are not contiguous. */
function applySet(set: u32, from: usize, places: usize, size: u32, sorted: bool): void {
  const traits = traitsOf(parameterSetOf(set << QP_PARAMETER_SET_SHIFT).algorithm);
  if (!(traits & READS_ACKS)) return applyEach(from, places, size, OUTCOME_SENT);
  if (!(traits & KEEPS_HOPS)) return applyEach(from, places, size, OUTCOME_ACK_APPLIED);
  for (let done: u32 = 0; done < size; done += AHEAD) {
    const some = min(AHEAD, size - done);
    readHops(from, places + done, some);
    if (sorted) readRecords(from, places + done, some);
    if (VECTORS && isFastSet(set)) applyAckPairs(from, places + done, some);
    else applyEach(from, places + done, some, OUTCOME_ACK_APPLIED);
  }
}

/** Applies the events one by one; `common`: the most frequent outcome, which is counted at the end. */
function applyEach(from: usize, places: usize, size: u32, common: u32): void {
  let others: u32 = 0;
  for (let i: usize = 0; i < <usize>size; i++) {
    const at = from + <usize>load<u8>(places + i) * EVENT_BYTES;
    const argument = load<u32>(at, EVENT_ARG);
    const slot = enterSlot(at);
    const outcome = qpEvent(argument >> EVENT_KIND_SHIFT, load<u32>(at, EVENT_QP), load<f64>(at, EVENT_TIME),
      argument & EVENT_VALUE_MAX);
    if (outcome != common) {
      countOutcome(outcome);
      others++;
    }
    leaveSlot(slot);
  }
  count(COUNTER_OUTCOMES + common, size - others);
}
