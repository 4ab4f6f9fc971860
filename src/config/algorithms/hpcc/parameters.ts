import type { RateNumbers, SendGap, SequenceNumbers, WindowMode } from '../shared-types.js';

/**
 * The parameters of HPCC's sender, every published variant as a switch of one algorithm.
 *
 * Per hop, from its last two records:          u' = txRate / B + min(qlen, previous qlen) L / (B W0)
 * Busiest hop, smoothed:                        u = (u (T - tau) + u' tau) / T,   tau at most T
 * Then, with Q the rate (or the window) and Qc its reference, and c = u / eta:
 *   c >= 1 or incStage >= maxStage   Q = Qc / c + Q_AI     on a full update: Qc = Q, incStage = 0
 *   else                             Q = Qc + Q_AI         on a full update: Qc = Q, incStage + 1
 *   Q stays within its limits; a full update comes once per round trip, others change only Q (fastReact).
 *
 * Sources: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1; the authors' ns-3 simulator
 * alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, its names in brackets. Limits of each field:
 * validate.ts.
 */
export interface HpccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'hpcc';
  /** `float64`: IEEE doubles. `whole-bps`: rates truncated to whole bits per second (the ns-3 reference simulator). */
  readonly numbers: RateNumbers;
  /** The quantity that the algorithm controls: the paper's window (rate = W / T), or the simulator's rate. */
  readonly primary: 'window' | 'rate';

  /** L, the rate of the sender's port and the cap of the rate, bits per second. */
  readonly maxRateBps: number;
  /** Floor of the rate, bits per second [MIN_RATE]. Under `primary: 'window'` the window's floor is this times T. */
  readonly minRateBps: number;
  /** T, the base round trip that all flows share, picoseconds. */
  readonly baseRttPs: number;
  /** W0, the window at line rate, bytes: L T / 8 in the paper. Also scales the queue term. */
  readonly windowBytes: number;
  /** Whether the window limits the sender, and follows the rate [HAS_WIN, VAR_WIN]. */
  readonly windowMode: WindowMode;

  /** eta, the target utilisation, 0..1 [U_TARGET]. */
  readonly targetUtilization: number;
  /** Consecutive additive steps before a multiplicative one is forced; 0 = each update is multiplicative [MI_THRESH]. */
  readonly maxStage: number;
  /** R_AI, bits per second [RATE_AI]. 0 under `primary: 'window'`. */
  readonly aiRateBps: number;
  /** W_AI, bytes. 0 under `primary: 'rate'`. */
  readonly aiWindowBytes: number;

  /** Whether every ACK changes the rate, or only full updates [FAST_REACT]. */
  readonly fastReact: boolean;
  /** Keep a reference and a stage for each hop and use the smallest result, instead of one for the busiest hop [MULTI_RATE]. */
  readonly multiRate: boolean;
  /** Except in full updates, skip hops that report an empty queue [SAMPLE_FEEDBACK]. */
  readonly sampleFeedback: boolean;

  /** `adaptive`: weight tau / T. `constant`: weight ewmaBeta (a variant of other simulators of HPCC++). */
  readonly ewma: 'adaptive' | 'constant';
  /** Weight of a new sample under `constant`, above 0 to 1; 0 under `adaptive`. */
  readonly ewmaBeta: number;

  /** `exact`: hop records in full precision, up to 16. `int64`: the simulator's wrapping 64-bit records, up to 5. */
  readonly records: 'exact' | 'int64';
  /** m, the multiplier of the units of `int64` records [INT_MULTI]. 1 under `exact`. */
  readonly intMultiplier: number;
  /** If hop count, path or hop identity change: start again from the ACK's records, or don't check (the simulator). */
  readonly pathChange: 'reset' | 'ignore';
  /**
   * Two records of a hop with the same timestamp. The sources don't cover this case (the simulator divides by 0).
   * `skip-hop`: this update ignores the hop and keeps its older record, so that the next interval covers
   * both. `one-nanosecond`: the interval counts as 1 ns.
   */
  readonly repeatedTimestamp: 'skip-hop' | 'one-nanosecond';
  /** Unit of acknowledged sequence numbers. */
  readonly sequence: SequenceNumbers;
  /** Arithmetic of the gap between packets. */
  readonly sendGap: SendGap;
}
