/**
 * The parameters of HPCC-PINT's sender: HPCC with one number per packet, the encoded utilisation of the busiest hop.
 *
 * The packet's number p represents u = base^p / 512; the switches do the smoothing. Sender: c = u / eta, then HPCC's
 * step (hpcc/parameters.ts).
 *
 * Sources: Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM 2020;
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, its names in brackets. Limits: validate.ts.
 */
import type { RateNumbers, SendGap, SequenceNumbers, WindowMode } from '../shared-types.js';

/** All settings of HPCC-PINT's sender; the preset `hpccPintNs3` fills them in. */
export interface HpccPintParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc-pint';
  /** Arithmetic of rates: doubles, or whole bits per second. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second [MIN_RATE]. */
  readonly minRateBps: number;
  /** Window at the maximum rate, bytes. */
  readonly windowBytes: number;
  /** Whether the window limits the sender, and follows the rate [HAS_WIN, VAR_WIN]. */
  readonly windowMode: WindowMode;
  /** eta, the target utilisation, 0..1 [U_TARGET]. */
  readonly targetUtilization: number;
  /** Consecutive additive steps before a multiplicative one is forced [MI_THRESH]. */
  readonly maxStage: number;
  /** R_AI, bits per second [RATE_AI]. */
  readonly aiRateBps: number;
  /** Whether every ACK changes the rate, or only full updates [FAST_REACT]. */
  readonly fastReact: boolean;
  /** Base of the encoding, above 1 to 2 [PINT_LOG_BASE]. */
  readonly pintBase: number;
  /** Bits of the encoded number: powers go up to 2^bits - 1. */
  readonly pintBits: number;
  /** Probability that an ACK is evaluated, above 0 to 1 [PINT_PROB]. At 1 no random number is drawn. */
  readonly pintProbability: number;
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}
