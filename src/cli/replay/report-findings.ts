/**
 * Report sections on tunnels, on frames that are not RoCE with common reasons for them, and on findings. This is the only
 * place that words findings: one sentence per code and kind of frame, with the first stream as an example.
 */
import { TUNNEL_PORTS } from '../../packet/tunnel-numbers.js';
import { tunnelWords, unreadWords } from '../../packet/words.js';
import type { FindingCode, MarkKind, ReplayFinding, ReplayReport, StreamSummary, ValueCount, OtherKind,
  TunnelSummary } from '../../replay/index.js';
import { QPN_GSI } from '../../wire/roce/cm.js';
import { formatCount, formatCountOf, formatQpn } from '../../view/format.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import type { ShortAddresses } from './report.js';

/** Findings of one code and kind of frames, over all streams. */
interface Group {
  readonly code: FindingCode;
  readonly kind: MarkKind;
  readonly frames: number;
  readonly ofFrames: number;
  readonly streams: number;
  readonly values: readonly ValueCount[];
  /** The first stream with this finding. */
  readonly first: StreamSummary | undefined;
}

const KIND_WORDS: Readonly<Record<MarkKind, string>> = { data: 'data frame', ack: 'ACK or NAK', cnp: 'CNP' };
const KINDS_SHOWN = 8;
const ROCE_CLASSES = ['data', 'ack', 'nak', 'cnp', 'fast-cnp-1', 'fast-cnp-2', 'roce-v1'] as const;
const UNREADABLE_TUNNEL = 'carries no header of its tunnel: the frames are cut, or another protocol uses the port';
const NO_ROCE =
  'No RoCE at all: adapters pass RDMA by the kernel, so tcpdump on a host sees it only in sniffer mode (ethtool ' +
  '--set-priv-flags DEV sniffer on), or on the RDMA device (tcpdump -i mlx5_0); a switch mirrors both directions only ' +
  'if configured to.';

/** Lines of the section; empty without findings. */
export function findingSection(result: ReplayReport, addresses: ShortAddresses, style: TextStyle): string[] {
  const groups = groupsOf(result);
  if (groups.length === 0) return [];
  const sentences = groups.map((group) => SENTENCES[group.code](group, placeOf(group, addresses), result));
  return [
    ...heading('ECN, DSCP, priorities and directions', style),
    ...sentences.flatMap((sentence) => wrap(sentence, style)),
  ];
}

type Sentence = (group: Group, place: string, result: ReplayReport) => string;

const SENTENCES: Readonly<Record<FindingCode, Sentence>> = {
  'data-not-ect': ({ frames }, place, result) => {
    const all = dataFramesOf(result);
    const subject = frames === all ?
      (all === 1 ? 'The only data frame is' : `All ${formatCount(all)} data frames are`) :
      `${formatCount(frames)} of ${formatCountOf(all, 'data frame')} ${frames === 1 ? 'is' : 'are'}`;
    return `${subject} Not-ECT: no switch can mark ${frames === 1 ? 'it' : 'them'}, only drop${place}.`;
  },
  'cnp-in-data-class': ({ frames, ofFrames, values }, place) =>
    `${countOfAll(frames, ofFrames, 'CNP')} the DSCP of the data (${
      numbers(values)
    })${place}: such CNPs wait in the queues that they report.`,
  'cnp-in-data-priority': ({ frames, ofFrames, values }, place) =>
    `${countOfAll(frames, ofFrames, 'CNP')} the VLAN priority of the data (${
      numbers(values)
    })${place}: where ports trust the priority, such CNPs wait in the queues that they report.`,
  'dscp-changes': (group, place) => changeSentence(group, 'DSCPs', 'DSCP', place),
  'pcp-changes': (group, place) => changeSentence(group, 'VLAN priorities', 'priority', place),
  'ect1-and-ect0': ({ frames, ofFrames }, place) =>
    `${formatCount(frames)} of ${formatCountOf(ofFrames, 'data frame')} ${
      frames === 1 ? 'is' : 'are'
    } ECT(1), others ECT(0)${place}: L4S switches mark ECT(1) by other rules.`,
  'one-direction': ({ streams }, place, { streams: all }) => {
    const which = streams === all.length ?
      'Only one direction was captured' :
      'For some hosts only one direction was captured';
    return `${which}${place}: responses, ACKs and losses of the opposite direction cannot be judged.`;
  },
};

