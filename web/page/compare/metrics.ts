/** Formats the metrics that the lab compares. */
import type { Metric, MetricKey } from '../../../src/sim/metrics.js';
import type { RunData } from '../run-data.js';
import { formatByUnit, percentText } from '../../../src/view/format.js';

export const NONE = '–';
/** Fairness is meaningless if flows deliver data in less than this share of the samples. */
const MOVING_LEAST = 0.5;

/** Metrics of a run, as shown on the page. */
export interface ShownMetrics {
  readonly metrics: Readonly<Record<MetricKey, number | null>>;
  /** Share of the samples in which no flow delivered anything, if that is most of them; otherwise 0. */
  readonly stalledShare: number;
}

/** Metrics of a finished run, without fairness of rates that no flow uses; undefined until the run ends. */
export function shownMetrics(data: Pick<RunData, 'outcome' | 'movingShare'> | undefined): ShownMetrics | undefined {
  const metrics = data?.outcome?.metrics;
  if (data === undefined || metrics === undefined) return undefined;
  const { movingShare } = data;
  if (movingShare >= MOVING_LEAST) return { metrics, stalledShare: 0 };
  return { metrics: { ...metrics, meanFairness: null }, stalledShare: 1 - movingShare };
}

/** A value with its unit. */
export function textOf(value: number | null, { unit }: Metric): string {
  return value === null ? NONE : formatByUnit(value, unit);
}

/** Description of a metric, and its name in sweeps. */
export function hintOf({ key, meaning }: Metric): string {
  return `${meaning} In sweeps: ${key}`;
}

/** Smaller differences than this share could also result from another seed. */
const SAME_SHARE = 0.01;

export interface ShownDifference {
  readonly text: string;
  /** Empty if neither better nor worse. */
  readonly tone: 'good' | 'bad' | '';
}

/** Formats the difference between A and B. */
export function differenceOf(a: number, b: number, metric: Metric): ShownDifference {
  if (a === b) return { text: 'same', tone: '' };
  const change = Math.abs(b - a);
  if (change < SAME_SHARE * Math.abs(a)) return { text: '~ same', tone: '' };
  const shown = a === 0 ? textOf(change, metric) : percentText(change / Math.abs(a));
  const { better } = metric;
  const tone = better === undefined ? '' : (better === 'less') === (b < a) ? 'good' : 'bad';
  return { text: `${b > a ? '+' : '−'}${shown}`, tone };
}
