/** Observations of a host's agent: sums over its sending QPs, and its ports. */
import { PORT_OBSERVATIONS, type PortInterval } from './observe-port.js';
import { meanRttUs, minRttUs, QP_OBSERVATIONS, SUMMED_OBSERVATIONS, type QpInterval } from './observe-qp.js';
import type { Observed } from './space.js';

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
