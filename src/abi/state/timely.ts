/** TIMELY's state in a QP's record, as in assembly/algorithms/timely/transitions.ts. */
import { TIMELY_STATE } from '../records/controllers.js';
import { ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState, type RoundTripMark } from './state-record.js';

export interface TimelyState extends RoundTripMark, RateSenderState {
  /** d, smoothed difference of round-trip times, nanoseconds. */
  rttDiffNs: number;
  /** Round-trip time of the last completion event, nanoseconds. */
  lastRttNs: number;
  /** Number of consecutive increases; at most 65535. */
  incStage: number;
}

export const TIMELY_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    rttDiffNs: ['f64', TIMELY_STATE.at.rttDiffNs],
    lastRttNs: ['f64', TIMELY_STATE.at.lastRttNs],
    incStage: ['u16', TIMELY_STATE.at.incStage],
  },
};
