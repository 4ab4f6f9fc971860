/**
 * The event loop: applies packet events that the caller has already parsed, in order; in engines with several algorithms, in
 * sorted runs (by-algorithm.ts).
 */
import { EVENT_FAST_CNP, EVENT_MARKED, NONE, OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_SENT, OUTCOME_UNKNOWN_KIND,
  OUTCOME_UNKNOWN_QP } from '../../src/abi/codes';
import { COUNTER_EVENTS_IN, COUNTER_OUTCOMES, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME,
  EVENT_VALUE_MAX, FAST_CNP_DEST_QPN, FAST_CNP_EVENT_BYTES, FAST_CNP_ORIGINAL_DESTINATION,
  FAST_CNP_TELEMETRY } from '../../src/abi/layout';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { count, countOutcome } from '../memory/counters';
import { ackEventBytes, BLOCK, endpointCapacity, eventCapacity, events, fastCnpEvents } from '../memory/map';
import { marked } from '../np/notification-point';
import { admitFastCnp, fastCnp, reportFastCnp } from '../rp/notifications';
import { QP_EVENTS, qpEvent, singleEvent } from '../rp/qp-event';
import { lookUp } from '../table/address-table';
import { flowWord, flows, qpOfFlow } from '../table/flow-table';
import { clearOutputs } from '../trace/ring';
import { applyByAlgorithm } from './by-algorithm';
import { fetchStates } from './read-ahead';

/** Applies the first `n` events of the event region. */
export function applyEvents(n: u32): void {
  clearOutputs();
  const end = events + <usize>n * EVENT_BYTES;
  const sorts = KNOWS_OTHERS && ackEventBytes != 0;
  let others: u32 = 0;
  if (!sorts) fetchStates(events, min(events + BLOCK * EVENT_BYTES, end));
  for (let block = events; block < end;) {
    const next = sorts ? applyByAlgorithm(block, end) : block;
    if (next != block) {
      others += <u32>((next - block) / EVENT_BYTES);
      block = next;
      continue;
    }
    const blockEnd = min(block + (sorts ? EVENT_BYTES : BLOCK * EVENT_BYTES), end);
    if (!sorts) fetchStates(blockEnd, min(blockEnd + BLOCK * EVENT_BYTES, end));
    for (; block < blockEnd; block += EVENT_BYTES) {
      const argument = load<u32>(block, EVENT_ARG);
      const kind = argument >> EVENT_KIND_SHIFT;
      const timePs = load<f64>(block, EVENT_TIME);
      const qp = load<u32>(block, EVENT_QP);
      const value = argument & EVENT_VALUE_MAX;
      const outcome = (QP_EVENTS >> kind) & 1 ?
        qpEvent(kind, qp, timePs, value) :
        otherEvent(kind, qp, timePs, value, <u32>((block - events) / EVENT_BYTES));
      if (outcome != OUTCOME_SENT) {
        countOutcome(outcome);
        others++;
      }
    }
  }
  count(COUNTER_EVENTS_IN, n);
  count(COUNTER_OUTCOMES + OUTCOME_SENT, n - others);
}

/** Applies a single event with the fields of the event region, and returns its outcome. `qp`: for a Fast CNP the endpoint. */
export function applySingle(kind: u32, qp: u32, timePs: f64, value: u32): u32 {
  clearOutputs();
  const outcome = kind < 32 && (QP_EVENTS >> kind) & 1 ?
    singleEvent(kind, qp, timePs, value) :
    otherEvent(kind, qp, timePs, value, 0);
  count(COUNTER_EVENTS_IN, 1);
  countOutcome(outcome);
  return outcome;
}

/** Applies an event that does not concern only a QP's sender. `qp`: for a Fast CNP the endpoint. */
function otherEvent(kind: u32, qp: u32, timePs: f64, value: u32, index: u32): u32 {
  if (kind == EVENT_MARKED) return marked(qp, timePs, value & 0xffff);
  return kind == EVENT_FAST_CNP ? fastCnpEvent(qp, timePs, value, index) : OUTCOME_UNKNOWN_KIND;
}

function fastCnpEvent(endpoint: u32, timePs: f64, record: u32, index: u32): u32 {
  if (record >= eventCapacity || endpoint >= endpointCapacity) return OUTCOME_UNKNOWN_QP;
  const at = fastCnpEvents + <usize>record * FAST_CNP_EVENT_BYTES;
  const original = at + FAST_CNP_ORIGINAL_DESTINATION;
  let outcome = admitFastCnp(at);
  let qp: u32 = NONE;
  if (outcome == OUTCOME_FAST_CNP_ACCEPTED) {
    const entry = lookUp(flows, original, flowWord(endpoint, load<u32>(at, FAST_CNP_DEST_QPN)));
    outcome = fastCnp(entry, timePs, load<u32>(at, FAST_CNP_TELEMETRY), 0);
    if (entry) qp = qpOfFlow(entry);
  }
  reportFastCnp(outcome, timePs, qp, isSameAddress(at, original), index);
  return outcome;
}

@inline function isSameAddress(a: usize, b: usize): bool {
  return load<u64>(a) == load<u64>(b) && load<u64>(a, 8) == load<u64>(b, 8);
}
