/** What describes a run in one column of a table: on the screen and in the report alike. */
import type { SimResult } from '../../sim/result.js';
import { isRunning } from './series.js';
import { formatBytes, formatCount, formatDuration, formatPlain, formatRate } from '../format.js';

/** One line of the table. */
export interface Metric {
  readonly label: string;
  /** What it is, for those who ask. */
  readonly meaning: string;
  readonly show: (result: SimResult) => string;
  /** Shown only if some run has something to say here. */
  readonly isRare?: boolean;
  /** Part of the short table too, which fits one screen with all else. */
  readonly isMain?: boolean;
}

export const NONE = '-';
const NEVER = 'never';
const EXACT_DIGITS = 6;

const METRICS: readonly Metric[] = [
  { label: 'flows done', meaning: 'Flows of which the last byte was acknowledged, of all.', show: flowsDone },
  {
    label: 'completion, mean',
    isMain: true,
    meaning: 'From the start of a flow until its last ACK, mean over the flows that are done.',
    show: ({ summary }) => durationOr(summary.completionPs?.mean),
  },
  {
    label: 'completion, p99',
    meaning: '99 of 100 flows took no longer.',
    show: ({ summary }) => durationOr(summary.completionPs?.p99),
  },
  {
    label: 'slowdown, p50',
    meaning: 'Completion time over that of the flow alone in the network, median.',
    show: ({ summary }) => numberOr(summary.slowdown?.p50),
  },
  {
    label: 'slowdown, p99',
    meaning: '99 of 100 flows were slowed down no more.',
    show: ({ summary }) => numberOr(summary.slowdown?.p99),
  },
  {
    label: 'queue, max',
    isMain: true,
    meaning: 'Most bytes waiting at one port at once.',
    show: ({ summary }) => formatBytes(summary.maxQueueBytes),
  },
  {
    label: 'queue, mean',
    meaning: 'Of the same port, from the first start to the end.',
    show: ({ summary }) => formatBytes(summary.meanQueueBytes),
  },
  {
    label: 'at port',
    meaning: 'The port with the longest queue, as node:peer.',
    show: ({ summary }) => summary.maxQueuePort || NONE,
  },
  {
    label: 'pauses',
    isMain: true,
    meaning: 'PFC pause frames sent.',
    show: ({ totals }) => formatCount(totals.pauses),
  },
  {
    label: 'paused',
    meaning: 'Time that ports were paused, summed over ports and classes.',
    show: ({ summary }) => (summary.pausedPs === 0 ? '0' : formatDuration(summary.pausedPs)),
    isRare: true,
  },
  { label: 'marks', meaning: 'Packets marked CE.', show: ({ totals }) => formatCount(totals.marks) },
  {
    label: 'CNPs',
    isMain: true,
    meaning:
      'Congestion notification packets that receivers sent; under fidelity reference, which has none, marks repeated by ACKs that senders reacted to.',
    show: ({ fidelity, flows, totals }) =>
      formatCount(fidelity !== 'standard' ? flows.reduce((sum, { cnps }) => sum + cnps, 0) : totals.cnps),
  },
  {
    label: 'Fast CNPs',
    isMain: true,
    meaning: 'Congestion notification packets that switches sent.',
    show: ({ totals }) => formatCount(totals.fastCnps),
  },
  {
    label: 'first notice',
    isMain: true,
    meaning: 'Start of a flow until its sender heard of congestion, mean over the flows that did.',
    show: firstNotice,
  },
  {
    label: 'fair after',
    meaning:
      'From the last start until all rates stay within 10 % of their mean; of flows of which at least half run together then.',
    show: fairAfter,
  },
  {
    label: 'fairness, mean',
    meaning: "Jain's index of the running flows' rates; 1 = all equal.",
    show: ({ summary }) => shareOr(summary.meanFairness),
  },
  {
    label: 'goodput',
    isMain: true,
    meaning: 'Payload received, from the first start to the end.',
    show: ({ summary }) => formatRate(summary.goodputBps),
  },
  {
    label: 'dropped',
    meaning: 'Packets, for whatever reason.',
    show: ({ totals }) => formatCount(totals.packetsDropped),
    isRare: true,
  },
  {
    label: 'sent again',
    meaning: 'Data packets sent more than once.',
    show: ({ totals }) => formatCount(totals.retransmittedPackets),
    isRare: true,
  },
  {
    label: 'timeouts',
    meaning: 'Retransmission timers that ran out.',
    show: ({ totals }) => formatCount(totals.timeouts),
    isRare: true,
  },
  {
    label: 'simulated',
    meaning: 'Simulated time when the run ended.',
    show: ({ simulatedPs }) => formatDuration(simulatedPs),
  },
  { label: 'packet hops', meaning: 'Transmissions by any port.', show: ({ packetHops }) => formatCount(packetHops) },
];

