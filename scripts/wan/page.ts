/** docs/wan-study.md: the tables, and how to read them. */
import { table, tableRow } from '../markdown-table.js';
import { ALGORITHMS, casesOf, DISTANCES_KM, type WanCase } from './cases.js';
import { see, type Seen } from './measure.js';
import { INTRODUCTION, READING } from './texts.js';

const COLUMNS: readonly (readonly [string, (seen: Seen) => string])[] = [
  ['first notice, µs', ({ firstNoticeUs }) => firstNoticeUs.toFixed(0)],
  ['queue, MB', ({ longestQueueMB }) => longestQueueMB.toFixed(2)],
  ['drops', ({ drops }) => String(drops)],
  ['retransmitted', ({ sentAgain }) => String(sentAgain)],
  ['pauses', ({ pauses }) => String(pauses)],
  ['ARNs', ({ arns }) => String(arns)],
  ['completion, ms', ({ completionMs }) => completionMs.toFixed(1)],
  ['not done', ({ unfinished }) => String(unfinished)],
  ['bystander, ms', ({ bystanderMs }) => bystanderMs.toFixed(1)],
  ['held, ms', ({ bystanderHeldMs }) => bystanderHeldMs.toFixed(1)],
];
const HEADS = ['notification', 'flow control', ...COLUMNS.map(([head]) => head)];

/** Runs everything. */
export function wanPage(): string {
  return [INTRODUCTION, ...Object.keys(ALGORITHMS).flatMap(algorithmPart), READING].join('\n');
}

function algorithmPart(algorithm: string): string[] {
  return [
    `## ${algorithm}`,
    '',
    ...DISTANCES_KM.flatMap((km) => [
      `### ${km} km, ${algorithm}`,
      '',
      table(HEADS, casesOf(km, algorithm).map(wanRow)),
      '',
    ]),
  ];
}

/** A row, measured now. */
export function wanRow(one: WanCase): string {
  const seen = see(one);
  return tableRow([one.notification.name, one.flowControl.name, ...COLUMNS.map(([, cell]) => cell(seen))]);
}
