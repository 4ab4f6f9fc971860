/** Sentences of findings on lost and retransmitted packets, by code; each function's parameter declares the figures. */
import type { DropReason } from '../../result.js';
import type { Fidelity, Transport } from '../../scenario/spec.js';
import { listText, listWords, portText, text, type Text, countWords, wereWords, wholeWords } from '../text.js';

const DROPS: Readonly<Record<DropReason, string>> = {
  buffer: 'no memory was left',
  noRoute: 'there was no route to the destination',
  linkDown: 'a link was down',
  loss: 'the scenario loses them',
  corrupt: 'their ICRC was wrong',
  bitErrors: 'their frame check sequence was wrong (bit errors on a link)',
  receiveBuffer: 'the receive buffer of their host was full',
  watchdog: 'the PFC watchdog of a switch had declared their queue stormed',
  accessList: 'an access list at a border denied a Fast CNP',
  tunnelEcn: 'their inner and outer ECN fields did not match where a tunnel ends (RFC 6040)',
  wrongUsid: 'the table of a switch lacked a uSID of their path',
};

/** Reasons for drops, in the order in which an explanation states them. */
export const DROP_REASONS = Object.keys(DROPS) as DropReason[];

const TRANSPORTS: Readonly<Record<Transport, string>> = {
  'go-back-n': 'Go-back-N',
  'selective-repeat': 'Selective repeat',
  irn: 'IRN',
  tolerant: 'The tolerant transport',
  mrc: 'MRC',
};

/** The signals by which losses were detected, with their counts; null: not counted. */
export interface LossSignals {
  readonly naks?: number;
  readonly nacks?: number;
  /** SACKs of later packets. */
  readonly sacks?: null;
  readonly rnrNaks?: number;
  readonly readRequests?: number;
  readonly timeouts?: number;
}

const SIGNALS: Readonly<Record<keyof LossSignals, (count: number) => string>> = {
  naks: (count) => countWords(count, 'NAK'),
  nacks: (count) => countWords(count, 'NACK'),
  sacks: () => 'SACKs of later packets',
  rnrNaks: (count) => countWords(count, 'RNR NAK'),
  readRequests: (count) => countWords(count, 'repeated READ request'),
  timeouts: (count) => countWords(count, 'timeout'),
};

const HELD = {
  deadlock: 'timeouts expired for packets that the deadlock held.',
  'pause-storm': 'timeouts expired for packets that the pause storm held.',
  queues: 'the timeouts were too short for the queues: see hosts.retransmitTimeoutUs.',
} as const;

export const LOSS_SENTENCES = {
  'nothing-lost': ({ hasTimeouts }: {
    /** Whether any sender has a retransmission timeout. */
    readonly hasTimeouts: boolean;
  }): Text => `No: 0 packets dropped, 0 retransmitted, ${hasTimeouts ? '0 NAKs, 0 timeouts' : '0 NAKs'}.`,
  'nothing-dropped': (): Text => 'No packet was dropped.',
  'packets-dropped': ({ packets, drops }: {
    readonly packets: number;
    readonly drops: readonly { readonly reason: DropReason; readonly packets: number }[];
  }): Text =>
    `${wereWords(packets, 'packet')} dropped${drops.length > 1 ? ':' : ''} ${
      listWords(drops.map((one) =>
        `${one.packets === packets ? '' : `${wholeWords(one.packets)} `}because ${DROPS[one.reason]}`
      ))
    }.`,
  'most-drops': ({ ports }: { readonly ports: readonly { readonly port: string; readonly packets: number }[] }): Text =>
    text`Most at ${listText(ports.map(({ port, packets }) => text`${portText(port)} (${wholeWords(packets)})`))}.`,
  'memory-unprotected': ({ node }: { readonly node: string }): Text =>
    `PFC is off at ${node}: nothing stops senders before memory is full.`,
  'headroom-too-small': ({ node, fidelity }: { readonly node: string; readonly fidelity: Fidelity }): Text =>
    `PFC is on at ${node}, ${
      fidelity === 'reference-lossy' ?
        'but the limit of an egress queue (its pool) was reached before pauses took effect, or a pause expired.' :
        'so its headroom was too small for what arrived after a pause.'
    }`,
  'packets-trimmed': ({ packets, port, packetsThere }: {
    readonly packets: number;
    /** The port with the most. */
    readonly port: string;
    readonly packetsThere: number;
  }): Text =>
    text`${wereWords(packets, 'packet')} trimmed for lack of room, most at ${portText(port)} (${
      wholeWords(packetsThere)
    }).`,
  'trimmed-at-last-hop': (): Text => 'Most of these at the last hop: several senders share a receiver (incast).',
  'trimmed-between-switches': (): Text => 'Most of these between switches: paths are loaded unequally, or too few.',
  'trimmed-dropped': ({ packets }: { readonly packets: number }): Text =>
    `${wereWords(packets, 'trimmed packet')} dropped, so no NACK asked for them.`,
  'discarded-by-receivers': ({ packets, hosts }: {
    readonly packets: number;
    readonly hosts: readonly string[];
  }): Text =>
    `${wereWords(packets, 'packet')} discarded by ${listWords(hosts)} (fault receiver-discards), which sent NACKs.`,
  'packets-retransmitted': ({ transports, packets, signals }: {
    readonly transports: readonly Transport[];
    readonly packets: number;
    readonly signals: LossSignals;
  }): Text => {
    const who = transports.length === 1 ? TRANSPORTS[transports[0]] : 'Senders';
    const after = (Object.keys(signals) as (keyof LossSignals)[]).map((signal) =>
      SIGNALS[signal](signals[signal] ?? 0)
    );
    const what = `${who} retransmitted ${countWords(packets, 'packet')}`;
    return after.length === 0 ? `${what}.` : `${what}, after ${listWords(after)}.`;
  },
  'timeouts-without-drops': ({ held }: {
    /** What delayed the packets. */
    readonly held: keyof typeof HELD;
  }): Text => `With nothing dropped, ${HELD[held]}`,
};
