/**
 * The tables of a run: its metrics as a column, on the terminal and in the report; and its jobs with completion time, last
 * rank, and time of communication not overlapped with compute.
 */
import { allUseNoCnps } from '../../sim/explain/why-notified.js';
import { isFairnessDefined, metricOf, type MetricKey } from '../../sim/metrics.js';
import type { SimResult, JobResult } from '../../sim/result.js';
import { formatBytes, formatByUnit, formatCount, formatCountOf, formatDuration } from '../../view/format.js';
import { AT_PORT, RARE_METRICS, RUN_METRICS, SHORT_RUN_METRICS } from '../../view/metric-tables.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { table, type Column } from '../text-table.js';

/** One line of the table, with a value for each run. */
interface MetricRow {
  /** Absent for a line that is not a metric. */
  readonly key?: MetricKey;
  readonly title: string;
  readonly meaning: string;
  readonly values: readonly string[];
}

export const NONE = '-';
const NEVER = 'never';
/** Maximum number of unfinished operations shown. */
const WAITING_SHOWN = 8;
const BITS_PER_GB = 8e9;
/** Additional columns of jobs with --alone. */
const ALONE_COLUMNS: readonly Column[] = [{ head: 'alone' }, { head: 'slowdown' }];
const JOB_COLUMNS: readonly Column[] = [
  { head: 'job', align: 'left' },
  { head: 'ranks' },
  { head: 'messages' },
  { head: 'bytes' },
  { head: 'operations' },
  { head: 'done after' },
  { head: 'last rank' },
  { head: 'computes' },
  { head: 'exposed' },
];

/** Lines of the table with the value of each run. */
export function metricRows(results: readonly SimResult[], isShort = false): MetricRow[] {
  const lines = isShort ? SHORT_RUN_METRICS : RUN_METRICS;
  return lines.flatMap((line) => {
    if (line === AT_PORT) return [portRow(results)];
    const { key, title, meaning, read } = metricOf(line);
    if (RARE_METRICS.has(key) && results.every((result) => (read(result) ?? 0) === 0)) return [];
    return [{ key, title, meaning, values: results.map((result) => textOf(result, key)) }];
  });
}

function portRow(results: readonly SimResult[]): MetricRow {
  return {
    title: AT_PORT,
    meaning: 'The port with the longest queue, as node:peer.',
    values: results.map(({ summary }) => summary.maxQueuePort || NONE),
  };
}

function textOf(result: SimResult, key: MetricKey): string {
  const { read, unit } = metricOf(key);
  const value = read(result);
  if (value === null) return textOfNone(result, key);
  const text = formatByUnit(value, unit);
  return key === 'flowsDone' ? `${text} of ${formatCount(flowsOf(result))}` : text;
}

/** Number of all flows, including endless ones. */
export function flowsOf({ summary: { flowsDone, flowsUnfinished, flowsEndless = 0 } }: SimResult): number {
  return flowsDone + flowsUnfinished + flowsEndless;
}

function textOfNone(result: SimResult, key: MetricKey): string {
  const isNever = (key === 'meanNotificationDelayPs' && !allUseNoCnps(result) && result.uet === undefined) ||
    (key === 'fairAfterPs' && isFairnessDefined(result));
  return isNever ? NEVER : NONE;
}

/** Why a run ended, unless it ended normally. */
export function endedWords({ ended, flows, summary, simulatedPs }: SimResult): string | undefined {
  const failures = flows.flatMap(({ failure }) => failure ?? []);
  const { flowsUnfinished, flowsEndless = 0 } = summary;
  const unfinished = `${formatCount(flowsUnfinished)} of ${
    formatCount(flows.length - flowsEndless)
  } flows are not done${
    failures.length === 0 ?
      '' :
      `, ${formatCount(failures.length)} of them failed (${[...new Set(failures)].join(', ')})`
  }`;
  const endless = `${formatCountOf(flowsEndless, 'flow')} without an end sent until then`;
  if (ended === 'time' && flowsEndless > 0)
    return `Ended at the stated time; ${flowsUnfinished === 0 ? '' : `${unfinished}; `}${endless}.`;
  const open = unfinished;
  if (ended === 'cancelled') return `Cancelled: the results show the state at that time; ${open}.`;
  if (ended === 'deadlock') return `Deadlock: queues wait for each other, and no events are left; ${open}.`;
  if (ended === 'stuck') return `Stuck: no events are left; ${open}.`;
  if (ended === 'jobs-done' && summary.flowsUnfinished > 0) return `Ended when its jobs were done; ${open}.`;
  return ended === 'time' ? `Stopped at the time limit of ${formatByUnit(simulatedPs, 'ps')}; ${open}.` : undefined;
}

