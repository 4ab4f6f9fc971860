/**
 * The clock of live ports and roles: nanoseconds from an origin shared by all ports of a run, so that frame times of
 * different ports are comparable. Only roles read it; algorithms receive times with frames and never query it.
 */
import { NS_PER_MS } from '../unit-sizes.js';

/** A monotonic clock, in nanoseconds since an origin. */
export interface LiveClock {
  /** Time of the origin, nanoseconds since the Unix epoch. */
  readonly originNs: bigint;
  /** Nanoseconds since the origin. */
  nowNs(): number;
}

/** End of a role's time range, picoseconds; about 2.5 h. */
export const LAST_PS = 2 ** 53 - 1e12;

/** Starts a clock at zero; changes of the system time do not affect it. */
export function startLiveClock(): LiveClock {
  const originNs = BigInt(Date.now()) * BigInt(NS_PER_MS);
  const beganMs = performance.now();
  return { originNs, nowNs: () => Math.round((performance.now() - beganMs) * NS_PER_MS) };
}
