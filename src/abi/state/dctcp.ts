/** DCTCP's state in a QP's record; behind it assembly/algorithms/dctcp/transitions.ts. */
import { CONTROLLER_FLAGS, CONTROLLER_REDUCED } from '../ack-layout.js';
import { OWN_16, OWN_20, OWN_32, OWN_8, ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState,
  type RoundTripMark } from './state-record.js';

export interface DctcpState extends RoundTripMark, RateSenderState {
  /** Smoothed part of marked packets, 0..1. */
  alpha: number;
  /** Marked ACKs in the running batch. */
  markedAcks: number;
  /** Packets in the running batch. */
  batchPackets: number;
  /** Has the rate been cut in this round trip? */
  reduced: boolean;
  /** CWR ends with an ACK beyond this. */
  reducedUntilSeq: number;
}

export const DCTCP_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    alpha: ['f64', OWN_8],
    markedAcks: ['u32', OWN_16],
    // The packets of a batch from its second on.
    batchPackets: ['u32', OWN_20, 1],
    reducedUntilSeq: ['u32', OWN_32],
    reduced: ['bit', CONTROLLER_FLAGS, CONTROLLER_REDUCED],
  },
};
