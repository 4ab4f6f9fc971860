/** NSCC's state in a QP's record and behind it: assembly/algorithms/nscc/transitions.ts. */
import { CONTROLLER_FAST, CONTROLLER_LOST, NSCC_MORE, NSCC_STATE } from '../records/controllers.js';
import { SENDER_FIELDS, type StateRecord, type SenderState } from './state-record.js';

/** Bytes are payload, as acknowledgements count them. */
export interface NsccState extends SenderState {
  /** Congestion window, whole bytes. */
  windowBytes: number;
  /** The least round trip measured, picoseconds; before the first one the network's. */
  baseRttPs: number;
  /** Smoothed queueing delay, whole picoseconds. */
  averageDelayPs: number;
  /** Largest window. */
  maxWindowBytes: number;
  /** Sent and not acknowledged; less than 0 where ACKs report more than was sent. */
  inFlightBytes: number;
  /** Bytes squared that the next fulfilment divides by the window. */
  increase: number;
  /** Acknowledged since the last fulfilment. */
  receivedBytes: number;
  /** Acknowledged since the running period of quick adapt began. */
  achievedBytes: number;
  /** Bytes that were in flight at the last quick adapt: until they are acknowledged, marks don't count. */
  toIgnoreBytes: number;
  /** Acknowledged or trimmed since. */
  ignoredBytes: number;
  /** End of the running period of quick adapt, picoseconds; 0: none has begun. */
  adaptEndPs: number;
  /** Last multiplicative decrease, picoseconds. */
  lastDecreasePs: number;
  /** Last fulfilment by time, picoseconds. */
  lastFulfilPs: number;
  /** Acknowledged in a row without queueing delay. */
  fastBytes: number;
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
  },
};
