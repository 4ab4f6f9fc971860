/** Sentences of findings on congestion control, by code; each function's parameter declares the figures. */
import { instantText, listWords, portText, sentences, text, type Text, bytesWords, countWords, percentWords, timeWords,
  wereWords, wholeWords } from '../text.js';

/** How algorithms that don't use CNPs detect congestion. */
const NOTIFIED_BY: Readonly<Record<string, string>> = {
  hpcc: 'telemetry in ACKs',
  'hpcc-pint': 'telemetry in ACKs',
  timely: 'round-trip times',
  swift: 'delays',
  nscc: 'delays and marks that ACKs repeat',
  rccc: 'credit that receivers grant',
  dctcp: 'marks that ACKs repeat',
};

/** Whether an algorithm detects congestion by other means than CNPs. */
export function usesNoCnps(family: string): boolean {
  return NOTIFIED_BY[family] !== undefined;
}

export interface OfAlgorithms {
  /** Algorithms that do not use CNPs. */
  readonly algorithms: readonly string[];
}

const NOT_SENT = { mark: 'No packet was marked', 'fast-cnp': 'No switch sent one' } as const;

export interface Unmarked {
  /** What did not happen. */
  readonly none: keyof typeof NOT_SENT;
  /** The port with the longest queue among those that mark. */
  readonly port: string;
  /** Maximum length of its queue. */
  readonly queueBytes: number;
}

export interface AboveKmin extends Unmarked {
  readonly kminBytes: number;
}

