/**
 * States of HPCC, HPCC-PINT and HPCC++ in a QP's record and the memory of its hops, as in assembly/algorithms/hpcc*.
 */
import * as layout from '../ack-layout.js';
import { type RecordLayout, ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState,
  type RoundTripMark } from './state-record.js';
import { HPCC_STATE } from '../records/controllers.js';

/** The last record of one hop: `time` in ps or raw ns, `txBytes` in bytes or raw units, `qlen` likewise. */
export interface LinkRecord {
  time: number;
  txBytes: number;
  qlen: number;
}

/** State of a hop: its last record, and under `multiRate` its own utilisation, reference and stage. */
export interface HpccHopState extends LinkRecord {
  /** Identity of the hop; 0 if unknown. */
  hopId: number;
  /** u of this hop, smoothed (`multiRate`). */
  utilization: number;
  /** R_c or W_c of this hop, bits per second or bytes (`multiRate`). */
  committed: number;
  /** Number of consecutive additive steps of this hop (`multiRate`). */
  incStage: number;
}

export interface HpccState extends RoundTripMark, RateSenderState {
  /** The window in use, bytes; 0 = none. */
  windowBytes: number;
  /** R_c (bits per second) or W_c (bytes), depending on `primary`. */
  committed: number;
  /** u, the smoothed utilisation of the busiest hop. */
  utilization: number;
  /** Number of consecutive additive steps. */
  incStage: number;
  /** Number of hops of the path from which the hops were last restarted. */
  hopCount: number;
  /** Identity of the path from which the hops were last restarted; 0 if unknown. */
  pathId: number;
  /** As many as records of this kind can hold, whether in use or not. */
  readonly hops: readonly HpccHopState[];
}

export const HPCC_FIELDS: RecordLayout = {
  ...ROUND_TRIP_FIELDS,
  committed: ['f64', HPCC_STATE.at.committed],
  utilization: ['f64', HPCC_STATE.at.utilization],
  pathId: ['u32', HPCC_STATE.at.pathId],
  incStage: ['u16', HPCC_STATE.at.incStage],
  hopCount: ['u8', HPCC_STATE.at.hopCount],
};
/** Layout of the last record of a hop. */
export const LINK_FIELDS: RecordLayout = { time: ['f64', 0], txBytes: ['f64', 8], qlen: ['f64', 16] };
const HOP_FIELDS: RecordLayout = { ...LINK_FIELDS, hopId: ['u32', 24], incStage: ['u32', 28] };
/** Layout of a hop's state, stored after the records of all hops. */
const HOP_STEP_FIELDS: RecordLayout = { utilization: ['f64', 0], committed: ['f64', 8] };

export const HPCC_RECORD: StateRecord = {
  fields: HPCC_FIELDS,
  hops: (room) => [
    { layout: HOP_FIELDS, from: 0, bytes: layout.HOP_RECORD_BYTES },
    { layout: HOP_STEP_FIELDS, from: room * layout.HOP_RECORD_BYTES, bytes: layout.HOP_STEP_BYTES },
  ],
};

export interface HpccPintState extends RoundTripMark, RateSenderState {
  /** R_c, bits per second. */
  committed: number;
  /** Number of consecutive additive steps. */
  incStage: number;
}

export const HPCC_PINT_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    committed: ['f64', HPCC_STATE.at.committed],
    incStage: ['u16', HPCC_STATE.at.incStage],
  },
};

/** The last record of one hop. */
export interface HpccPpHop extends LinkRecord {
  /** When the record arrived, picoseconds. */
  seenPs: number;
  /** TELEMETRY_* kind of the record. */
  kind: number;
  hopId: number;
  portId: number;
}

export interface HpccPpState extends Omit<HpccState, 'hops'> {
  /** Only the first `hopCount` are in use. */
  readonly hops: readonly HpccPpHop[];
  /** Time from which a signal without sequence numbers updates the reference again, picoseconds. */
  nextFullPs: number;
  /** Time until which a notification keeps ACKs from changing the reference, picoseconds. */
  heldUntilPs: number;
  /** Next step of recovery, picoseconds; Infinity = none. */
  nextRecoveryPs: number;
  /** Target of fast recovery: the reference before the last cut, bits per second or bytes. */
  target: number;
  /** Number of consecutive recovery steps, saturating at 65,535. */
  recoverySteps: number;
}

const PLUS_HOP_FIELDS: RecordLayout = {
  ...LINK_FIELDS,
  seenPs: ['f64', layout.PLUS_HOP_SEEN],
  kind: ['u32', layout.PLUS_HOP_KIND],
  hopId: ['u32', layout.PLUS_HOP_ID],
  portId: ['u32', layout.PLUS_HOP_PORT],
};
/** Offset after the last hop. */
const TIMERS_AT = layout.PLUS_HOPS * layout.KEPT_HOP_BYTES;

export const HPCC_PP_RECORD: StateRecord = {
  fields: HPCC_FIELDS,
  hops: () => [{ layout: PLUS_HOP_FIELDS, from: 0, bytes: layout.KEPT_HOP_BYTES }],
  behindHops: {
    nextFullPs: ['f64', TIMERS_AT + layout.PLUS_NEXT_FULL],
    heldUntilPs: ['f64', TIMERS_AT + layout.PLUS_HELD_UNTIL],
    nextRecoveryPs: ['f64', TIMERS_AT + layout.PLUS_NEXT_RECOVERY],
    target: ['f64', TIMERS_AT + layout.PLUS_TARGET],
    recoverySteps: ['u32', TIMERS_AT + layout.PLUS_RECOVERY_STEPS],
  },
};
