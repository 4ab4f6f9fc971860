/** HPCC-PINT's state in a QP's record: assembly/algorithms/hpcc-pint/transitions.ts. */
import { OWN_8, ROUND_TRIP_FIELDS, STAGE, type StateRecord, type RateSenderState,
  type RoundTripMark } from './state-record.js';

export interface HpccPintState extends RoundTripMark, RateSenderState {
  /** R_c, bits per second. */
  committed: number;
  /** Additive steps in a row. */
  incStage: number;
}

export const HPCC_PINT_RECORD: StateRecord = {
  fields: { ...ROUND_TRIP_FIELDS, committed: ['f64', OWN_8], incStage: STAGE },
};
