/** QPs that carry several flows as messages: which flows share one, and what that means for its sequence space. */
import { PS_PER_US } from '../../../units.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { ConnectionsPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { WorkloadFlows } from '../../workload/workload-flows.js';

/** The plan of QPs that carry several messages; undefined: each flow has its own QP. */
export function connectionsPlan({ flows, hosts }: ValidScenario): ConnectionsPlan | undefined {
  const isShared = sharedQps(flows);
  if (!isShared.includes(1)) return undefined;
  const leaderOf = Int32Array.from({ length: flows.length }, (_, flow) => {
    const leader = flows.leaderOf(flow);
    return isShared[leader] === 1 ? leader : -1;
  });
  const { idleRestartUs } = hosts;
  return { leaderOf, idleRestartPs: idleRestartUs === null ? Infinity : Math.round(idleRestartUs * PS_PER_US) };
}

/** Marks the first flow of each QP that carries several: 1, indexed by flow. */
function sharedQps(flows: WorkloadFlows): Uint8Array {
  const isShared = new Uint8Array(flows.length);
  for (let flow = 0; flow < flows.length; flow++) {
    const leader = flows.leaderOf(flow);
    if (leader !== flow) isShared[leader] = 1;
  }
  return isShared;
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

/** @throws RoceError `invalid-scenario` for a flow that shares its QP. @param what the setting that needs a QP for each flow. */
export function requireOwnQp(connections: ConnectionsPlan | undefined, flow: number, what: string): void {
  if (connections === undefined || connections.leaderOf[flow] < 0) return;
  rejectScenario({
    what,
    problem: 'needs a QP for each message',
    got: { flow },
    where: 'workload',
    hint: "connections 'per-message' gives each flow its own QP",
  });
}
