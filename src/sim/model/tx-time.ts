/**
 * How long a packet takes to leave a port, in the reference simulator's whole nanoseconds (`algorithms/rate-numbers.ts`): an exact
 * time rounded up, less 1 ns. One cache per port, since a port meets few lengths.
 */
import { txTimeNs } from '../../reference/algorithms/rate-numbers.js';

const PS_PER_NS = 1000;

/** Serialisation time as the reference rounds it, picoseconds. @param rateBps whole bits per second, above 0. */
export function txTimePs(lenBytes: number, rateBps: number): number {
  return txTimeNs(lenBytes, rateBps) * PS_PER_NS;
}

/** The same for one rate, remembered by length. */
export function txTimesAt(rateBps: number): (lenBytes: number) => number {
  const known = new Map<number, number>();
  return (lenBytes) => {
    const found = known.get(lenBytes);
    if (found !== undefined) return found;
    const timePs = txTimePs(lenBytes, rateBps);
    known.set(lenBytes, timePs);
    return timePs;
  };
}
