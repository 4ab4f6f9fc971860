/** DCTCP's state in a QP's record, as in assembly/algorithms/dctcp/transitions.ts. */
import { CONTROLLER_REDUCED, DCTCP_STATE } from '../records/controllers.js';
import { ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState, type RoundTripMark } from './state-record.js';

export interface DctcpState extends RoundTripMark, RateSenderState {
  /** Smoothed fraction of marked packets, 0..1. */
  alpha: number;
  /** Marked ACKs in the current batch. */
  markedAcks: number;
  /** Packets in the current batch. */
  batchPackets: number;
  /** Whether the rate was cut in this round trip. */
  reduced: boolean;
  /** CWR ends with an ACK beyond this sequence number. */
  reducedUntilSeq: number;
}

export const DCTCP_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    alpha: ['f64', DCTCP_STATE.at.alpha],
    markedAcks: ['u32', DCTCP_STATE.at.markedAcks],
    // The record does not count the first packet of a batch.
    batchPackets: ['u32', DCTCP_STATE.at.furtherPackets, 1],
    reducedUntilSeq: ['u32', DCTCP_STATE.at.reducedUntilSeq],
    reduced: ['bit', DCTCP_STATE.at.flags, CONTROLLER_REDUCED],
  },
};
