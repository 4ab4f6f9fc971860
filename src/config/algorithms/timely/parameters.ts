/**
 * The parameters of TIMELY's sender, as switches of one algorithm.
 *
 * Per completion event with a measured rtt:  d = (1 - a) d + a (rtt - last rtt);  gradient = d / minRtt
 *   rtt < T_low     increase
 *   rtt > T_high    R = R (1 - b (1 - T_high / rtt))
 *   gradient <= 0   increase
 *   else            R = R (1 - b gradient), at least 0
 *
 * Sources: Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015, algorithm 1; the
 * ns-3 simulator alibaba-edu/High-Precision-Congestion-Control at 9f4be2a. Limits: validate.ts.
 */
import type { RateNumbers, SendGap, SequenceNumbers } from '../shared-types.js';

/** All settings of TIMELY's sender; its presets fill them in. */
export interface TimelyParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'timely';
  /** Arithmetic of rates: doubles, or whole bits per second. */
  readonly numbers: RateNumbers;
  /** Cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second. */
  readonly minRateBps: number;
  /** a, weight of a new difference of round-trip times, above 0 to 1. */
  readonly ewmaAlpha: number;
  /** b, depth of a decrease, above 0 to 1. */
  readonly decreaseBeta: number;
  /** T_low, picoseconds: below it the rate always rises. */
  readonly lowRttPs: number;
  /** T_high, picoseconds: above it the rate always falls. */
  readonly highRttPs: number;
  /** Round-trip time without queues, picoseconds; the unit of the gradient. */
  readonly minRttPs: number;
  /** delta, additive step, bits per second. */
  readonly aiRateBps: number;
  /** Step after `hyperAfterSteps` consecutive increases, bits per second (N delta in the paper). */
  readonly haiRateBps: number;
  /** Consecutive additive increases before hyper increase begins. */
  readonly hyperAfterSteps: number;
  /**
   * Increases below T_low. `staged`: like all others (the simulator). `additive`: always the additive step, not
   * counted towards hyper increase (the paper, where only the gradient branch has hyper increase).
   */
  readonly lowRttIncrease: 'staged' | 'additive';
  /** What a completion event is: the first ACK of a round trip (the simulator), or every ACK (one per segment in the paper). */
  readonly updateOn: 'round-trip' | 'ack';
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}
