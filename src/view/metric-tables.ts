/** The metrics of each table, in order. A new metric is declared in src/sim/metrics.ts and listed here. */
import type { MetricKey } from '../sim/metrics.js';

/** A line of the table of `run` that is not a metric: the port with the longest queue. */
export const AT_PORT = 'at port';

/** Metrics of `roce-cc run` and its report. */
export const RUN_METRICS: readonly (MetricKey | typeof AT_PORT)[] = [
  'flowsDone',
  'completionPs.mean',
  'completionPs.p99',
  'slowdown.p50',
  'slowdown.p99',
  'maxQueueBytes',
  'meanQueueBytes',
  AT_PORT,
  'pauses',
  'pausedPs',
  'marks',
  'cnps',
  'ecnEchoes',
  'fastCnps',
  'meanNotificationDelayPs',
  'fairAfterPs',
  'meanFairness',
  'pathFairness',
  'goodputBps',
  'drops',
  'retransmittedPackets',
  'timeouts',
  'simulatedPs',
  'packetHops',
];
/** Metrics that are shown only if they are not 0 in some run. */
export const RARE_METRICS: ReadonlySet<string> = new Set<MetricKey>([
  'pausedPs',
  'ecnEchoes',
  'pathFairness',
  'drops',
  'retransmittedPackets',
  'timeouts',
]);
/** Metrics of the short table of `run`, whose output fits one screen. */
export const SHORT_RUN_METRICS: readonly MetricKey[] = [
  'completionPs.mean',
  'maxQueueBytes',
  'pauses',
  'cnps',
  'ecnEchoes',
  'fastCnps',
  'meanNotificationDelayPs',
  'goodputBps',
];

/** Metrics of the lab's comparison. */
export const LAB_METRICS: readonly MetricKey[] = [
  'goodputBps',
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
];
/** Metrics above the lab's charts. */
export const LAB_KEY_METRICS: readonly MetricKey[] = [
  'goodputBps',
  'completionPs.p99',
  'maxQueueBytes',
  'meanQueueBytes',
  'pauses',
  'cnps',
];
/** Metrics after these, shown only if a run has any. */
export const LAB_KEY_METRICS_IF_ANY: readonly MetricKey[] = ['fastCnps', 'flowsUnfinished'];
/** Metrics above the lab's sliders on narrow screens. */
export const LAB_NARROW_METRICS: readonly MetricKey[] = ['goodputBps', 'completionPs.p99', 'maxQueueBytes'];

/** Metrics below the charts of the site's start page. */
export const SITE_METRICS: readonly MetricKey[] = ['completionPs.mean', 'maxQueueBytes', 'marks', 'cnps', 'pauses'];
