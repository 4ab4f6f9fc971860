/**
 * Report sections on multipath transports. MRC: kinds of packets, a line per queue pair, and findings; Ultra Ethernet:
 * packets by type, trimmed ones, NACKs.
 */
import type { MrcFinding, MrcFindingCode, MrcQueuePair, MrcSummary, ReplayReport,
  UetSummary } from '../../replay/index.js';
import { PS_PER_US } from '../../units.js';
import { formatCount, formatCountOf, formatQpn } from '../../view/format.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { table, type Column } from '../text-table.js';
import type { ShortAddresses } from './report.js';

/** Maximum number of queue pairs shown; `--json` has all. */
const ROWS_MAX = 20;
/** Maximum number of sequence gaps shown. */
const HOLES_SHOWN = 8;
const FRAMES_SHOWN = 10;

const COLUMNS: readonly Column[] = [
  { head: '\nsource', align: 'left' },
  { head: '\ndestination', align: 'left' },
  { head: 'dest.\nQPN' },
  { head: 'data\nframes' },
  { head: '\nEVs' },
  { head: 'spray-\ned' },
  { head: '\ntrimmed' },
  { head: 'retrans-\nmitted' },
  { head: 'reorder.\ndepth' },
  { head: 'SACKs,\nholes' },
  { head: '\nNACKs' },
];

const KIND_WORDS = {
  data: 'data',
  ack: 'ACK or NAK',
  sack: 'SACK',
  nack: 'NACK',
  probe: 'probe',
  'endpoint-request': 'endpoint request',
  'endpoint-response': 'endpoint response',
  reserved: 'reserved opcode',
} as const;

/** Lines of the section; empty without packets of MRC. */
export function mrcSection({ mrc }: ReplayReport, addresses: ShortAddresses, style: TextStyle): string[] {
  if (mrc === undefined) return [];
  const sentences = [
    ...headSentences(mrc),
    ...nackSentences(mrc, addresses),
    ...timeSentences(mrc, addresses),
    ...repeatSentences(mrc, addresses),
  ];
  const findings = mrc.findings.map((finding) =>
    FINDINGS[finding.code](finding, placeOf(finding, mrc, addresses), mrc)
  );
  return [
    ...heading('Multipath Reliable Connection (MRC)', style),
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
    ...queuePairLines(mrc, addresses, style),
    ...findings.flatMap((sentence) => wrap(sentence, style)),
  ];
}

function headSentences({ frames, kinds, routed, icrcChecked, icrcWrong }: MrcSummary): string[] {
  const list = Object.entries(kinds).map(([kind, count]) =>
    `${KIND_WORDS[kind as keyof typeof KIND_WORDS]} ${formatCount(count)}`
  );
  const sentences = [
    `${formatCountOf(frames, 'frame')}: ${
      list.join(', ')
    }. The engine knows RoCEv2 only: in the table above they are discarded, malformed or other frames.`,
  ];
  if (routed > 0) sentences.push(`In an SRv6 carrier: ${formatCountOf(routed, 'frame')}.`);
  if (icrcChecked > 0 && icrcWrong === 0) {
    sentences.push(`All checked ICRCs are correct (${formatCountOf(icrcChecked, 'frame')}).`);
  }
  return sentences;
}

function queuePairLines({ queuePairs, queuePairsElsewhere }: MrcSummary, addresses: ShortAddresses,
  style: TextStyle): string[] {
  if (queuePairs.length === 0) return [];
  const shown = [...queuePairs].sort((a, b) => b.dataFrames - a.dataFrames).slice(0, ROWS_MAX);
  const rest = queuePairs.length - shown.length;
  const more = rest === 0 ? [] : [`And ${formatCount(rest)} more with fewer frames; --json has them.`];
  if (queuePairsElsewhere > 0) {
    more.push(`${formatCountOf(queuePairsElsewhere, 'frame')} of other queue pairs, which are not listed separately.`);
  }
  return [
    ...table(COLUMNS, shown.map((one) => rowOf(one, addresses)), style.columns),
    ...more.flatMap((sentence) => wrap(sentence, style)),
  ];
}

function rowOf(one: MrcQueuePair, addresses: ShortAddresses): string[] {
  const { dataFrames, entropies, sprayedFrames, trimmed, trimmedAtLastHop, retransmissions, reorderingDepth } = one;
  const nacks = Object.values(one.nacks).reduce((sum, count) => sum + count, 0);
  return [
    addresses.of(one.source),
    addresses.of(one.destination),
    one.destQpn === undefined ? '?' : formatQpn(one.destQpn),
    ...[dataFrames, entropies, sprayedFrames, trimmed + trimmedAtLastHop, retransmissions, reorderingDepth].map(
      formatCount,
    ),
    `${formatCount(one.sacks)}, ${formatCount(one.sacksWithHoles)}`,
    formatCount(nacks),
  ];
}

/** A sentence per queue pair with NACKs. */
function nackSentences({ queuePairs }: MrcSummary, addresses: ShortAddresses): string[] {
  return queuePairs.filter(({ nacks }) => Object.keys(nacks).length > 0).slice(0, ROWS_MAX).map((one) => {
    const list = Object.entries(one.nacks).map(([reason, count]) => `${reason} ${formatCount(count)}`);
    return `NACKs${queuePairWords(one, addresses)}: ${list.join(', ')}.`;
  });
}

