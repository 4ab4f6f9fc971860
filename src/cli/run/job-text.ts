/** Jobs of a run as a table: when each was done, which rank was last, and how long it did nothing but communicate. */
import type { JobResult, SimResult } from '../../sim/result.js';
import { formatBytes, formatCount, formatDuration } from '../format.js';
import { heading, table, wrap, type Column, type TextStyle } from '../text-layout.js';
import { NONE } from './metrics.js';

/** So many operations that are not done are shown. */
const WAITING_SHOWN = 8;
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

/** Nothing for runs without jobs. */
export function jobSection({ jobs = [] }: SimResult, style: TextStyle): string[] {
  if (jobs.length === 0) return [];
  return [
    ...heading('Jobs', style),
    ...table(COLUMNS, jobs.map(rowOf)),
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

function waitingLines({ name, waiting, operations, operationsDone }: JobResult, style: TextStyle): string[] {
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, WAITING_SHOWN);
  const left = operations - operationsDone - shown.length;
  return [
    ...wrap(`${name} has not come to its end:`, style),
    ...shown.flatMap((line) => wrap(`- ${line}`, style, 4)),
    ...(left > 0 ? wrap(`- and ${formatCount(left)} others`, style, 4) : []),
  ];
}

function durationOr(timePs: number | null | undefined): string {
  return timePs === null || timePs === undefined ? NONE : formatDuration(timePs);
}
