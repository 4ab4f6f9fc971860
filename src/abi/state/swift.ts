/** Swift's state in a QP's record, as in assembly/algorithms/swift/transitions.ts. */
import { SWIFT_STATE } from '../records/controllers.js';
import { SENDER_FIELDS, type StateRecord, type SenderState } from './state-record.js';

export interface SwiftState extends SenderState {
  /** Congestion window, packets. */
  cwnd: number;
  /** Last round-trip time, picoseconds. */
  rttPs: number;
  /** When the window was last decreased, picoseconds; -Infinity = never. */
  lastDecreasePs: number;
  /** Number of consecutive retransmission timeouts. */
  timeouts: number;
}

export const SWIFT_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    cwnd: ['f64', SWIFT_STATE.at.cwnd],
    rttPs: ['f64', SWIFT_STATE.at.rttPs],
    timeouts: ['u32', SWIFT_STATE.at.timeouts],
    lastDecreasePs: ['f64', SWIFT_STATE.at.lastDecreasePs],
  },
};
