/** Estimates the time of a run from its progress, and formats estimates. */
import type { Progress } from '../../sim/result.js';
import { formatBytes, formatCount } from '../format.js';
import type { PreparedEstimate } from './simulator.js';

const FEW_BYTES_SHARE = 0.1;
const MS_PER_S = 1e3;
const S_PER_MIN = 60;
const MIN_PER_H = 60;

/**
 * Time left at the speed so far, in milliseconds, until all bytes are delivered or the latest end of the run, whichever
 * is first. While few bytes are delivered, progress is measured by transmissions instead. Undefined if nothing has
 * happened yet.
 */
export function timeLeftMs(progress: Progress, elapsedMs: number, limits: RunLimits | undefined): number | undefined {
  const share = shareDone(progress, limits);
  return share > 0 ? elapsedMs * (1 / share - 1) : undefined;
}

/** Limits of a run. */
export type RunLimits = Pick<PreparedEstimate, 'packetHops' | 'startPs' | 'endPs'>;

/** Progress of a run, 0 to 1. */
export function shareDone({ bytesDelivered, bytesTotal, packetHops, nowPs }: Progress,
  limits: RunLimits | undefined): number {
  const shares = [bytesTotal > 0 ? bytesDelivered / bytesTotal : 0];
  if (limits !== undefined && limits.endPs > limits.startPs)
    shares.push((nowPs - limits.startPs) / (limits.endPs - limits.startPs));
  if (limits !== undefined && shares[0] < FEW_BYTES_SHARE && packetHops < limits.packetHops / 2)
    shares.push(packetHops / limits.packetHops);
  return Math.min(1, Math.max(...shares));
}

/** Formats wall-clock time: `about 40 s`, `about 12 min`, `about 3.5 h`. */
export function wallTimeWords(timeMs: number): string {
  const seconds = timeMs / MS_PER_S;
  if (seconds < 1) return 'under a second';
  if (seconds < 2 * S_PER_MIN) return `about ${seconds.toFixed(0)} s`;
  const minutes = seconds / S_PER_MIN;
  return minutes < 2 * MIN_PER_H ? `about ${minutes.toFixed(0)} min` : `about ${(minutes / MIN_PER_H).toFixed(1)} h`;
}

/** Formats an estimate: `8,192 flows, about 8,192,000 data packets, 98,304,000 packet hops, 1.1 GB of memory`. */
export function estimateWords({ flows, dataPackets, packetHops, memoryBytes }: PreparedEstimate): string {
  return `${formatCount(flows)} flows, about ${formatCount(dataPackets)} data packets, ${
    formatCount(Math.round(packetHops))
  } packet hops, ${formatBytes(memoryBytes)} of memory`;
}
