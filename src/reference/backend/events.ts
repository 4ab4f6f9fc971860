/**
 * The event loop of the `js` backend: applies packet events that the caller has already parsed, in order. The contents
 * of ACK events are records, converted to the input of the models.
 */
import * as layout from '../../abi/ack-layout.js';
import { EVENT_ACK, EVENT_CNP, EVENT_CREDIT, EVENT_FAST_CNP, EVENT_LOSS, EVENT_MARKED, EVENT_NACK, EVENT_SENT,
  EVENT_TOUCH, OUTCOME_UNKNOWN_KIND, OUTCOME_UNKNOWN_QP } from '../../abi/codes.js';
import { COUNTER_EVENTS_IN, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME, EVENT_VALUE_MAX,
  FAST_CNP_DEST_QPN, FAST_CNP_EVENT_BYTES, FAST_CNP_ORIGINAL_DESTINATION, FAST_CNP_SOURCE, FAST_CNP_TELEMETRY,
  REGION_EVENTS, REGION_FAST_CNP_EVENTS, REGION_ACK_EVENTS } from '../../abi/layout.js';
import type { RecordLayout } from '../../abi/state/state-record.js';
import type { Ack, Nack } from '../algorithms/ack.js';
import type { HpccPpTelemetry } from '../algorithms/hpcc-pp/hops.js';
import type { HopSample, RawHop, Telemetry } from '../algorithms/hpcc/hops.js';
import { ackEventBytes, type BackendMemory } from '../backend-memory.js';
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
      return state.loss(qp, timePs, value === layout.LOSS_TIMEOUT ? 'timeout' : 'fast');
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

const ACK_FIELDS = {
  ackSeq: ['u32', layout.ACK_SEQ],
  sndNxt: ['u32', layout.ACK_SND_NXT],
  sentTimePs: ['f64', layout.ACK_SENT_TIME],
  hostDelayPs: ['f64', layout.ACK_HOST_DELAY],
  ackedPackets: ['f64', layout.ACK_ACKED_PACKETS],
  ackedBytes: ['f64', layout.ACK_ACKED_BYTES],
  hopCount: ['u32', layout.ACK_PATH_HOPS],
  pintPower: ['u32', layout.ACK_PINT_POWER],
  ecnEcho: ['u8', layout.ACK_ECN_ECHO],
} as const;
const NACK_FIELDS = {
  sentTimePs: ['f64', layout.ACK_SENT_TIME],
  trimmedBytes: ['f64', layout.NACK_TRIMMED_BYTES],
  lastHop: ['u8', layout.NACK_LAST_HOP],
} as const;
const TELEMETRY_FIELDS = {
  kind: ['u8', layout.ACK_TELEMETRY],
  hopCount: ['u8', layout.ACK_HOP_COUNT],
  partial: ['u8', layout.ACK_PARTIAL],
  pathId: ['u32', layout.ACK_PATH_ID],
} as const;
const EXACT_HOP_FIELDS: RecordLayout<keyof HopSample> = {
  timePs: ['f64', layout.HOP_TIME],
  txBytes: ['f64', layout.HOP_TX_BYTES],
  qlenBytes: ['f64', layout.HOP_QLEN_BYTES],
  lineRateBps: ['f64', layout.HOP_LINE_RATE],
  hopId: ['u32', layout.HOP_ID],
  portId: ['u32', layout.HOP_PORT],
};
const RAW_HOP_FIELDS: RecordLayout<keyof RawHop> = {
  lineRateCode: ['u32', layout.RAW_HOP_LINE_RATE],
  time: ['u32', layout.RAW_HOP_TIME],
  bytes: ['u32', layout.RAW_HOP_BYTES],
  qlen: ['u32', layout.RAW_HOP_QLEN],
};

/** @returns the record; undefined if it does not exist. */
function readAckEvent(memory: BackendMemory, index: number): Omit<Ack, 'timePs'> | undefined {
  const at = addressOf(memory, index);
  if (at === undefined) return undefined;
  const { sentTimePs, pintPower, ecnEcho, ackedBytes, ...fields } = memory.read(at, ACK_FIELDS);
  const telemetry = readTelemetry(memory, at);
  return {
    ...fields,
    ecnEcho: ecnEcho !== 0,
    ...(Number.isNaN(sentTimePs) ? {} : { sentTimePs }),
    ...(Number.isNaN(ackedBytes) ? {} : { ackedBytes }),
    ...(pintPower === layout.ACK_NO_POWER ? {} : { pintPower }),
    ...penaltyOf(pintPower),
    ...(telemetry ? { telemetry } : {}),
  };
}

/** Of the word that both have. */
function penaltyOf(word: number): Pick<Ack, 'windowPenalty' | 'restoreWindow'> {
  if ((word & ~(layout.ACK_PENALTY_MAX | layout.ACK_RESTORES_WINDOW)) !== layout.ACK_PENALTY_GIVEN) return {};
  return {
    windowPenalty: word & layout.ACK_PENALTY_MAX,
    restoreWindow: (word & layout.ACK_RESTORES_WINDOW) !== 0,
  };
}

/** The same of a NACK. */
function readNackEvent(memory: BackendMemory, index: number): Omit<Nack, 'timePs'> | undefined {
  const at = addressOf(memory, index);
  if (at === undefined) return undefined;
  const { sentTimePs, trimmedBytes, lastHop } = memory.read(at, NACK_FIELDS);
  return { trimmedBytes, isLastHop: lastHop !== 0, ...(Number.isNaN(sentTimePs) ? {} : { sentTimePs }) };
}

/** The pull number of a credit record. */
function readCreditEvent(memory: BackendMemory, index: number): number | undefined {
  const at = addressOf(memory, index);
  return at === undefined ? undefined : memory.readF64(at + layout.CREDIT_PULL_NUMBER);
}

function addressOf(memory: BackendMemory, index: number): number | undefined {
  const bytes = ackEventBytes(memory.sizes);
  return bytes === 0 || index >= memory.sizes.events ? undefined : memory.at(REGION_ACK_EVENTS, index, bytes);
}

function readTelemetry(memory: BackendMemory, at: number): Telemetry | undefined {
  const { kind, hopCount, partial, pathId } = memory.read(at, TELEMETRY_FIELDS);
  const hopsOf = <Name extends string>(fields: RecordLayout<Name>): Record<Name, number>[] =>
    Array.from({ length: Math.min(hopCount, memory.sizes.hops) }, (_, index) =>
      memory.read(at + layout.ACK_HOPS + index * layout.ACK_HOP_BYTES, fields));
  if (kind === layout.TELEMETRY_EXACT) {
    return { kind: 'exact', hops: hopsOf(EXACT_HOP_FIELDS), pathId, partial: partial !== 0 };
  }
  return kind === layout.TELEMETRY_INT64 ? { kind: 'int64', hopCount, hops: hopsOf(RAW_HOP_FIELDS) } : undefined;
}
