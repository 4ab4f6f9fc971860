/** HPCC++'s state in a QP's record, its hops and its timers behind it: assembly/algorithms/hpcc-pp. */
import * as layout from '../ack-layout.js';
import { HPCC_FIELDS, LINK_FIELDS, type HpccState, type LinkRecord } from './hpcc.js';
import type { RecordLayout } from '../record.js';
import type { StateRecord } from './state-record.js';

/** The last record of one hop. */
export interface HpccPpHop extends LinkRecord {
  /** When the record arrived, picoseconds. */
  seenPs: number;
  /** TELEMETRY_* that it came in. */
  kind: number;
  hopId: number;
  portId: number;
}

export interface HpccPpState extends Omit<HpccState, 'hops'> {
  /** The first `hopCount` are in use. */
  readonly hops: readonly HpccPpHop[];
  /** From here on a signal without sequence numbers moves the reference again, picoseconds. */
  nextFullPs: number;
  /** Until here a notification holds the reference against ACKs, picoseconds. */
  heldUntilPs: number;
  /** Next step of recovery, picoseconds; Infinity = none is due. */
  nextRecoveryPs: number;
  /** Reference before the last cut, where fast recovery leads: bits per second or bytes. */
  target: number;
  /** Steps of recovery in a row, saturating at 65,535. */
  recoverySteps: number;
}

const HOP_FIELDS: RecordLayout = {
  ...LINK_FIELDS,
  seenPs: ['f64', layout.PLUS_HOP_SEEN],
  kind: ['u32', layout.PLUS_HOP_KIND],
  hopId: ['u32', layout.PLUS_HOP_ID],
  portId: ['u32', layout.PLUS_HOP_PORT],
};
/** Behind the last hop. */
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
