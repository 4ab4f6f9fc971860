/** HPCC-PINT's state in a QP's record, as in assembly/algorithms/hpcc-pint/transitions.ts. */
import { HPCC_STATE } from '../records/controllers.js';
import { ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState, type RoundTripMark } from './state-record.js';

export interface HpccPintState extends RoundTripMark, RateSenderState {
  /** R_c, bits per second. */
  committed: number;
  /** Number of consecutive additive steps. */
  incStage: number;
}

export const HPCC_PINT_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    committed: ['f64', HPCC_STATE.at.committed],
    incStage: ['u16', HPCC_STATE.at.incStage],
  },
};
