/**
 * The event loop: packet events that the caller has already parsed, one pass, in order.
 *
 * With many QPs a batch jumps from cache line to cache line, and wasm has no prefetch: so the records of the next 64
 * events are read first, for nothing but to have them near (measured in bench/RESULTS.md).
 */
import {
  EVENT_ACK,
  EVENT_CNP,
  EVENT_FAST_CNP,
  EVENT_LOSS,
  EVENT_MARKED,
  EVENT_SENT,
  EVENT_TOUCH,
  NONE,
  OUTCOME_FAST_CNP_ACCEPTED,
  OUTCOME_SENT,
  OUTCOME_UNKNOWN_KIND,
  OUTCOME_UNKNOWN_QP,
  QP_LIMITED,
} from '../../src/abi/codes';
import {
  COUNTER_EVENTS_IN,
  COUNTER_OUTCOMES,
  EVENT_ARG,
  EVENT_BYTES,
  EVENT_KIND_SHIFT,
  EVENT_QP,
  EVENT_TIME,
  EVENT_VALUE_MAX,
  FAST_CNP_DEST_QPN,
  FAST_CNP_EVENT_BYTES,
  FAST_CNP_ORIGINAL_DESTINATION,
  FAST_CNP_TELEMETRY,
} from '../../src/abi/layout';
import { count, countOutcome } from '../memory/counters';
import { KEPT_HOP_BYTES } from '../../src/abi/ack-layout';
import {
  BLOCK, endpointCapacity, eventCapacity, events, fastCnpEvents, flagsOf, keptHops, keptHopsPerQp, qpCapacity, stateOf,
} from '../memory/map';
import { fastCnpEnabled } from '../memory/settings';
import { marked } from '../np/notification-point';
import { acknowledged, acknowledgedRun, lost } from '../rp/doors';
import { admitFastCnp, cnpReceived, fastCnpForFlow, reportFastCnp } from '../rp/notifications';
import { UNUSUAL, plainEvent } from '../rp/plain-event';
import { sent, touched } from '../rp/reaction-point';
import { lookUp } from '../table/address-table';
import { flowWord, flows, qpOfFlow } from '../table/flow-table';
import { clearActions } from '../memory/actions';

/** Below this many QPs (256 KiB of records) everything is near anyway. */
const TOUCH_FROM: u32 = 4096;
/** Events looked ahead at where QPs keep hops: fewer, for each takes five lines. */
const ACK_BLOCK = 32;

/** Does this build know acknowledgements? */
const ACKNOWLEDGES: bool = isDefined(ROCE_ACKS);

/** Where reads end whose only purpose is to have been made. */
let sink: u32 = 0;

/** Applies the first `n` events of the event region. */
export function applyEvents(n: u32): void {
  clearActions();
  const end = events + <usize>n * EVENT_BYTES;
  const ahead = qpCapacity >= TOUCH_FROM;
  const blockBytes: usize = (ACKNOWLEDGES && keptHopsPerQp ? ACK_BLOCK : BLOCK) * EVENT_BYTES;
  let others: u32 = 0;
  for (let block = events; block < end; ) {
    const blockEnd = min(block + blockBytes, end);
    if (ACKNOWLEDGES && keptHopsPerQp) touchAcksAhead(block, blockEnd);
    else if (ahead) touchAhead(block, blockEnd);
    for (; block < blockEnd; block += EVENT_BYTES) {
      const argument = load<u32>(block, EVENT_ARG);
      const kind = argument >> EVENT_KIND_SHIFT;
      if (ACKNOWLEDGES && kind == EVENT_ACK) {
        const next = acknowledgedRun(block, blockEnd);
        if (next != block) {
          others += <u32>((next - block) / EVENT_BYTES);
          block = next - EVENT_BYTES;
          continue;
        }
      }
      const timePs = load<f64>(block, EVENT_TIME);
      const qp = load<u32>(block, EVENT_QP);
      const value = argument & EVENT_VALUE_MAX;
      let outcome = UNUSUAL;
      if (kind == EVENT_SENT || (kind == EVENT_CNP && !fastCnpEnabled)) outcome = plainEvent(kind, qp, timePs, value);
      if (outcome == UNUSUAL) outcome = applyOne(kind, qp, timePs, value, <u32>((block - events) / EVENT_BYTES));
      if (outcome != OUTCOME_SENT) {
        countOutcome(outcome);
        others++;
      }
    }
  }
  count(COUNTER_EVENTS_IN, n);
  count(COUNTER_OUTCOMES + OUTCOME_SENT, n - others);
}

