/**
 * The clock of live ports and roles: nanoseconds from one origin that all ports of a run share, so that times of frames
 * of different ports compare. Only the roles read it: algorithms receive times with frames, and never query them.
 */
import { NS_PER_MS } from '../../unit-sizes.js';

/** Nanoseconds since an origin; never decreases. */
export interface LiveClock {
  /** Of the origin, since the Unix epoch. */
  readonly originNs: bigint;
  /** Since the origin. */
  nowNs(): number;
}

/** End of a role's time range, picoseconds: 2.5 h. */
export const LAST_PS = 2 ** 53 - 1e12;

/** A clock whose origin is now; changes of the system time do not affect it. */
export function startLiveClock(): LiveClock {
  const originNs = BigInt(Date.now()) * BigInt(NS_PER_MS);
  const beganMs = performance.now();
  return { originNs, nowNs: () => Math.round((performance.now() - beganMs) * NS_PER_MS) };
}
