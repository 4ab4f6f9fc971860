/** The active time of a run. */
import type { SimResult } from '../result.js';

/** Time from the first flow's start to the end of the run, picoseconds; 0 if no flow started. */
export function activePs({ flows, simulatedPs }: SimResult): number {
  return simulatedPs - flows.reduce((least, { startPs }) => Math.min(least, startPs), simulatedPs);
}

/** A time as a share of the active time. */
export function activeShare(result: SimResult, timePs: number): number {
  const wholePs = activePs(result);
  return wholePs > 0 ? timePs / wholePs : 0;
}