/** Values that say that nothing happened. */
const NOTHING = new Set([NONE, '0']);

/** Lines of the table with the value of each run. */
export function metricRows(
  results: readonly SimResult[],
): { readonly metric: Metric; readonly values: readonly string[] }[] {
  return METRICS.map((metric) => ({ metric, values: results.map((result) => metric.show(result)) }))
    .filter(({ metric, values }) => metric.isRare !== true || values.some((value) => !NOTHING.has(value)));
}

/** Why a run ended, where that needs a word. */
export function endedWords({ ended, flows, summary }: SimResult): string | undefined {
  const failed = flows.filter(({ failure }) => failure !== undefined).length;
  const open = `${formatCount(summary.flowsUnfinished)} of ${formatCount(flows.length)} flows are not done${
    failed === 0 ? '' : `, ${formatCount(failed)} of them failed (retry-exceeded)`
  }`;
  if (ended === 'cancelled') return `Cancelled: what follows is the state at that moment; ${open}.`;
  if (ended === 'deadlock') return `Deadlock: queues wait for each other, and nothing else is left to happen; ${open}.`;
  if (ended === 'stuck') return `Stuck: nothing was left to happen; ${open}.`;
  if (ended === 'jobs-done' && summary.flowsUnfinished > 0) return `Ended with its jobs; ${open}.`;
  return ended === 'time' ? `Out of simulated time; ${open}.` : undefined;
}

function flowsDone({ summary }: SimResult): string {
  return `${formatCount(summary.flowsDone)} of ${formatCount(summary.flowsDone + summary.flowsUnfinished)}`;
}

function firstNotice({ flows }: SimResult): string {
  const delays = flows.flatMap((
    { firstNotificationPs, startPs },
  ) => (firstNotificationPs === null ? [] : [firstNotificationPs - startPs]));
  return delays.length === 0 ? NEVER : formatDuration(delays.reduce((sum, delay) => sum + delay, 0) / delays.length);
}

/** Counted from the last start, as equal rates mean nothing before all are there. */
function fairAfter({ summary, flows }: SimResult): string {
  // Of one flow at a time nothing can be said.
  if (summary.meanFairness === null) return NONE;
  const lastStartPs = flows.reduce((last, { startPs }) => Math.max(last, startPs), 0);
  // Flows that come and go have no rates to settle on: two that meet at the end would speak for all.
  const together = flows.filter((flow) => isRunning(flow, lastStartPs));
  if (together.length < flows.length / 2) return NONE;
  if (summary.fairFromPs === null) return NEVER;
  return formatDuration(Math.max(0, summary.fairFromPs - lastStartPs));
}

function durationOr(timePs: number | undefined): string {
  return timePs === undefined ? NONE : formatDuration(timePs);
}

function numberOr(value: number | undefined): string {
  return value === undefined ? NONE : formatPlain(value);
}

function shareOr(value: number | null): string {
  return value === null ? NONE : formatPlain(Number(value.toPrecision(EXACT_DIGITS)));
}
