/**
 * Formats the jobs of a run as a table: completion time, last rank, and time of communication not overlapped with
 * compute.
 */
import type { JobResult, SimResult } from '../../sim/result.js';
import { formatBytes, formatCount, formatDuration } from '../format.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { table, type Column } from '../text-table.js';
import { NONE } from './metrics.js';

/** Maximum number of unfinished operations shown. */
const WAITING_SHOWN = 8;
const BITS_PER_GB = 8e9;
/** Additional columns with --alone. */
const ALONE: readonly Column[] = [{ head: 'alone' }, { head: 'slowdown' }];
const COLUMNS: readonly Column[] = [
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

/** Lines of the section; empty for runs without jobs. */
export function jobSection({ jobs = [] }: SimResult, style: TextStyle, alonePs?: readonly (number | null)[]): string[] {
  if (jobs.length === 0) return [];
  const rows = jobs.map(rowOf);
  return [
    ...heading('Jobs', style),
    ...(alonePs === undefined ?
      table(COLUMNS, rows) :
      table([...COLUMNS, ...ALONE], rows.map((row, index) => [...row, ...aloneCells(jobs[index], alonePs[index])]))),
    ...jobs.flatMap((job) => repeatedLines(job, style)),
    ...jobs.flatMap((job) => waitingLines(job, style)),
  ];
}

function rowOf(job: JobResult): string[] {
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
