/**
 * The metrics of a run, each declared once: key, title, unit, definition, and how it is read from a result. Whatever shows
 * metrics (the table of `roce-cc run`, sweeps, tuning, the lab, the site, docs/guides/sweeps.md) lists these keys or shows all.
 */
import { checkRecord } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import type { FlowResult, Percentiles, SimResult } from './result.js';
import { isRunning } from './results/summary.js';

/** Unit of a metric: times in ps, sizes in B, rates in bps, ratios as plain numbers; all others are counts. */
export type MetricUnit = 'ps' | 'B' | 'bps' | 'ratio' | 'flows' | 'packets' | 'frames' | 'timeouts' | 'events';

/** One number that describes a run. */
export interface Metric {
  /** Its name in sweeps, tunings and CSV files. */
  readonly key: MetricKey;
  /** Its name in tables and charts. */
  readonly title: string;
  /** Unit of its values. */
  readonly unit: MetricUnit;
  /** Its definition in one sentence. */
  readonly meaning: string;
  /** Whether a lower or higher value is better. Absent: neither. */
  readonly better?: 'less' | 'more';
  /** Reads its value from a result; null: the run has none. */
  readonly read: (result: SimResult) => number | null;
}

type Declaration = Omit<Metric, 'key'>;

/** The statistics of a distribution, with their definitions. */
const STATISTICS = {
  min: 'minimum',
  p50: 'median',
  p95: '95th percentile, nearest rank',
  p99: '99th percentile, nearest rank',
  max: 'maximum',
  mean: 'mean',
} as const satisfies Record<keyof Percentiles, string>;

/** Distributions over the completed flows. Each has all statistics. */
const DISTRIBUTIONS = {
  slowdown: {
    title: 'slowdown',
    unit: 'ratio',
    meaning: 'Completion time over that of the flow alone in the network',
  },
  completionPs: { title: 'completion time', unit: 'ps', meaning: 'From the start of a flow until its last ACK' },
} as const;

