/** TIMELY's state in a QP's record: assembly/algorithms/timely/transitions.ts. */
import { OWN_16, OWN_8, ROUND_TRIP_FIELDS, STAGE, type StateRecord } from '../record.js';

export const TIMELY_RECORD: StateRecord = {
  fields: { ...ROUND_TRIP_FIELDS, rttDiffNs: ['f64', OWN_8], lastRttNs: ['f64', OWN_16], incStage: STAGE },
};
