/** Report sections on streams (traffic by source, destination and QPN), missing PSNs, and pauses. */
import type { ReplayReport, StreamSummary } from '../../replay/index.js';
import { formatCount, formatCountOf, formatQpn } from '../format.js';
import { heading, shorten, wrap, type TextStyle } from '../text-layout.js';
import { columnWidth, table, type Column } from '../text-table.js';
import type { Report } from './report.js';
import type { ShortAddresses } from './short-addresses.js';

/** Maximum number of streams shown; `--json` has all. */
const ROWS_MAX = 20;

const COLUMNS: readonly Column[] = [
  { head: '\nsource', align: 'left' },
  { head: '\ndestination', align: 'left' },
  { head: 'dest.\nQPN' },
  { head: 'data\nframes' },
  { head: 'marked\nframes' },
  { head: '\nCNPs' },
  { head: 'Fast\nCNPs' },
  { head: 'PSN\ngaps' },
  { head: 'PSNs\nagain' },
];

/** Lines of the section on streams. Empty with a flow list or without RoCEv2 frames. */
export function streamSection({ result, flowsFrom }: Report, addresses: ShortAddresses, style: TextStyle): string[] {
  const { streams } = result;
  if (flowsFrom === 'list' || streams.length === 0) return [];
  const shown = [...streams].sort(byInterest).slice(0, ROWS_MAX);
  const rest = streams.length - shown.length;
  return [
    ...heading('Traffic by source, destination and destination QPN', style),
    ...table(COLUMNS, fit(shown.map((stream) => rowOf(stream, addresses)), style)),
    ...(rest === 0 ? [] : wrap(`And ${formatCount(rest)} more with fewer events or bytes; --json has them.`, style)),
  ];
}

/** Shortens both addresses to the space that the numbers leave. */
function fit(rows: readonly (readonly string[])[], style: TextStyle): string[][] {
  const numbers = COLUMNS.slice(2).map((column, index) => columnWidth(column, rows.map((row) => row[index + 2] ?? '')));
  const room = Math.floor((style.columns - numbers.reduce((sum, width) => sum + width)) / 2) -
    columnWidth({ head: '' }, []);
  return rows.map((row) => row.map((cell, column) => (column < 2 ? shorten(cell, room) : cell)));
}

function byInterest(a: StreamSummary, b: StreamSummary): number {
  return eventsOf(b) - eventsOf(a) || b.frames - a.frames;
}

function eventsOf({ markedFrames, cnps, fastCnps, psnGaps, psnsRepeated }: StreamSummary): number {
  return markedFrames + cnps + fastCnps + psnGaps + psnsRepeated;
}

function rowOf(stream: StreamSummary, addresses: ShortAddresses): string[] {
  const { dataFrames, markedFrames, cnps, fastCnps, psnGaps, psnsRepeated } = stream;
  return [
    addresses.of(stream.source),
    addresses.of(stream.destination),
    formatQpn(stream.destQpn),
    ...[dataFrames, markedFrames, cnps, fastCnps, psnGaps, psnsRepeated].map(formatCount),
  ];
}

/** Totals of missing and repeated PSNs; empty if there are no request or response packets. */
export function psnSentences({ streams }: ReplayReport): string[] {
  const sum = (count: (stream: StreamSummary) => number): number =>
    streams.reduce((total, stream) => total + count(stream), 0);
  const packets = sum(({ requests, responses }) => requests.packets + responses.packets);
  if (packets === 0) return [];
  const [gaps, repeated, recovered] = [
    sum(({ psnGaps }) => psnGaps),
    sum(({ psnsRepeated }) => psnsRepeated),
    sum(({ psnsRecovered }) => psnsRecovered),
  ];
  const missing = formatCountOf(sum(({ psnsMissing }) => psnsMissing), 'PSN');
  const later = recovered === 0 ? '' : `, ${formatCount(recovered)} of them seen later`;
  return [
    `PSN gaps: ${formatCount(gaps)} (${missing} missing${later}), retransmitted or reordered: ${formatCount(repeated)}`,
  ];
}

/** Lines of the section on PAUSE and PFC frames; empty without any. */
export function pauseSection({ pauses }: ReplayReport, style: TextStyle): string[] {
  if (pauses.length === 0) return [];
  const sentences = pauses.slice(0, ROWS_MAX).map(({ kind, source, priority, pauses: count, resumes }) => {
    const what = kind === 'pfc' ? `PFC, priority ${priority}` : 'PAUSE, all priorities';
    return `- ${what}, from ${source}: ${formatCountOf(count, 'pause')}, ${formatCountOf(resumes, 'resume')}`;
  });
  const rest = pauses.length - sentences.length;
  if (rest > 0) sentences.push(`- and ${formatCount(rest)} more senders or priorities; --json has them`);
  return [...heading('Pauses', style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}
