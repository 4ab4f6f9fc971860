/** Observations of a switch's agent: its ports, its buffer, and its marking thresholds. */
import type { MarkingAction } from '../sim/index.js';
import { counted, largestOf, meanQueueBytes, PORT_OBSERVATIONS, queueDelayUs,
  type PortInterval } from './observe-port.js';
import type { Observed } from './space.js';

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
