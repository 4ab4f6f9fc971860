/** NSCC's state in a QP's record and after it, as in assembly/algorithms/nscc/transitions.ts. */
import { CONTROLLER_FAST, CONTROLLER_LOST, NSCC_MORE, NSCC_STATE } from '../records/controllers.js';
import { SENDER_FIELDS, type StateRecord, type SenderState } from './state-record.js';

/** Bytes are payload, as acknowledgements count them. */
export interface NsccState extends SenderState {
  /** Congestion window, whole bytes. */
  windowBytes: number;
  /** Minimum measured round-trip time, picoseconds; before the first one, the network's. */
  baseRttPs: number;
  /** Smoothed queueing delay, whole picoseconds. */
  averageDelayPs: number;
  /** Maximum window. */
  maxWindowBytes: number;
  /** Bytes sent and not acknowledged; negative if ACKs report more than was sent. */
  inFlightBytes: number;
  /** Increase collected for the next fulfilment, which divides it by the window: bytes squared. */
  increase: number;
  /** Bytes acknowledged since the last fulfilment. */
  receivedBytes: number;
  /** Bytes acknowledged since the current quick-adapt period began. */
  achievedBytes: number;
  /** Bytes in flight at the last quick adapt: marks are ignored until these bytes are acknowledged. */
  toIgnoreBytes: number;
  /** Bytes acknowledged or trimmed since the last quick adapt. */
  ignoredBytes: number;
  /** End of the current quick-adapt period, picoseconds; 0: none has begun. */
  adaptEndPs: number;
  /** Time of the last multiplicative decrease, picoseconds. */
  lastDecreasePs: number;
  /** Time of the last timed fulfilment, picoseconds. */
  lastFulfilPs: number;
  /** Bytes acknowledged consecutively without queueing delay. */
  fastBytes: number;
  /** Window before the receiver's penalty; 0: none. */
  savedWindowBytes: number;
  /** Whether fast increase is active. */
  isFast: boolean;
  /** Whether a packet was lost since the last quick adapt. */
  hasLost: boolean;
}

export const NSCC_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    baseRttPs: ['f64', NSCC_STATE.at.baseRttPs],
    averageDelayPs: ['f64', NSCC_STATE.at.averageDelayPs],
    isFast: ['bit', NSCC_STATE.at.flags, CONTROLLER_FAST],
    hasLost: ['bit', NSCC_STATE.at.flags, CONTROLLER_LOST],
  },
  behindHops: {
    maxWindowBytes: ['f64', NSCC_MORE.at.maxWindowBytes],
    inFlightBytes: ['f64', NSCC_MORE.at.inFlightBytes],
    increase: ['f64', NSCC_MORE.at.increase],
    receivedBytes: ['f64', NSCC_MORE.at.receivedBytes],
    achievedBytes: ['f64', NSCC_MORE.at.achievedBytes],
    toIgnoreBytes: ['f64', NSCC_MORE.at.toIgnoreBytes],
    ignoredBytes: ['f64', NSCC_MORE.at.ignoredBytes],
    adaptEndPs: ['f64', NSCC_MORE.at.adaptEndPs],
    lastDecreasePs: ['f64', NSCC_MORE.at.lastDecreasePs],
    lastFulfilPs: ['f64', NSCC_MORE.at.lastFulfilPs],
    fastBytes: ['f64', NSCC_MORE.at.fastBytes],
    savedWindowBytes: ['f64', NSCC_MORE.at.savedWindowBytes],
  },
};
