/**
 * A sender's measurements and its window (docs/specs/uet-reference.md, 6), shared by all algorithms.
 *
 *   raw round trip below the base RTT:  base RTT := raw;  max window := 1.5 * trunc(raw / 1e6 * link speed / 8e6)
 *   average delay: d > target and not marked: trunc(w * base * 0.25 + (1 - w) * avg);  else trunc(w * d + (1 - w) * avg)
 *
 * w = 0.0125. If the maximum falls, the window is not reduced before the next check of its bounds.
 */
import { UetFlow } from '../records/uet-flows';
import { linkSpeedBps, targetPs } from './settings';

const WEIGHT: f64 = 0.0125;
const OUTLIER_BASES: f64 = 0.25;
const WINDOW_BDPS: f64 = 1.5;

export function acknowledgeBytes(flow: UetFlow, bytes: f64): void {
  flow.achievedBytes += bytes;
  flow.receivedBytes += bytes;
  flow.ignoredBytes += <u32><i64>bytes;
  flow.inFlightBytes -= bytes;
}

export function updateBaseRtt(flow: UetFlow, rawPs: f64): void {
  if (rawPs >= flow.baseRttPs) return;
  flow.baseRttPs = rawPs;
  flow.maxWindowBytes = trunc(WINDOW_BDPS * trunc(((rawPs / 1e6) * linkSpeedBps) / 8e6));
}

export function updateAverage(flow: UetFlow, delayPs: f64, isMarked: bool): void {
  const rest = (1 - WEIGHT) * flow.averageDelayPs;
  const isOutlier = !isMarked && delayPs > targetPs;
  flow.averageDelayPs = trunc((isOutlier ? WEIGHT * flow.baseRttPs * OUTLIER_BASES : WEIGHT * delayPs) + rest);
}
