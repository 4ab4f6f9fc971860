/** The event loop of the `js` backend: applies packet events that the caller has already parsed, in order. */
import { LOSS_TIMEOUT } from '../../abi/ack-layout.js';
import { EVENT_ACK, EVENT_CNP, EVENT_CREDIT, EVENT_FAST_CNP, EVENT_LOSS, EVENT_MARKED, EVENT_NACK, EVENT_SENT,
  EVENT_TOUCH, OUTCOME_UNKNOWN_KIND, OUTCOME_UNKNOWN_QP } from '../../abi/codes.js';
import { COUNTER_EVENTS_IN, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME, EVENT_VALUE_MAX,
  FAST_CNP_DEST_QPN, FAST_CNP_EVENT_BYTES, FAST_CNP_ORIGINAL_DESTINATION, FAST_CNP_SOURCE, FAST_CNP_TELEMETRY,
  REGION_EVENTS, REGION_FAST_CNP_EVENTS } from '../../abi/layout.js';
import type { HpccPpTelemetry } from '../algorithms/hpcc-pp/hops.js';
import { readAckEvent, readCreditEvent, readNackEvent } from './acks.js';
import type { BackendState } from './state.js';

const P_KEY_MASK = 0xffff;
const QPN_MASK = 0xffffff;

/** A record of the event region. For a Fast CNP, the QP field holds the endpoint. */
interface PacketEvent {
  readonly kind: number;
  readonly qp: number;
  readonly timePs: number;
  readonly value: number;
}

/** Applies the first `n` events of the event region. */
export function applyEvents(state: BackendState, n: number): void {
  for (let index = 0; index < n; index++) state.memory.countOutcome(applyEvent(state, readEvent(state, index), index));
  state.memory.count(COUNTER_EVENTS_IN, n);
}

/** Applies a single event, counted like one of a batch, and returns its outcome. */
export function applySingle(state: BackendState, event: PacketEvent): number {
  const outcome = applyEvent(state, event, 0);
  state.memory.countOutcome(outcome);
  state.memory.count(COUNTER_EVENTS_IN, 1);
  return outcome;
}

function readEvent({ memory }: BackendState, index: number): PacketEvent {
  const at = memory.at(REGION_EVENTS, index, EVENT_BYTES);
  const argument = memory.readU32(at + EVENT_ARG);
  return {
    kind: argument >>> EVENT_KIND_SHIFT,
    qp: memory.readU32(at + EVENT_QP),
    timePs: memory.readF64(at + EVENT_TIME),
    value: argument & EVENT_VALUE_MAX,
  };
}

function applyEvent(state: BackendState, { kind, qp, timePs, value }: PacketEvent, index: number): number {
  switch (kind) {
    case EVENT_SENT:
      return state.sent(qp, timePs, value);
    case EVENT_CNP:
      return state.cnp(qp, timePs);
    case EVENT_FAST_CNP:
      return applyFastCnp(state, qp, timePs, value, index);
    case EVENT_MARKED:
      return state.marks.marked(qp, timePs, value & P_KEY_MASK);
    case EVENT_TOUCH:
      return state.touch(qp, timePs);
    case EVENT_ACK:
      return state.ack(qp, timePs, readAckEvent(state.memory, value));
    case EVENT_LOSS:
      return state.loss(qp, timePs, value === LOSS_TIMEOUT ? 'timeout' : 'fast');
    case EVENT_NACK:
      return state.nack(qp, timePs, readNackEvent(state.memory, value));
    case EVENT_CREDIT:
      return state.credit(qp, timePs, readCreditEvent(state.memory, value));
    default:
      return OUTCOME_UNKNOWN_KIND;
  }
}

function applyFastCnp(state: BackendState, endpoint: number, timePs: number, record: number, index: number): number {
  const { memory } = state;
  if (record >= memory.sizes.events || endpoint >= memory.sizes.endpoints) return OUTCOME_UNKNOWN_QP;
  const at = memory.at(REGION_FAST_CNP_EVENTS, record, FAST_CNP_EVENT_BYTES);
  const packet = {
    timePs,
    endpoint,
    source: memory.address(at + FAST_CNP_SOURCE),
    optionWellFormed: true,
    originalDestination: memory.address(at + FAST_CNP_ORIGINAL_DESTINATION),
    destQpn: memory.readU32(at + FAST_CNP_DEST_QPN) & QPN_MASK,
    readTelemetry: () => telemetryOf(state, memory.readU32(at + FAST_CNP_TELEMETRY)),
  };
  return state.fastCnp(packet, index).outcome;
}

/** The hops that a Fast CNP reports: 1 + the index of an AckEvent record, 0 = none. */
function telemetryOf({ memory }: BackendState, record: number): HpccPpTelemetry | undefined {
  const telemetry = record === 0 ? undefined : readAckEvent(memory, record - 1)?.telemetry;
  return telemetry?.kind === 'exact' ? telemetry : undefined;
}
