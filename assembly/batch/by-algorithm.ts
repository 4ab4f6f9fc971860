/**
 * Runs of events in an engine with several algorithms: sorted by parameter set first, then applied set by set.
 *
 * Which algorithm comes next is as good as random, and each change costs mispredicted branches (measured in
 * bench/RESULTS.md). The events of a QP stay in their order, since they share its parameter set; QPs share nothing; and
 * what an event tells the host waits in a slot of its own, so the host reads it in the order of the events.
 */
import { ALGORITHM_DCQCN, ALGORITHM_HPCC, ALGORITHM_HPCC_PP } from '../../src/abi/ack-layout';
import { EVENT_ACK, EVENT_CNP, EVENT_SENT, OUTCOME_ACK_APPLIED, OUTCOME_SENT, PARAMETER_SET_COUNT, QP_OPEN,
  QP_PARAMETER_SET_SHIFT } from '../../src/abi/codes';
import { COUNTER_OUTCOMES, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME,
  EVENT_VALUE_MAX } from '../../src/abi/layout';
import { beginSlots, closeSlots, enterSlot, leaveSlot } from '../memory/actions';
import { count, countOutcome } from '../memory/counters';
import { ackEventBytes, ackEvents, eventCapacity, flagsOf, parameterSetOf, qpCapacity, scratch, SORTING_BYTES,
  stateOf } from '../memory/map';
import { fastCnpEnabled } from '../memory/settings';
import { acknowledgedPacket } from '../rp/acknowledgements';
import { acknowledgedGroup, isPlainSet } from '../rp/plain-acks';
import { plainEvent, UNUSUAL } from '../rp/plain-event';
import { QP_EVENTS, qpEvent } from '../rp/qp-event';
import { tracing } from '../trace/ring';
import { keepReads, readHops, readRecords, readStates } from './read-ahead';

/** Events sorted together: more than these no longer lie in the nearest cache. Places are bytes. */
const RUN = 256;
/** Events of a parameter set whose records are read ahead. */
const AHEAD: u32 = 32;
/** So many of one parameter set in a row are applied as they come. */
const ENOUGH: u32 = 8;

/** Bit = parameter sets with events in this run. */
let used: u32 = 0;

/** In the scratch of a block: for each parameter set the places of its events in the run, a byte each ... */
@inline function placesOf(set: u32): usize {
  return scratch + <usize>set * RUN;
}

/** ... then how many ... */
@inline function sizeAt(set: u32): usize {
  return scratch + <usize>PARAMETER_SET_COUNT * RUN + (<usize>set << 1);
}

/** ... then what each slot told. */
@inline function toldBytes(): usize {
  return sizeAt(PARAMETER_SET_COUNT);
}

/** Applies events from `from` on, up to one that concerns more than a QP or `end` at most; returns where it stands. */
export function eventsByAlgorithm(from: usize, end: usize): usize {
  if (tracing || !isOfQp(from)) return from;
  const limit = min(end, from + <usize>AHEAD * EVENT_BYTES);
  const alike = endOfAlike(from, limit);
  if (alike == limit || alike - from >= <usize>ENOUGH * EVENT_BYTES) {
    applyAlike(from, <u32>((alike - from) / EVENT_BYTES));
    return alike;
  }
  const next = sortRun(from, min(end, from + RUN * EVENT_BYTES));
  beginSlots(true);
  for (let sets = used; sets; sets &= sets - 1) {
    const set = <u32>ctz(sets);
    applySet(set, from, placesOf(set), load<u16>(sizeAt(set)), true);
  }
  closeSlots(<u32>((next - from) / EVENT_BYTES), toldBytes());
  return next;
}

@inline function isOfQp(event: usize): bool {
  return ((QP_EVENTS >> (load<u32>(event, EVENT_ARG) >> EVENT_KIND_SHIFT)) & 1) != 0;
}

/** The parameter set of an event's QP; any for a number that is none. */
@inline function setOf(event: usize): u32 {
  const qp = load<u32>(event, EVENT_QP);
  return (qp < qpCapacity ? flagsOf(qp) : 0) >> QP_PARAMETER_SET_SHIFT;
}