const NUMBERS = {
  flowsDone: {
    title: 'flows done',
    unit: 'flows',
    meaning: 'Flows whose last byte was acknowledged.',
    better: 'more',
    read: ({ summary }) => summary.flowsDone,
  },
  flowsUnfinished: {
    title: 'flows unfinished',
    unit: 'flows',
    meaning: 'Flows that were not done when the run ended.',
    better: 'less',
    read: ({ summary }) => summary.flowsUnfinished,
  },
  maxQueueBytes: {
    title: 'queue, max',
    unit: 'B',
    meaning: 'Most bytes waiting at one port at once.',
    better: 'less',
    read: ({ summary }) => summary.maxQueueBytes,
  },
  meanQueueBytes: {
    title: 'queue, mean',
    unit: 'B',
    meaning: 'Time-weighted mean at the port with the longest queue, from the first start to the end.',
    better: 'less',
    read: ({ summary }) => summary.meanQueueBytes ?? null,
  },
  pausedPs: {
    title: 'paused time',
    unit: 'ps',
    meaning: 'Time that ports were paused, summed over ports and classes.',
    better: 'less',
    read: ({ summary }) => summary.pausedPs,
  },
  fairFromPs: {
    title: 'converged from',
    unit: 'ps',
    meaning:
      'First time from which all allowed rates stay within 10 % of their mean for 20 samples, not before the last start.',
    better: 'less',
    read: ({ summary }) => summary.fairFromPs,
  },
  meanFairness: {
    title: 'fairness of rates, mean',
    unit: 'ratio',
    meaning: "Jain's index of the allowed rates of the running flows, mean over the samples; 1: all are equal.",
    better: 'more',
    read: (result) => (isFairnessDefined(result) ? result.summary.meanFairness : null),
  },
  goodputBps: {
    title: 'goodput',
    unit: 'bps',
    meaning: 'Payload received, from the first start to the end.',
    better: 'more',
    read: ({ summary }) => summary.goodputBps,
  },
  pauses: {
    title: 'pause frames',
    unit: 'frames',
    meaning: 'PFC frames sent that begin or renew a pause.',
    better: 'less',
    read: ({ totals }) => totals.pauses,
  },
  drops: {
    title: 'dropped packets',
    unit: 'packets',
    meaning: 'Packets dropped, for whatever reason.',
    better: 'less',
    read: ({ totals }) => totals.packetsDropped,
  },
  marks: {
    title: 'marked packets',
    unit: 'packets',
    meaning: 'Packets marked CE.',
    read: ({ totals }) => totals.marks,
  },
  cnps: {
    title: 'CNPs',
    unit: 'packets',
    meaning: 'Congestion notification packets that receivers sent.',
    read: ({ totals }) => totals.cnps,
  },
  fastCnps: {
    title: 'Fast CNPs',
    unit: 'packets',
    meaning: 'Congestion notification packets that switches sent.',
    read: ({ totals }) => totals.fastCnps,
  },
  retransmittedPackets: {
    title: 'retransmitted packets',
    unit: 'packets',
    meaning: 'Data packets sent more than once.',
    better: 'less',
    read: ({ totals }) => totals.retransmittedPackets,
  },
  trimmedPackets: {
    title: 'trimmed packets',
    unit: 'packets',
    meaning: 'Data packets that switches trimmed for lack of room.',
    better: 'less',
    read: ({ totals }) => totals.trimmedPackets ?? 0,
  },
  nacks: {
    title: 'NACKs',
    unit: 'packets',
    meaning: 'Requests of MRC receivers for trimmed packets.',
    better: 'less',
    read: ({ totals }) => totals.nacks ?? 0,
  },
  credits: {
    title: 'credit packets',
    unit: 'packets',
    meaning: 'Credit packets that receivers sent.',
    better: 'less',
    read: ({ totals }) => totals.credits ?? 0,
  },
  timeouts: {
    title: 'timeouts',
    unit: 'timeouts',
    meaning: 'Retransmission timers that expired.',
    better: 'less',
    read: ({ totals }) => totals.timeouts,
  },
  simulatedPs: {
    title: 'simulated time',
    unit: 'ps',
    meaning: 'Simulated time when the run ended.',
    read: ({ simulatedPs }) => simulatedPs,
  },
  packetHops: {
    title: 'packet hops',
    unit: 'packets',
    meaning: 'Packets transmitted, counted at each port.',
    read: ({ packetHops }) => packetHops,
  },
  events: { title: 'events', unit: 'events', meaning: 'Events that the simulator handled.', read: (run) => run.events },
  pathFairness: {
    title: 'path fairness',
    unit: 'ratio',
    meaning:
      "Jain's index of the bytes sent over equal paths, mean over sets of paths weighted by bytes; 1: all are equal.",
    better: 'more',
    read: ({ summary }) => summary.pathFairness ?? null,
  },
  meanNotificationDelayPs: {
    title: 'notification delay, mean',
    unit: 'ps',
    meaning: 'Start of a flow until its sender is first notified of congestion, mean over the flows that are.',
    better: 'less',
    read: ({ flows }) => mean(flows.flatMap(notificationDelayPs)),
  },
  fairAfterPs: {
    title: 'converged after',
    unit: 'ps',
    meaning:
      'From the last start until all allowed rates stay within 10 % of their mean, if at least half of the flows run together then.',
    better: 'less',
    read: fairAfterPs,
  },
  ecnEchoes: {
    title: 'ECN echoes',
    unit: 'packets',
    meaning: 'Marks repeated by ACKs that senders reacted to; they replace CNPs in all fidelities but standard.',
    read: ({ fidelity, flows }) => fidelity === 'standard' ? null : flows.reduce((sum, { cnps }) => sum + cnps, 0),
  },
} as const satisfies Record<string, Declaration>;