/** A sentence per queue pair with measured round trips. */
function timeSentences({ queuePairs }: MrcSummary, addresses: ShortAddresses): string[] {
  return queuePairs.filter(({ rttSamples }) => rttSamples > 0).slice(0, ROWS_MAX).map((one) => {
    const { rttMinPs = 0, rttMedianPs = 0, rttSamples } = one;
    const times = `minimum ${formatUs(rttMinPs)}, median ${formatUs(rttMedianPs)}`;
    return `Round trips to the SACK${queuePairWords(one, addresses)}: ${times}, over ${
      formatCountOf(rttSamples, 'packet')
    } sent once.`;
  });
}

function formatUs(timePs: number): string {
  return `${(timePs / PS_PER_US).toFixed(2)} us`;
}

/** A sentence per queue pair that repeats PSNs without the retransmission flag. */
function repeatSentences({ queuePairs }: MrcSummary, addresses: ShortAddresses): string[] {
  return queuePairs.filter(({ repeatsWithoutRtx }) => repeatsWithoutRtx > 0).slice(0, ROWS_MAX).map((one) =>
    `${formatCountOf(one.repeatsWithoutRtx, 'frame')} with a repeated PSN, but no rtx mark${
      queuePairWords(one, addresses)
    }.`
  );
}

type Sentence = (finding: MrcFinding, place: string, mrc: MrcSummary) => string;

const FINDINGS: Readonly<Record<MrcFindingCode, Sentence>> = {
  'mrc-trimmed': ({ count }, place) =>
    `${formatCountOf(count, 'frame')} trimmed before the last hop${place}: a queue on one of the paths is full.`,
  'mrc-trimmed-last-hop': ({ count }, place) =>
    `${
      formatCountOf(count, 'frame')
    } trimmed at the last hop${place}: more arrives for the receiver than its link carries.`,
  'mrc-fatal-nack': ({ count }, place) =>
    `${formatCountOf(count, 'NACK')} with UNEXP_EVENT${place}: the receiver ends the connection.`,
  'mrc-open-holes': ({ count, queuePair = 0 }, place, { queuePairs }) => {
    const { openHoles = [] } = queuePairs[queuePair] ?? {};
    const more = openHoles.length > HOLES_SHOWN ? ', …' : '';
    const list = `${openHoles.slice(0, HOLES_SHOWN).join(', ')}${more}`;
    return `The newest SACK has ${formatCountOf(count, 'hole')}${place}: PSN ${list}.`;
  },
  'mrc-one-entropy': ({ count }, place) =>
    `All ${formatCountOf(count, 'data frame')} have one entropy value${place}: they take one path.`,
  'mrc-malformed': ({ count }, _, { malformedFrames }) =>
    `${formatCountOf(count, 'frame')} malformed: frame ${malformedFrames.slice(0, FRAMES_SHOWN).join(', ')}${
      malformedFrames.length > FRAMES_SHOWN ? ', …' : ''
    }; roce-cc dissect names the faults.`,
  'mrc-wrong-icrc': ({ count }, _, { icrcChecked }) =>
    `${formatCount(count)} of ${formatCountOf(icrcChecked, 'frame')} checked ${
      count === 1 ? 'has' : 'have'
    } a wrong ICRC.`,
};

function placeOf({ queuePair }: MrcFinding, { queuePairs }: MrcSummary, addresses: ShortAddresses): string {
  const one = queuePair === undefined ? undefined : queuePairs[queuePair];
  return one === undefined ? '' : queuePairWords(one, addresses);
}

function queuePairWords({ source, destination, destQpn }: MrcQueuePair, addresses: ShortAddresses): string {
  const qp = destQpn === undefined ? '' : `, QPN ${formatQpn(destQpn)}`;
  return ` (${addresses.of(source)} to ${addresses.of(destination)}${qp})`;
}

/** Lines of the section; empty without packets of Ultra Ethernet. */
export function uetSection({ uet }: ReplayReport, style: TextStyle): string[] {
  if (uet === undefined) return [];
  return [...heading('Ultra Ethernet', style), ...uetSentences(uet).flatMap((sentence) => wrap(sentence, style))];
}

function uetSentences({ frames, types, trimmed, retransmitted, nacks }: UetSummary): string[] {
  const sentences = [
    `${formatCountOf(frames, 'frame')}: ${
      listOf(types)
    }. The engine knows RoCEv2 only: in the table above they are other ` +
    'frames, or malformed if trimmed without corrected lengths.',
  ];
  if (trimmed > 0) sentences.push(`Trimmed by switches: ${formatCountOf(trimmed, 'frame')}.`);
  if (retransmitted > 0) sentences.push(`Retransmitted: ${formatCountOf(retransmitted, 'frame')}.`);
  if (nacks.length > 0) sentences.push(`NACKs: ${listOf(nacks)}.`);
  return sentences;
}

function listOf(counts: UetSummary['types']): string {
  return counts.map(({ name, frames }) => `${name} ${formatCount(frames)}`).join(', ');
}
