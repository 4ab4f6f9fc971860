/** Observations of ports in an interval, for the agents of hosts and switches. */
import type { PortAt } from '../sim/index.js';
import { BITS_PER_BYTE, PS_PER_SECOND, PS_PER_US } from '../unit-sizes.js';
import type { Observed } from './space.js';

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
export const PORT_OBSERVATIONS = {
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
