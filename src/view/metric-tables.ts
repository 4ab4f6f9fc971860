/** The metrics that each table shows, in its order: a new metric is declared in src/sim/metrics.ts and listed here. */
import type { MetricKey } from '../sim/metrics.js';

/** The line of run's table that is no metric: where the longest queue was. */
export const AT_PORT = 'at port';

/** Of `roce-cc run` and its report. */
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
/** Of these, shown only if a run has more than 0 of it. */
export const RARE_METRICS: ReadonlySet<string> = new Set<MetricKey>([
  'pausedPs',
  'ecnEchoes',
  'pathFairness',
  'drops',
  'retransmittedPackets',
  'timeouts',
]);
/** Of run's table that fits one screen with all else. */
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

/** Of the lab's comparison. */
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
/** Above the lab's charts. */
export const LAB_KEY_METRICS: readonly MetricKey[] = [
  'goodputBps',
  'completionPs.p99',
  'maxQueueBytes',
  'meanQueueBytes',
  'pauses',
  'cnps',
];
/** Behind these, where a run has any. */
export const LAB_KEY_METRICS_IF_ANY: readonly MetricKey[] = ['fastCnps', 'flowsUnfinished'];
/** Above the lab's sliders on narrow screens. */
export const LAB_NARROW_METRICS: readonly MetricKey[] = ['goodputBps', 'completionPs.p99', 'maxQueueBytes'];

/** Beneath the charts of the site's start page. */
export const SITE_METRICS: readonly MetricKey[] = ['completionPs.mean', 'maxQueueBytes', 'marks', 'cnps', 'pauses'];