function applyOne(kind: u32, qp: u32, timePs: f64, value: u32, index: u32): u32 {
  if (kind == EVENT_SENT) return sent(qp, timePs, value);
  if (kind == EVENT_CNP) return cnpReceived(qp, timePs);
  if (kind == EVENT_MARKED) return marked(qp, timePs, value & 0xffff);
  if (kind == EVENT_FAST_CNP) return fastCnp(qp, timePs, value, index);
  if (kind == EVENT_TOUCH) return touched(qp, timePs);
  if (kind == EVENT_ACK) return acknowledged(qp, timePs, value);
  if (kind == EVENT_LOSS) return lost(qp, timePs, value);
  return OUTCOME_UNKNOWN_KIND;
}

function fastCnp(endpoint: u32, timePs: f64, record: u32, index: u32): u32 {
  if (record >= eventCapacity || endpoint >= endpointCapacity) return OUTCOME_UNKNOWN_QP;
  const at = fastCnpEvents + <usize>record * FAST_CNP_EVENT_BYTES;
  const original = at + FAST_CNP_ORIGINAL_DESTINATION;
  let outcome = admitFastCnp(at);
  let qp: u32 = NONE;
  if (outcome == OUTCOME_FAST_CNP_ACCEPTED) {
    const entry = lookUp(flows, original, flowWord(endpoint, load<u32>(at, FAST_CNP_DEST_QPN)));
    outcome = fastCnpForFlow(entry, timePs, load<u32>(at, FAST_CNP_TELEMETRY), 0);
    if (entry) qp = qpOfFlow(entry);
  }
  reportFastCnp(outcome, timePs, qp, isSameAddress(at, original), index);
  return outcome;
}

/**
 * As `touchAhead`, and for acknowledgements the first lines of the hops that their QPs keep: as many as five hops take.
 * Their AckEvent records lie one behind the other, where the processor looks ahead by itself.
 */
function touchAcksAhead(from: usize, end: usize): void {
  let read: u32 = 0;
  const hopsBytes = <usize>keptHopsPerQp * KEPT_HOP_BYTES;
  const second = min<usize>(64, hopsBytes - 4);
  const third = min<usize>(128, hopsBytes - 4);
  const fourth = min<usize>(192, hopsBytes - 4);
  for (let at = from; at < end; at += EVENT_BYTES) {
    const qp = load<u32>(at, EVENT_QP);
    if (qp >= qpCapacity || !(flagsOf(qp) & QP_LIMITED)) continue;
    read += stateOf(qp).bytesCounted;
    if (load<u32>(at, EVENT_ARG) >> EVENT_KIND_SHIFT != EVENT_ACK) continue;
    const hops = keptHops + <usize>qp * hopsBytes;
    read += load<u32>(hops) + load<u32>(hops + second) + load<u32>(hops + third) + load<u32>(hops + fourth);
  }
  sink += read;
}

function touchAhead(from: usize, end: usize): void {
  let read: u32 = 0;
  for (let at = from; at < end; at += EVENT_BYTES) {
    const qp = load<u32>(at, EVENT_QP);
    if (qp < qpCapacity && flagsOf(qp) & QP_LIMITED) read += stateOf(qp).bytesCounted;
  }
  sink += read;
}

@inline function isSameAddress(a: usize, b: usize): bool {
  return load<u64>(a) == load<u64>(b) && load<u64>(a, 8) == load<u64>(b, 8);
}
