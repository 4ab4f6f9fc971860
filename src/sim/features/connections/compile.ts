/** Which flows of a scenario are messages of one QP. */
import { PS_PER_US } from '../../../unit-sizes.js';
import type { ConnectionsPlan } from './plan.js';
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
