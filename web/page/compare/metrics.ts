/** Metrics that the lab compares, and their texts. */
import type { Metric, MetricKey } from '../../../src/sim/metrics.js';
import { pageText } from '../../../src/view/escape.js';
import { formatByUnit } from '../../../src/view/format.js';

/** Rows of the table, in order. */
export const COMPARED: readonly MetricKey[] = [
  'completionPs.p50',
  'completionPs.p99',
  'slowdown.p99',
  'flowsUnfinished',
  'maxQueueBytes',
  'meanQueueBytes',
  'pausedPs',
  'pauses',
  'cnps',
  'fastCnps',
  'marks',
  'drops',
  'retransmittedPackets',
  'meanFairness',
  'pathFairness',
  'goodputBps',
];
/** The metrics above the charts. */
export const KEY_METRICS: readonly MetricKey[] = [
  'completionPs.p99',
  'maxQueueBytes',
  'pauses',
  'cnps',
  'fastCnps',
  'flowsUnfinished',
];
export const NONE = '–';

/** A value with its unit. */
export function textOf(value: number | null, { unit }: Metric): string {
  return value === null ? NONE : pageText(formatByUnit(value, unit));
}

/** Description of a metric, and its name in sweeps. */
export function hintOf({ key, meaning }: Metric): string {
  return `${meaning} In sweeps: ${key}`;
}
