/** HPCC++'s state in a QP's record, followed by its hops and timers, as in assembly/algorithms/hpcc-pp. */
import * as layout from '../ack-layout.js';
import { HPCC_FIELDS, LINK_FIELDS, type HpccState, type LinkRecord } from './hpcc.js';
import type { RecordLayout } from '../record.js';
import type { StateRecord } from './state-record.js';

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

const HOP_FIELDS: RecordLayout = {
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
  hops: () => [{ layout: HOP_FIELDS, from: 0, bytes: layout.KEPT_HOP_BYTES }],
  behindHops: {
    nextFullPs: ['f64', TIMERS_AT + layout.PLUS_NEXT_FULL],
    heldUntilPs: ['f64', TIMERS_AT + layout.PLUS_HELD_UNTIL],
    nextRecoveryPs: ['f64', TIMERS_AT + layout.PLUS_NEXT_RECOVERY],
    target: ['f64', TIMERS_AT + layout.PLUS_TARGET],
    recoverySteps: ['u32', TIMERS_AT + layout.PLUS_RECOVERY_STEPS],
  },
};
