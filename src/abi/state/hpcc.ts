/** HPCC's state in a QP's record, followed by its hops, as in assembly/algorithms/hpcc/transitions.ts. */
import { HOP_RECORD_BYTES, HOP_STEP_BYTES } from '../ack-layout.js';
import { HPCC_STATE } from '../records/controllers.js';
import type { RecordLayout } from '../record.js';
import { ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState, type RoundTripMark } from './state-record.js';

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
    { layout: HOP_FIELDS, from: 0, bytes: HOP_RECORD_BYTES },
    { layout: HOP_STEP_FIELDS, from: room * HOP_RECORD_BYTES, bytes: HOP_STEP_BYTES },
  ],
};
