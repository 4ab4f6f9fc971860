/**
 * Report sections on streams (traffic by source, destination and QPN), missing PSNs and pauses, wrong ICRCs, and the
 * connections found.
 */
import type { ReplayReport, StreamSummary, Connection, ConnectionSource, UnpairedReason } from '../../replay/index.js';
import { formatCount, formatCountOf, formatQpn } from '../../view/format.js';
import { heading, shorten, wrap, type TextStyle } from '../terminal.js';
import { columnWidth, table, type Column } from '../text-table.js';
import type { Report, ShortAddresses } from './report.js';

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

/** Maximum number of frames with a wrong ICRC that are shown; `--json` has up to 100. */
const FRAMES_SHOWN = 10;

/** Lines of the section; empty unless ICRCs were checked. */
export function icrcSection({ icrc, capture, mrc }: ReplayReport, style: TextStyle): string[] {
  if (icrc === undefined || capture.frames === 0) return [];
  const { checked, cut } = icrc;
  // The section on MRC states its own result.
  if (checked + cut === 0 && mrc !== undefined) return [];
  const sentences = [
    checked === 0 ? 'No frame has an ICRC that can be checked.' : verdict(icrc),
    ...zeroSentences(icrc),
    ...(cut === 0 ? [] : [`Not checked, since cut by the snap length: ${formatCountOf(cut, 'frame')}`]),
  ];
  return [...heading('ICRC', style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

function verdict({ checked, wrong, wrongFrames }: NonNullable<ReplayReport['icrc']>): string {
  if (wrong === 0) return `All checked ICRCs are correct (${formatCountOf(checked, 'frame')}).`;
  const shown = wrongFrames.slice(0, FRAMES_SHOWN).map(formatCount).join(', ');
  const more = wrong > FRAMES_SHOWN ? ', …' : '';
  const verb = wrong === 1 ? 'has' : 'have';
  return `${formatCount(wrong)} of ${formatCountOf(checked, 'frame')} ${verb} a wrong ICRC (frame${
    wrong === 1 ? '' : 's'
  } ${shown}${more}).`;
}

function zeroSentences({ wrong, zero }: NonNullable<ReplayReport['icrc']>): string[] {
  if (zero === 0) return [];
  const which = zero === wrong ? (wrong === 1 ? 'It is' : 'All of them are') : `${formatCount(zero)} of them are`;
  return [`${which} 0, as in a capture at the sender, before the adapter computes the ICRC.`];
}

/** Maximum number of connections shown; `--json` has all. */
const CONNECTIONS_MAX = 10;

const SOURCE_WORDS: Readonly<Record<ConnectionSource, string>> = {
  cm: 'stated by REQ and REP',
  acknowledgements: 'inferred from PSNs of ACKs',
  responses: 'inferred from PSNs of READ responses',
  cnps: 'inferred from CNPs behind CE marks',
};

const REASON_WORDS: Readonly<Record<UnpairedReason, string>> = {
  'no-reply': 'no packet of the opposite direction identifies the peer',
  'several-candidates': 'several queue pairs fit the evidence equally',
  contradictions: 'packets contradict each other',
  'reused-qp': 'a queue pair number belongs to several connections',
};

/** Lines of the section; empty with a flow list, and without connections. */
export function connectionSection({ result, flowsFrom }: Report, addresses: ShortAddresses,
  style: TextStyle): string[] {
  const { connections, unpaired } = result;
  if (flowsFrom === 'list' || connections.length + unpaired.length === 0) return [];
  const shown = connections.slice(0, CONNECTIONS_MAX);
  const rest = connections.length - shown.length;
  const sentences = [
    ...shown.map((connection) => `- ${connectionWords(connection, addresses)}`),
    ...(rest === 0 ? [] : [`- and ${formatCount(rest)} more; --json and --write-flows have all`]),
    ...unpairedSentences(result, addresses),
  ];
  return [
    ...heading(`Connections: ${formatCount(connections.length)} found`, style),
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
  ];
}

function connectionWords({ a, b, from, evidence }: Connection, addresses: ShortAddresses): string {
  const ends = [a, b].map(({ address, qpn }) => `${addresses.of(address)} QPN ${formatQpn(qpn)}`).join(' and ');
  const count = from === 'cm' ? '' : ` (${formatCountOf(evidence, 'frame')})`;
  return `${ends}: ${SOURCE_WORDS[from]}${count}`;
}

/** One sentence per reason, with the first stream as an example. */
function unpairedSentences({ unpaired, streams }: ReplayReport, addresses: ShortAddresses): string[] {
  return (Object.keys(REASON_WORDS) as UnpairedReason[]).flatMap((reason) => {
    const found = unpaired.filter((entry) => entry.reason === reason);
    const first = streams[found[0]?.stream ?? -1];
    if (first === undefined) return [];
    const more = found.length === 1 ? '' : ` and ${formatCountOf(found.length - 1, 'more stream')}`;
    const { source, destination, destQpn } = first;
    const place = `${addresses.of(source)} to ${addresses.of(destination)}, QPN ${formatQpn(destQpn)}${more}`;
    return [`Sender's QPN unknown: ${place}; ${REASON_WORDS[reason]}.`];
  });
}