/** The name of a metric. */
export type MetricKey = keyof typeof NUMBERS | `${keyof typeof DISTRIBUTIONS}.${keyof typeof STATISTICS}`;

const BY_KEY = Object.fromEntries(
  [...(Object.keys(DISTRIBUTIONS) as (keyof typeof DISTRIBUTIONS)[]).flatMap(statisticsOf), ...numbers()].map((
    metric,
  ) => [metric.key, checked(metric)]),
) as Record<MetricKey, Metric>;

/** All metrics, by key. */
export const METRICS: ReadonlyMap<string, Metric> = new Map(Object.entries(BY_KEY));

/** The metric with a key. @throws RoceError `invalid-argument` for an unknown key. */
export function metricOf(key: MetricKey): Metric {
  return known(key, 'key');
}

/**
 * Reads the metrics with these keys, by default all, from a result.
 *
 * @throws RoceError `invalid-argument`, with the position of an unknown key.
 */
export function readMetrics<Key extends MetricKey = MetricKey>(result: SimResult,
  keys: readonly Key[] = [...METRICS.keys()] as Key[]): Record<Key, number | null> {
  if (!(keys instanceof Array))
    throw new RoceError('invalid-argument', { where: 'keys', got: keys, allowed: 'a list' });
  return Object.fromEntries(keys.map((key, index) => [key, known(key, `keys[${index}]`).read(result)])) as Record<
    Key,
    number | null
  >;
}

function known(key: string, where: string): Metric {
  const metric = METRICS.get(key);
  if (metric !== undefined) return metric;
  throw new RoceError('invalid-argument', {
    where,
    got: key,
    allowed: [...METRICS.keys()].join(', '),
  });
}

/** For untyped callers: an error names the missing part of the result. */
function checked(metric: Metric): Metric {
  const read = (result: SimResult): number | null => {
    checkRecord(result, 'result');
    checkRecord(result.summary, 'result.summary');
    checkRecord(result.totals, 'result.totals');
    return metric.read(result);
  };
  return { ...metric, read };
}

function numbers(): Metric[] {
  return Object.entries<Declaration>(NUMBERS).map(([key, metric]) => ({ key: key as MetricKey, ...metric }));
}

function statisticsOf(of: keyof typeof DISTRIBUTIONS): Metric[] {
  const { title, unit, meaning } = DISTRIBUTIONS[of];
  return (Object.keys(STATISTICS) as (keyof Percentiles)[]).map((name) => ({
    key: `${of}.${name}`,
    title: `${title}, ${name}`,
    unit,
    meaning: `${meaning}: ${STATISTICS[name]}.`,
    better: 'less',
    read: ({ summary }) => summary[of]?.[name] ?? null,
  }));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function notificationDelayPs({ firstNotificationPs, startPs }: FlowResult): number[] {
  return firstNotificationPs === null ? [] : [firstNotificationPs - startPs];
}

/** Time from the last start until rates are fair: equal rates mean nothing before all flows run. */
function fairAfterPs(result: SimResult): number | null {
  const { fairFromPs } = result.summary;
  return fairFromPs === null || !isFairnessDefined(result) ? null : Math.max(0, fairFromPs - lastStartPs(result.flows));
}

/**
 * Whether fairness is meaningful: at least half of all flows run at the last start, and the run was not blocked. The rates of a
 * few flows tell nothing about the others, and allowed rates tell nothing about blocked flows.
 */
export function isFairnessDefined({ summary, flows, ended }: SimResult): boolean {
  if (ended === 'deadlock' || ended === 'stuck') return false;
  const startPs = lastStartPs(flows);
  return summary.meanFairness !== null && flows.filter((flow) => isRunning(flow, startPs)).length >= flows.length / 2;
}

function lastStartPs(flows: readonly FlowResult[]): number {
  return flows.reduce((last, { startPs }) => Math.max(last, startPs), 0);
}
