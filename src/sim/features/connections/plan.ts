/** QPs that carry several messages, fidelity `standard`. Part of a `NetworkPlan`. */
import type { FlowPlans } from '../../flow-plans.js';

/** Which flows are messages of one QP. Those of a QP have the same hosts, ports, classes, parameter set and transport. */
export interface ConnectionsPlan {
  /** By flow: the first flow of its QP, in the order of the list; -1: the flow has its own QP. */
  readonly leaderOf: Int32Array;
  /** Time without bytes in flight after which a QP restarts at line rate, picoseconds; `Infinity`: never. */
  readonly idleRestartPs: number;
}

/** Sequence numbers that each flow's QP takes, in bytes: of a flow that leads a QP, those of all its messages. */
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

/** Messages of each QP, by the flow that leads it; 0 for other flows. */
export function messageCounts({ leaderOf }: ConnectionsPlan): Uint32Array {
  const counts = new Uint32Array(leaderOf.length);
  for (const leader of leaderOf) if (leader >= 0) counts[leader]++;
  return counts;
}