function changeSentence({ kind, values, streams }: Group, nouns: string, noun: string, place: string): string {
  const list = values.map(({ value, frames }) => `${noun} ${value}: ${formatCountOf(frames, 'frame')}`).join(', ');
  const what = streams === 1 ? `The ${KIND_WORDS[kind]}s of one stream have` : `${KIND_WORDS[kind]}s of a stream have`;
  return `${
    capitalised(what)
  } several ${nouns}${place}: ${list}. Something rewrites them on the way, or the sender changes them.`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `All 3 CNPs have`, `2 of 3 CNPs have`, `The only CNP has`. */
function countOfAll(count: number, all: number, noun: string): string {
  if (count === all) return all === 1 ? `The only ${noun} has` : `All ${formatCountOf(all, noun)} have`;
  return `${formatCount(count)} of ${formatCountOf(all, noun)} ${count === 1 ? 'has' : 'have'}`;
}

function numbers(values: readonly ValueCount[]): string {
  return values.map(({ value }) => value).join(', ');
}

/** Names the stream, or the first one and the number of others. */
function placeOf({ streams, first }: Group, addresses: ShortAddresses): string {
  if (first === undefined) return '';
  const { source, destination, destQpn } = first;
  const more = streams === 1 ? '' : ` and ${formatCountOf(streams - 1, 'more stream')}`;
  return ` (${addresses.of(source)} to ${addresses.of(destination)}, QPN ${formatQpn(destQpn)}${more})`;
}

/** Number of data frames, without management datagrams, which have no findings. */
function dataFramesOf({ streams }: ReplayReport): number {
  return streams.reduce((sum, { dataFrames, destQpn }) => (destQpn === QPN_GSI ? sum : sum + dataFrames), 0);
}

/** Groups findings by code and kind of frame, in order of appearance. */
function groupsOf({ findings, streams }: ReplayReport): Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = `${finding.code} ${finding.kind}`;
    groups.set(key, joined(groups.get(key), finding, streams[finding.stream]));
  }
  return [...groups.values()];
}

function joined(group: Group | undefined, finding: ReplayFinding, stream: StreamSummary | undefined): Group {
  const { code, kind, frames, ofFrames, values } = finding;
  if (group === undefined) return { code, kind, frames, ofFrames, streams: 1, values, first: stream };
  return {
    ...group,
    frames: group.frames + frames,
    ofFrames: group.ofFrames + ofFrames,
    streams: group.streams + 1,
    values: added(group.values, values),
  };
}

function added(a: readonly ValueCount[], b: readonly ValueCount[]): ValueCount[] {
  const counts = new Map<number, number>();
  for (const { value, frames } of [...a, ...b]) counts.set(value, (counts.get(value) ?? 0) + frames);
  return [...counts].map(([value, frames]) => ({ value, frames })).sort((x, y) => x.value - y.value);
}

/** A common reason for frames of a kind. */
interface Reason {
  readonly field: OtherKind['field'];
  /** The field's value that this reason applies to; absent: any value. */
  readonly number?: number;
  readonly text: string;
}

const REASONS: readonly Reason[] = [
  { field: 'ip-protocol', number: 50, text: 'encrypted: RoCE inside of IPsec cannot be read' },
  { field: 'ether-type', number: 0x88e5, text: 'encrypted: RoCE inside of MACsec cannot be read' },
  { field: 'ip-protocol', number: 6, text: 'TCP: storage over NVMe/TCP, iWARP or control traffic, not RoCE' },
  ...TUNNEL_PORTS.map((number): Reason => ({ field: 'udp-port', number, text: UNREADABLE_TUNNEL })),
  { field: 'udp-port', number: 6343, text: 'sFlow: the samples inside are not read' },
  { field: 'fragment', text: 'RoCEv2 is never fragmented (Annex A17, CA17-7): the MTU of a tunnel is too small' },
  { field: 'routing', text: 'source-routed without a tunnel: its destination is the next waypoint, not the receiver' },
];

/** Lines of the section on tunnels; empty without any. */
export function tunnelSection({ tunnels }: ReplayReport, style: TextStyle): string[] {
  if (tunnels === undefined) return [];
  return [...heading('Tunnels', style), ...tunnelSentences(tunnels).flatMap((sentence) => wrap(sentence, style))];
}

function tunnelSentences({ frames, kinds, outerMarkedOnly, dropped }: TunnelSummary): string[] {
  const list = kinds.map(({ kind, frames }) => `${tunnelWords(kind)} ${formatCount(frames)}`).join(', ');
  const sentences = [`${formatCountOf(frames, 'frame')} in a tunnel: ${list}. All counts are of the inner packets.`];
  if (outerMarkedOnly === 0) return sentences;
  sentences.push(
    `Outer ECN is CE and inner is not: ${formatCountOf(outerMarkedOnly, 'frame')}; decapsulation marks ${
      formatCount(outerMarkedOnly - dropped)
    } (RFC 6040, section 4.2), which count as CE here`,
  );
  if (dropped > 0) {
    sentences.push(`Decapsulation drops ${formatCountOf(dropped, 'frame')}: outer CE over inner Not-ECT.`);
  }
  return sentences;
}

/** Lines of the section on frames that are not RoCE; empty without any. */
export function otherSection(result: ReplayReport, style: TextStyle): string[] {
  const { others, othersElsewhere, classes, capture, mrc, uet } = result;
  if (capture.frames === 0 || others.length === 0) return [];
  const shown = others.slice(0, KINDS_SHOWN);
  const rest = others.slice(KINDS_SHOWN).reduce((sum, { frames }) => sum + frames, othersElsewhere);
  const sentences = shown.map(otherSentence);
  if (rest > 0) sentences.push(`- of further kinds: ${formatCount(rest)}`);
  if ((mrc ?? uet) === undefined && ROCE_CLASSES.every((name) => classes[name].frames === 0)) sentences.push(NO_ROCE);
  return [...heading('Not RoCE', style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

function otherSentence({ field, number, frames, firstFrame }: OtherKind): string {
  const reason = REASONS.find((one) => one.field === field && (one.number === undefined || one.number === number));
  const why = reason === undefined ? '' : `; ${reason.text}`;
  return `- ${unreadWords(field, number)}: ${formatCountOf(frames, 'frame')}, first frame ${
    formatCount(firstFrame)
  }${why}`;
}
