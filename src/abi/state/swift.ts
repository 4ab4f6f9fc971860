/** Swift's state in a QP's record: assembly/algorithms/swift/transitions.ts. */
import { CONTROLLER_LAST_LENGTH } from '../ack-layout.js';
import { OWN_16, OWN_32, OWN_8, SENDER_FIELDS, type StateRecord, type SenderState } from './state-record.js';

export interface SwiftState extends SenderState {
  /** Congestion window, packets. */
  cwnd: number;
  /** Last round-trip time, picoseconds. */
  rttPs: number;
  /** When the window last fell, picoseconds; -Infinity = never. */
  lastDecreasePs: number;
  /** Retransmission timeouts in a row. */
  timeouts: number;
}

export const SWIFT_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    cwnd: ['f64', OWN_8],
    rttPs: ['f64', OWN_16],
    timeouts: ['u32', OWN_32],
    lastDecreasePs: ['f64', CONTROLLER_LAST_LENGTH],
  },
};