/** The section on jobs; empty for runs without jobs. */
export function jobSection({ jobs = [] }: SimResult, style: TextStyle, alonePs?: readonly (number | null)[]): string[] {
  if (jobs.length === 0) return [];
  const rows = jobs.map(jobRow);
  return [
    ...heading('Jobs', style),
    ...(alonePs === undefined ?
      table(JOB_COLUMNS, rows) :
      table([...JOB_COLUMNS, ...ALONE_COLUMNS],
        rows.map((row, index) => [...row, ...aloneCells(jobs[index], alonePs[index])]))),
    ...jobs.flatMap((job) => repeatedLines(job, style)),
    ...jobs.flatMap((job) => waitingLines(job, style)),
  ];
}

function jobRow(job: JobResult): string[] {
  const { straggler, hosts } = job;
  const done = job.operationsDone === job.operations ?
    formatCount(job.operations) :
    `${formatCount(job.operationsDone)} of ${formatCount(job.operations)}`;
  return [
    job.name,
    formatCount(job.ranks),
    formatCount(job.messages),
    formatBytes(job.messageBytes),
    done,
    durationOr(job.completionPs),
    straggler < 0 ? NONE : `${straggler} (${hosts[straggler] ?? ''})`,
    straggler < 0 ? NONE : durationOr(job.rankComputePs[straggler]),
    straggler < 0 ? NONE : durationOr(job.exposedCommunicationPs[straggler]),
  ];
}

function aloneCells(job: JobResult | undefined, alonePs: number | null | undefined): string[] {
  const completionPs = job?.completionPs ?? null;
  const slowdown = completionPs === null || alonePs === null || alonePs === undefined || alonePs === 0 ?
    NONE :
    (completionPs / alonePs).toFixed(2);
  return [durationOr(alonePs), slowdown];
}

/** Lines on iterations and collectives, if there are any. */
function repeatedLines({ name, iterationPs = [], collectives = [] }: JobResult, style: TextStyle): string[] {
  const times = iterationPs.filter((timePs) => timePs !== null);
  const rates = collectives.flatMap(({ busBps }) => (busBps === null ? [] : [busBps]));
  const range = (values: readonly number[], show: (value: number) => string): string =>
    `${show(Math.min(...values))} to ${show(Math.max(...values))}`;
  return [
    ...(times.length < 2 ?
      [] :
      wrap(`${name}: ${formatCount(times.length)} iterations of ${range(times, formatDuration)}.`, style)),
    ...(rates.length === 0 ?
      [] :
      wrap(`${name}: ${formatCount(rates.length)} collectives, bus bandwidth ${range(rates, gigabytes)}.`, style)),
  ];
}

/** Bandwidth in GB/s, as in nccl-tests. */
function gigabytes(bps: number): string {
  return `${(bps / BITS_PER_GB).toFixed(2)} GB/s`;
}

function waitingLines({ name, waiting, operations, operationsDone }: JobResult, style: TextStyle): string[] {
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, WAITING_SHOWN);
  const left = operations - operationsDone - shown.length;
  return [
    ...wrap(`${name} is not complete; unfinished operations:`, style),
    ...shown.flatMap((line) => wrap(`- ${line}`, style, 4)),
    ...(left > 0 ? wrap(`- and ${formatCount(left)} others`, style, 4) : []),
  ];
}

function durationOr(timePs: number | null | undefined): string {
  return timePs === null || timePs === undefined ? NONE : formatDuration(timePs);
}