export const CONGESTION_SENTENCES = {
  // ---- Congestion control or PFC
  'buffers-overflowed': (): Text => 'Neither kept queues short enough: buffers overflowed and packets were dropped.',
  'nothing-to-do': (): Text => 'Neither was needed: no sender was slowed down.',
  'pfc-alone': ({ algorithms }: OfAlgorithms): Text =>
    algorithms.length > 0 ?
      `PFC alone: congestion control (${listWords(algorithms)}) lowered the rate of no sender.` :
      'PFC alone: no sender was notified of congestion.',
  'control-alone': ({ algorithms, packetsLost }: OfAlgorithms & {
    /** Packets lost for reasons other than full buffers. */
    readonly packetsLost: number;
  }): Text =>
    packetsLost === 0 ?
      `${controlWords(algorithms)} did the work; PFC never fired.` :
      `${controlWords(algorithms)} did the work, and PFC never fired, but packets were lost otherwise.`,
  'control-mostly': ({ algorithms }: OfAlgorithms): Text =>
    `${controlWords(algorithms)} did the work; PFC hardly fired.`,
  'control-and-pfc': (): Text => 'PFC paused links before congestion control slowed the senders: both did the work.',
  'work-counts': ({ notifications, pauses, pausedShare, naks, bufferDrops }: {
    /** Notifications; null: the algorithms ignore them. */
    readonly notifications: number | null;
    readonly pauses: number;
    /** Share of the run in which the longest-paused port was paused. */
    readonly pausedShare: number;
    readonly naks: number;
    readonly bufferDrops: number;
  }): Text =>
    `${notifications === null ? '' : `${countWords(notifications, 'notification')}, `}${countWords(pauses, 'pause')}${
      pauses > 0 ? ` (the longest paused port was paused for ${percentWords(pausedShare)} of the run)` : ''
    }, ${countWords(naks, 'NAK')}, ${countWords(bufferDrops, 'buffer-overflow drop')}.`,

  // ---- How senders were notified
  'signals-other-than-cnps': ({ algorithms }: OfAlgorithms): Text =>
    `By ${listWords([...new Set(algorithms.flatMap((family) => NOTIFIED_BY[family] ?? []))])}, not by CNPs.`,
  'cnps-ignored': ({ markedPackets, cnps }: { readonly markedPackets: number; readonly cnps: number }): Text =>
    `${wereWords(markedPackets, 'data packet')} marked; receivers sent ${
      countWords(cnps, 'CNP')
    }, which senders ignored.`,
  'flows-notified': ({ notified, flows, notifications, byAcks, markedPackets, cnps, fastCnps }: {
    /** Number of flows that were notified. */
    readonly notified: number;
    readonly flows: number;
    readonly notifications: number;
    /** Whether ACKs echo marks, as in the reference, which has no CNPs. */
    readonly byAcks: boolean;
    readonly markedPackets: number;
    readonly cnps: number;
    readonly fastCnps: number;
  }): Text =>
    `${wholeWords(notified)} of ${countWords(flows, 'flow')} were notified, ${wholeWords(notifications)} times in all${
      byAcks ? ' (marks that ACKs repeat, as the reference has no CNP packets)' : ''
    }: ${countWords(markedPackets, 'data packet')} marked, ${countWords(cnps, 'CNP')}, ${
      countWords(fastCnps, 'Fast CNP')
    }.`,
  'first-notification': ({ timePs }: { readonly timePs: number }): Text =>
    text`The first arrived ${instantText(timePs)} into the run.`,
  'duplicate-notifications': ({ notifications }: { readonly notifications: number }): Text =>
    `${wholeWords(notifications)} were for congestion already reported and were ignored.`,

  // ---- Why no notification was sent
  'no-data-sent': (): Text => 'No data was sent.',
  'no-algorithm-with-cnps': ({ algorithms }: OfAlgorithms): Text =>
    `No flow's algorithm uses CNPs; they learn of congestion otherwise: ${
      listWords(algorithms.map((family) => `${family} by ${NOTIFIED_BY[family]}`))
    }.`,
  'ecn-off': ({ switches }: { readonly switches: number }): Text =>
    `No switch marks: ECN is off at all of them (${switches}).`,
  'only-control-marked': ({ markedPackets }: { readonly markedPackets: number }): Text =>
    `${
      wereWords(markedPackets, 'packet')
    } marked, but none with data: marks on ACKs and other control packets notify no sender.`,
  'no-marking-switch': (): Text => 'There is no switch that could mark.',
  'thresholds-change': ({ none, port, queueBytes }: Unmarked): Text =>
    text`${NOT_SENT[none]}: the longest queue was ${bytesWords(queueBytes)}, at ${
      portText(port)
    }; Kmin and Kmax change during the run.`,
  'congestion-point-decides': ({ none, congestionPoint, node, queueBytes }: Omit<Unmarked, 'port'> & {
    readonly congestionPoint: string;
    readonly node: string;
  }): Text =>
    `${NOT_SENT[none]}: the congestion point ${congestionPoint} decides at ${node}, where the longest queue was ${
      bytesWords(queueBytes)
    }.`,
  'kmin-not-passed': ({ none, port, queueBytes, kminBytes }: AboveKmin): Text =>
    text`${NOT_SENT[none]}: the longest queue, ${bytesWords(queueBytes)} at ${portText(port)}, never passed Kmin, ${
      bytesWords(kminBytes)
    } there.`,
  'marking-by-chance': ({ kmaxBytes, ...above }: AboveKmin & { readonly kmaxBytes: number }): Text =>
    text`${aboveKminText(above)}: up to Kmax, ${bytesWords(kmaxBytes)}, marking is random, and too few packets saw it.`,
  'unmarked-above-kmax': ({ kmaxBytes, pausedPs, ...above }: AboveKmin & {
    readonly kmaxBytes: number;
    /** Time that the port was paused, which matters if packets are marked at dequeue; null: not the reason. */
    readonly pausedPs: number | null;
  }): Text =>
    text`${aboveKminText(above)}, and above Kmax, ${bytesWords(kmaxBytes)}: ${
      pausedPs === null ?
        "the packets that saw it can't have been data" :
        `marking is at dequeue, and the port was paused for ${timeWords(pausedPs)} while packets waited`
    }.`,
  'marks-lost': ({ markedPackets, isSilent, byAcks, packetsDropped, cnpDelayUs, isPaused }: {
    readonly markedPackets: number;
    /** Whether receivers send no CNPs. */
    readonly isSilent: boolean;
    readonly byAcks: boolean;
    readonly packetsDropped: number;
    readonly cnpDelayUs: number;
    /** Whether packets waited at paused ports when the run ended. */
    readonly isPaused: boolean;
  }): Text =>
    sentences(`${wereWords(markedPackets, 'data packet')} marked, yet no sender was notified.`,
      isSilent && 'Receivers send no CNPs for marks: hosts.notificationPoint is false.',
      byAcks && 'ACKs repeat marks only of packets that are acknowledged: those out of order get none.',
      packetsDropped > 0 && `${wereWords(packetsDropped, 'packet')} dropped, possibly marked ones among them.`,
      cnpDelayUs > 0 && `Receivers delay CNPs by ${cnpDelayUs} µs, and the run may have ended before.`, isPaused &&
      'Receivers send CNPs for marked packets that arrive: when the run ended, packets still waited at paused ports.'),

  // ---- Fast CNPs
  'marked-elsewhere': (): Text =>
    'Packets were marked, but not at a switch that may send them, or its buckets hold them all back.',
  'fast-cnps-sent': ({ fastCnps, reactedTo }: { readonly fastCnps: number; readonly reactedTo: number }): Text =>
    `${wereWords(fastCnps, 'Fast CNP')} sent; senders reacted to ${
      reactedTo === fastCnps ? 'all of them' : wholeWords(reactedTo)
    }.`,
  'fast-cnps-not-accepted': (): Text => 'Hosts accept none: hosts.acceptFastCnp is false.',
};

function controlWords(algorithms: readonly string[]): string {
  if (algorithms.length === 0) return 'Congestion control';
  const signal = algorithms.every((family) => family === 'rccc') ? 'receiver credit' : 'acknowledgements';
  return `Congestion control by ${signal} (${listWords(algorithms)})`;
}

function aboveKminText({ none, port, queueBytes, kminBytes }: AboveKmin): Text {
  return text`${NOT_SENT[none]}, although the queue at ${portText(port)} reached ${
    bytesWords(queueBytes)
  }, above Kmin, ${bytesWords(kminBytes)}`;
}