/** Where the events from `from` on stop being of one parameter set. */
function endOfAlike(from: usize, limit: usize): usize {
  const set = setOf(from);
  let at = from + EVENT_BYTES;
  while (at < limit && setOf(at) == set && isOfQp(at)) at += EVENT_BYTES;
  return at;
}

/** At most AHEAD events of one parameter set: as they come. */
function applyAlike(from: usize, size: u32): void {
  for (let place: u32 = 0; place < AHEAD; place++) store<u8>(placesOf(0) + place, <u8>place);
  readStates(from, from + <usize>size * EVENT_BYTES);
  beginSlots(false);
  applySet(setOf(from), from, placesOf(0), size, false);
}

/**
 * Notes each event with its parameter set, and reads the beginning of its records: taken set by set they are read in
 * leaps, which no processor foresees. Returns where the run ends.
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
    if (flags & QP_OPEN) read += stateOf(qp).bytesCounted;
  }
  used = sets;
  keepReads(read);
  return at;
}

/** Applies events of one parameter set in their order; where QPs keep hops, a few at a time. `sorted`: others stand between them. */
function applySet(set: u32, from: usize, places: usize, size: u32, sorted: bool): void {
  const algorithm = parameterSetOf(set << QP_PARAMETER_SET_SHIFT).algorithm;
  if (algorithm == ALGORITHM_DCQCN) applyDcqcn(from, places, size);
  else if (algorithm != ALGORITHM_HPCC && algorithm != ALGORITHM_HPCC_PP) applyOthers(from, places, size);
  else {
    for (let done: u32 = 0; done < size; done += AHEAD) {
      const some = min(AHEAD, size - done);
      readHops(from, places + done, some);
      if (sorted) readRecords(from, places + done, some);
      if (isPlainSet(set)) acknowledgedGroup(from, places + done, some, toldBytes());
      else applyOthers(from, places + done, some);
    }
  }
}

function applyDcqcn(from: usize, places: usize, size: u32): void {
  let others: u32 = 0;
  for (let i: usize = 0; i < <usize>size; i++) {
    const place = <u32>load<u8>(places + i);
    const at = from + <usize>place * EVENT_BYTES;
    const argument = load<u32>(at, EVENT_ARG);
    const kind = argument >> EVENT_KIND_SHIFT;
    enterSlot(place);
    let outcome = UNUSUAL;
    if (kind == EVENT_SENT || (kind == EVENT_CNP && !fastCnpEnabled)) {
      outcome = plainEvent(kind, load<u32>(at, EVENT_QP), load<f64>(at, EVENT_TIME), argument & EVENT_VALUE_MAX);
    }
    if (outcome == UNUSUAL) outcome = applyEvent(at);
    if (outcome != OUTCOME_SENT) {
      countOutcome(outcome);
      others++;
    }
    store<u8>(toldBytes() + place, <u8>leaveSlot(place));
  }
  count(COUNTER_OUTCOMES + OUTCOME_SENT, size - others);
}

function applyOthers(from: usize, places: usize, size: u32): void {
  let others: u32 = 0;
  for (let i: usize = 0; i < <usize>size; i++) {
    const place = <u32>load<u8>(places + i);
    enterSlot(place);
    const outcome = applyEvent(from + <usize>place * EVENT_BYTES);
    if (outcome != OUTCOME_ACK_APPLIED) {
      countOutcome(outcome);
      others++;
    }
    store<u8>(toldBytes() + place, <u8>leaveSlot(place));
  }
  count(COUNTER_OUTCOMES + OUTCOME_ACK_APPLIED, size - others);
}

/** @returns the outcome of an event. */
function applyEvent(at: usize): u32 {
  const argument = load<u32>(at, EVENT_ARG);
  const kind = argument >> EVENT_KIND_SHIFT;
  const qp = load<u32>(at, EVENT_QP);
  const timePs = load<f64>(at, EVENT_TIME);
  const value = argument & EVENT_VALUE_MAX;
  return kind == EVENT_ACK ? acknowledgedPacket(qp, timePs, value) : qpEvent(kind, qp, timePs, value);
}
