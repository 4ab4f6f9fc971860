/** Observations of a QP's agent: the sender's counters over the interval, and its state at the end. */
import type { RawAgent } from '../sim/index.js';
import { PS_PER_US } from '../unit-sizes.js';
import type { Observed } from './space.js';

/** State of a QP at the end of an interval, and at the end of the previous one. */
export interface QpInterval {
  readonly now: RawAgent;
  readonly before: RawAgent;
  /** Pacing rate, bits per second; 0 while it is not running. */
  readonly rateBps: number;
}

/** Observations of a QP that a host's agent sees summed over its QPs. */
export const SUMMED_OBSERVATIONS = {
  running: {
    unit: '',
    min: 0,
    max: 1,
    whole: true,
    description: '1 while the QP has started and is not done, otherwise 0',
    read: ({ now }) => Number(now.running),
  },
  rateBps: {
    unit: 'b/s',
    min: 0,
    max: 'mostBps',
    whole: false,
    description: 'Rate by which it is paced now, 0 while it is not running',
    read: ({ rateBps }) => rateBps,
  },
  sentBytes: counted('bytes', 'Payload that left in the interval, retransmissions included', 'sentBytes'),
  ackedBytes: counted('bytes', 'Payload that was acknowledged in the interval', 'ackedBytes'),
  deliveredBytes: counted('bytes', 'Payload that arrived in order at the receiver in the interval', 'deliveredBytes'),
  inFlightBytes: {
    unit: 'bytes',
    min: 0,
    max: null,
    whole: true,
    description: 'Payload that has left and is not acknowledged now',
    read: ({ now }) => now.inFlightBytes,
  },
  acks: counted('', 'ACKs and NAKs that arrived in the interval', 'acks'),
  markedAcks: counted('', 'ACKs and NAKs whose data packet was marked', 'markedAcks'),
  cnps: counted('', 'CNPs and Fast CNPs that arrived in the interval', 'cnps'),
  retransmittedPackets: counted('', 'Packets retransmitted in the interval', 'retransmittedPackets'),
} as const satisfies Record<string, Observed<QpInterval>>;

/** All observations of a QP's agent. */
export const QP_OBSERVATIONS = {
  ...SUMMED_OBSERVATIONS,
  windowBytes: {
    unit: 'bytes',
    min: 0,
    max: 2 ** 32 - 1,
    whole: true,
    description: 'Bytes that may be in flight now; 0: unlimited',
    read: ({ now }) => now.windowBytes,
  },
  meanRttUs: {
    unit: 'us',
    min: 0,
    max: null,
    whole: false,
    description: 'Mean round trip of the ACKs of the interval; 0: none arrived',
    read: (seen) => meanRttUs([seen]),
  },
  minRttUs: {
    unit: 'us',
    min: 0,
    max: null,
    whole: false,
    description: 'Shortest round trip of the ACKs of the interval; 0: none arrived',
    read: (seen) => minRttUs([seen]),
  },
} as const satisfies Record<string, Observed<QpInterval>>;

/** Declares a count in the interval: the difference of a counter. */
function counted(unit: string, description: string, field: CounterField): Observed<QpInterval> {
  return { unit, min: 0, max: null, whole: true, description, read: ({ now, before }) => now[field] - before[field] };
}

type CounterField = 'sentBytes' | 'ackedBytes' | 'deliveredBytes' | 'acks' | 'markedAcks' | 'cnps'
  | 'retransmittedPackets';

/** Mean round trip over the ACKs of several QPs. */
export function meanRttUs(seen: readonly QpInterval[]): number {
  const acks = seen.reduce((sum, { now, before }) => sum + now.acks - before.acks, 0);
  const rttPs = seen.reduce((sum, { now, before }) => sum + now.rttSumPs - before.rttSumPs, 0);
  return acks === 0 ? 0 : rttPs / acks / PS_PER_US;
}

/** Minimum round trip over the ACKs of several QPs. */
export function minRttUs(seen: readonly QpInterval[]): number {
  const minPs = seen.reduce((least, { now }) => Math.min(least, now.rttMinPs), Infinity);
  return Number.isFinite(minPs) ? minPs / PS_PER_US : 0;
}
