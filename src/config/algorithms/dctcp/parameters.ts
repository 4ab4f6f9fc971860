/**
 * The parameters of DCTCP in the rate form that the ns-3 simulator of HPCC's authors compares with.
 *
 * Per round trip: alpha = (1 - g) alpha + g F, F the part of acknowledged packets that were marked; a cut of alpha / 2 at
 * the first mark, then none until that round trip is over; else one additive step.
 *
 * Sources: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1 (which controls a window);
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a (a rate). Limits: validate.ts.
 */
import type { RateNumbers, SendGap, SequenceNumbers } from '../shared-types.js';

/** Everything that DCTCP's sender can be set to; the preset `dctcpNs3` fills it in. */
export interface DctcpParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'dctcp';
  /** Arithmetic of rates. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second. */
  readonly minRateBps: number;
  /** g, the gain of alpha, 0..1. */
  readonly alphaGain: number;
  /** Additive step per round trip, bits per second. */
  readonly aiRateBps: number;
  /** Sequence numbers per full packet: its payload bytes where they count bytes, 1 where they are PSNs. */
  readonly sequencePerPacket: number;
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}
