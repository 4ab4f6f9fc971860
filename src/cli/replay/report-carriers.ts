/** Report sections on tunnels and on frames that are not RoCE, with common reasons for them. */
import { formatCount, formatCountOf } from '../format.js';
import type { OtherKind, ReplayReport, TunnelSummary } from '../../replay/index.js';
import { TUNNEL_PORTS } from '../../packet/tunnel-numbers.js';
import { tunnelWords, unreadWords } from '../../packet/words.js';
import { heading, wrap, type TextStyle } from '../text-layout.js';

const KINDS_SHOWN = 8;
const ROCE_CLASSES = ['data', 'ack', 'nak', 'cnp', 'fast-cnp-1', 'fast-cnp-2', 'roce-v1'] as const;

/** A common reason for frames of a kind. */
interface Reason {
  readonly field: OtherKind['field'];
  /** The field's value that this reason applies to; absent: any value. */
  readonly number?: number;
  readonly text: string;
}

const UNREADABLE_TUNNEL = 'carries no header of its tunnel: the frames are cut, or another protocol uses the port';

const REASONS: readonly Reason[] = [
  { field: 'ip-protocol', number: 50, text: 'encrypted: RoCE inside of IPsec cannot be read' },
  { field: 'ether-type', number: 0x88e5, text: 'encrypted: RoCE inside of MACsec cannot be read' },
  { field: 'ip-protocol', number: 6, text: 'TCP: storage over NVMe/TCP, iWARP or control traffic, not RoCE' },
  ...TUNNEL_PORTS.map((number): Reason => ({ field: 'udp-port', number, text: UNREADABLE_TUNNEL })),
  { field: 'udp-port', number: 6343, text: 'sFlow: the samples inside are not read' },
  { field: 'fragment', text: 'RoCEv2 is never fragmented (Annex A17, CA17-7): the MTU of a tunnel is too small' },
  { field: 'routing', text: 'source-routed without a tunnel: its destination is the next waypoint, not the receiver' },
];

const NO_ROCE =
  'No RoCE at all: adapters pass RDMA by the kernel, so tcpdump on a host sees it only in sniffer mode (ethtool ' +
  '--set-priv-flags DEV sniffer on), or on the RDMA device (tcpdump -i mlx5_0); a switch mirrors both directions only ' +
  'if told so.';

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
  const { others, othersElsewhere, classes, capture, mrc } = result;
  if (capture.frames === 0 || others.length === 0) return [];
  const shown = others.slice(0, KINDS_SHOWN);
  const rest = others.slice(KINDS_SHOWN).reduce((sum, { frames }) => sum + frames, othersElsewhere);
  const sentences = shown.map(otherSentence);
  if (rest > 0) sentences.push(`- of further kinds: ${formatCount(rest)}`);
  if (mrc === undefined && ROCE_CLASSES.every((name) => classes[name].frames === 0)) sentences.push(NO_ROCE);
  return [...heading('Not RoCE', style), ...sentences.flatMap((sentence) => wrap(sentence, style))];
}

function otherSentence({ field, number, frames, firstFrame }: OtherKind): string {
  const reason = REASONS.find((one) => one.field === field && (one.number === undefined || one.number === number));
  const why = reason === undefined ? '' : `; ${reason.text}`;
  return `- ${unreadWords(field, number)}: ${formatCountOf(frames, 'frame')}, first frame ${
    formatCount(firstFrame)
  }${why}`;
}
