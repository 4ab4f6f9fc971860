/**
 * The parameters of DCTCP in its rate form, as implemented in the ns-3 simulator of HPCC's authors.
 *
 * Per round trip: alpha = (1 - g) alpha + g F, F the part of acknowledged packets that were marked; a cut of alpha / 2 at
 * the first mark, then none until that round trip is over; else one additive step.
 *
 * Sources: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1 (which controls a window);
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a (a rate). Limits: validate.ts.
 */
import type { RateNumbers, SendGap, SequenceNumbers } from '../shared-types.js';

/** All settings of DCTCP's sender; the preset `dctcpNs3` fills them in. */
export interface DctcpParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'dctcp';
  /** Arithmetic of rates: doubles, or whole bits per second. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second. */
  readonly minRateBps: number;
  /** g, the gain of alpha, 0..1. */
  readonly alphaGain: number;
  /** Additive step per round trip, bits per second. */
  readonly aiRateBps: number;
  /** Sequence numbers per full packet: its payload bytes if they count bytes, 1 if they are PSNs. */
  readonly sequencePerPacket: number;
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}
