/**
 * The fixed point of DCQCN's fluid model: Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016,
 * section 3, with the parameters of the SIGCOMM 2015 paper and packets of 1000 bytes. docs/specs/dcqcn.md, section 6.2, has the equations.
 */

/** Packet size of the model in bits. */
export const PACKET_BITS = 8000;
/** tau, the time between CNPs, and tau' and T, the timers, in seconds. */
export const CNP_SECONDS = 50e-6;
const TIMER_SECONDS = 55e-6;
/** B in packets, and F. */
const BYTE_COUNTER_PACKETS = 10e6 / 1000;
const FAST_RECOVERY_STEPS = 5;
const AI_PACKETS = 40e6 / PACKET_BITS;
/** RED: Kmin, Kmax in bytes, Pmax. */
export const K_MIN_BYTES = 5_000;
export const K_MAX_BYTES = 200_000;
export const P_MAX = 0.01;

/** p(q): 0 up to Kmin, 1 from Kmax. */
export function markingProbability(queueBytes: number): number {
  if (queueBytes <= K_MIN_BYTES) return 0;
  return queueBytes < K_MAX_BYTES ? (P_MAX * (queueBytes - K_MIN_BYTES)) / (K_MAX_BYTES - K_MIN_BYTES) : 1;
}

export interface FixedPoint {
  readonly probability: number;
  /** The queue at which RED marks with this probability; not valid above Kmax. */
  readonly queueBytes: number;
  readonly alpha: number;
}

/** Solves the equation by bisection, as its left side increases with p. @param rateBps C / N. */
export function dcqcnFixedPoint(rateBps: number): FixedPoint {
  const rate = rateBps / PACKET_BITS;
  let [low, high] = [1e-9, 0.5];
  for (let i = 0; i < 200; i++) {
    const p = (low + high) / 2;
    if (balance(p, rate) < CNP_SECONDS ** 2 * AI_PACKETS * rate) low = p;
    else high = p;
  }
  const alpha = 1 - (1 - low) ** (TIMER_SECONDS * rate);
  return { probability: low, queueBytes: K_MIN_BYTES + (low / P_MAX) * (K_MAX_BYTES - K_MIN_BYTES), alpha };
}

/** a^2 alpha / ((b + d)(c + e)) */
function balance(p: number, rate: number): number {
  const kept = 1 - p;
  const timerPackets = TIMER_SECONDS * rate;
  const a = 1 - kept ** (CNP_SECONDS * rate);
  const alpha = 1 - kept ** timerPackets;
  const b = p / (kept ** -BYTE_COUNTER_PACKETS - 1);
  const c = b * kept ** (FAST_RECOVERY_STEPS * BYTE_COUNTER_PACKETS);
  const d = p / (kept ** -timerPackets - 1);
  const e = d * kept ** (FAST_RECOVERY_STEPS * timerPackets);
  return (a ** 2 * alpha) / ((b + d) * (c + e));
}
