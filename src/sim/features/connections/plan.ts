/** QPs that carry several messages, fidelity `standard`. Part of a `NetworkPlan`. */
import type { FlowPlans } from '../../flow-plans.js';

/** Which flows are messages of one QP. They share hosts, ports, classes, parameter set and transport. */
export interface ConnectionsPlan {
  /** Index of the first flow of each flow's QP; -1: the flow has its own QP. */
  readonly leaderOf: Int32Array;
  /** Time without bytes in flight after which a QP restarts at line rate, picoseconds; `Infinity`: never. */
  readonly idleRestartPs: number;
}

/** Bytes of sequence space that each flow's QP uses. For the first flow of a QP, the sum over all its messages. */
export function streamSizes(flows: FlowPlans, connections: ConnectionsPlan | undefined,
  mtuBytes: (host: number) => number): Float64Array {
  if (connections === undefined) return flows.sizeBytes;
  const sizes = Float64Array.from(flows.sizeBytes);
  connections.leaderOf.forEach((leader, flow) => {
    if (leader < 0) return;
    const mtu = mtuBytes(flows.source[flow]);
    const bytes = Math.ceil(flows.sizeBytes[flow] / mtu) * mtu;
    sizes[leader] = leader === flow ? bytes : sizes[leader] + bytes;
  });
  return sizes;
}

/** Number of messages of each QP, indexed by its first flow; 0 for other flows. */
export function messageCounts({ leaderOf }: ConnectionsPlan): Uint32Array {
  const counts = new Uint32Array(leaderOf.length);
  for (const leader of leaderOf) if (leader >= 0) counts[leader]++;
  return counts;
}
