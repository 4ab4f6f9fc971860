/** Observations in an interval of QPs, switches and hosts: counters, and states at its end. */
import type { PortAt, RawAgent, MarkingAction } from '../sim/index.js';
import { BITS_PER_BYTE, PS_PER_SECOND, PS_PER_US } from '../units.js';
import type { Observed } from './agent.js';

/** State of a port at the end of an interval, and at the end of the previous one. */
export interface PortInterval {
  readonly now: PortAt;
  readonly before: PortAt;
  readonly rateBps: number;
  readonly intervalPs: number;
}

/** State that includes ports. */
interface WithPorts {
  readonly ports: readonly PortInterval[];
}

/** Observations of the ports of a host or a switch. */
const PORT_OBSERVATIONS = {
  queueBytes: {
    unit: 'bytes',
    min: 0,
    max: null,
    whole: true,
    description: 'Bytes that wait now at its ports',
    read: ({ ports }) => sumOf(ports, ({ now }) => now.queueBytes),
  },
  txBytes: counted('bytes', 'Bytes whose transmission began in the interval', 'txBytes'),
  utilization: {
    unit: '',
    min: 0,
    max: 1,
    whole: false,
    description: 'Share of the interval in which its busiest port was sending',
    read: ({ ports }) => largestOf(ports, utilizationOf),
  },
  pausesReceived: counted('', 'Pause frames that arrived in the interval', 'pausesReceived'),
  pausedUs: {
    unit: 'us',
    min: 0,
    max: null,
    whole: false,
    description: 'How long its ports were paused in the interval, summed over ports and classes',
    read: ({ ports }) => sumOf(ports, ({ now, before }) => now.pausedPs - before.pausedPs) / PS_PER_US,
  },
} as const satisfies Record<string, Observed<WithPorts>>;

/** Declares a count in the interval, summed over ports. */
export function counted(unit: string, description: string, field: PortCounter): Observed<WithPorts> {
  const read = ({ ports }: WithPorts): number => sumOf(ports, ({ now, before }) => now[field] - before[field]);
  return { unit, min: 0, max: null, whole: true, description, read };
}

type PortCounter = 'txBytes' | 'marks' | 'drops' | 'fastCnps' | 'pausesSent' | 'pausesReceived';

export function sumOf(ports: readonly PortInterval[], of: (port: PortInterval) => number): number {
  return ports.reduce((sum, port) => sum + of(port), 0);
}

export function largestOf(ports: readonly PortInterval[], of: (port: PortInterval) => number): number {
  return ports.reduce((most, port) => Math.max(most, of(port)), 0);
}

/** Mean queue length over the interval; 0 if the interval is empty. */
export function meanQueueBytes({ now, before, intervalPs }: PortInterval): number {
  return intervalPs === 0 ? 0 : (now.queueIntegral - before.queueIntegral) / intervalPs;
}

/** Time that the port needs to send its mean queue. */
export function queueDelayUs(port: PortInterval): number {
  return (meanQueueBytes(port) * BITS_PER_BYTE * PS_PER_SECOND) / port.rateBps / PS_PER_US;
}

function utilizationOf({ now, before, intervalPs }: PortInterval): number {
  return intervalPs === 0 ? 0 : Math.min(1, (now.busyPs - before.busyPs) / intervalPs);
}

/** State of a QP at the end of an interval, and at the end of the previous one. */
export interface QpInterval {
  readonly now: RawAgent;
  readonly before: RawAgent;
  /** Pacing rate, bits per second; 0 while it is not running. */
  readonly rateBps: number;
}

/** Observations of a QP that a host's agent sees summed over its QPs. */
const SUMMED_OBSERVATIONS = {
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
  sentBytes: countedOfQp('bytes', 'Payload that left in the interval, retransmissions included', 'sentBytes'),
  ackedBytes: countedOfQp('bytes', 'Payload that was acknowledged in the interval', 'ackedBytes'),
  deliveredBytes: countedOfQp('bytes', 'Payload that arrived in order at the receiver in the interval',
    'deliveredBytes'),
  inFlightBytes: {
    unit: 'bytes',
    min: 0,
    max: null,
    whole: true,
    description: 'Payload that has left and is not acknowledged now',
    read: ({ now }) => now.inFlightBytes,
  },
  acks: countedOfQp('', 'ACKs and NAKs that arrived in the interval', 'acks'),
  markedAcks: countedOfQp('', 'ACKs and NAKs whose data packet was marked', 'markedAcks'),
  cnps: countedOfQp('', 'CNPs and Fast CNPs that arrived in the interval', 'cnps'),
  retransmittedPackets: countedOfQp('', 'Packets retransmitted in the interval', 'retransmittedPackets'),
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
function countedOfQp(unit: string, description: string, field: CounterField): Observed<QpInterval> {
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

/** State of a switch in an interval. */
export interface SwitchInterval {
  readonly ports: readonly PortInterval[];
  /** Bytes of shared buffer in use. */
  readonly bufferBytes: number;
  /** Thresholds of the switch's first port that marks. */
  readonly marking: MarkingAction;
}

const BYTES = { unit: 'bytes', min: 0, max: null, whole: true } as const;

/** All observations of a switch's agent. */
export const SWITCH_OBSERVATIONS: Readonly<Record<string, Observed<SwitchInterval>>> = {
  ...PORT_OBSERVATIONS,
  maxQueueBytes: {
    ...BYTES,
    description: 'Bytes that wait now at the port with the longest queue',
    read: ({ ports }) => largestOf(ports, ({ now }) => now.queueBytes),
  },
  meanQueueBytes: {
    ...BYTES,
    whole: false,
    description: 'Mean queue over the interval, of the port where it is the longest',
    read: ({ ports }) => largestOf(ports, meanQueueBytes),
  },
  queueDelayUs: {
    unit: 'us',
    min: 0,
    max: null,
    whole: false,
    description: 'Time in which a port sends its mean queue, of the port where it is the longest',
    read: ({ ports }) => largestOf(ports, queueDelayUs),
  },
  bufferBytes: {
    ...BYTES,
    description: 'Shared buffer in use now',
    read: ({ bufferBytes }) => bufferBytes,
  },
  marks: counted('', 'Packets marked in the interval', 'marks'),
  drops: counted('', 'Packets dropped in the interval', 'drops'),
  fastCnps: counted('', 'Fast CNPs sent in the interval', 'fastCnps'),
  pausesSent: counted('', 'Pause frames sent in the interval', 'pausesSent'),
  kminBytes: {
    ...BYTES,
    whole: false,
    description: 'Kmin now, of its first port',
    read: (seen) => seen.marking.kminBytes,
  },
  kmaxBytes: {
    ...BYTES,
    whole: false,
    description: 'Kmax now, of its first port',
    read: (seen) => seen.marking.kmaxBytes,
  },
  pmax: {
    unit: '',
    min: 0,
    max: 1,
    whole: false,
    description: 'Pmax now, of its first port',
    read: (seen) => seen.marking.pmax,
  },
};

/** State of a host in an interval. */
export interface HostInterval {
  readonly qps: readonly QpInterval[];
  readonly ports: readonly PortInterval[];
}

/** All observations of a host's agent. */
export const HOST_OBSERVATIONS: Readonly<Record<string, Observed<HostInterval>>> = {
  ...Object.fromEntries(Object.entries(SUMMED_OBSERVATIONS).map(([name, declared]) => [name, summed(declared)])),
  running: {
    ...summed(SUMMED_OBSERVATIONS.running),
    description: 'Its QPs that have started and are not done',
  },
  meanRttUs: { ...QP_OBSERVATIONS.meanRttUs, read: ({ qps }) => meanRttUs(qps) },
  minRttUs: { ...QP_OBSERVATIONS.minRttUs, read: ({ qps }) => minRttUs(qps) },
  ...PORT_OBSERVATIONS,
};

function summed({ description, read, ...declared }: Observed<QpInterval>): Observed<HostInterval> {
  return {
    ...declared,
    max: null,
    description: `${description}, summed over its QPs`,
    read: ({ qps }) => qps.reduce((sum, qp) => sum + read(qp), 0),
  };
}
