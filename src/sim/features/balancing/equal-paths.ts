/** How evenly switches used their equal paths, for scenarios with load balancing. */
import type { NetworkPlan } from '../../plan.js';
import type { FlowResult, PortResult, Summary, EqualPathsResult } from '../../result.js';
import type { ScenarioSpec } from '../../scenario/spec.js';
import { jainIndex } from '../../results/fairness.js';

/** The sets of equal paths that carried traffic; none if the scenario sets neither load balancing nor path selection. */
export function equalPathsResults({ groups }: NetworkPlan, scenario: ScenarioSpec,
  ports: readonly PortResult[]): { readonly equalPaths?: readonly EqualPathsResult[] } {
  if (!saysBalancing(scenario)) return {};
  return {
    equalPaths: distinct(groups).filter((group) => group.length > 1 && group.some((port) => ports[port].txBytes > 0))
      .map((group) => {
        const txBytes = group.map((port) => ports[port].txBytes);
        return {
          node: ports[group[0]].node,
          ports: group.map((port) => ports[port].name),
          txBytes,
          fairness: jainIndex(txBytes),
        };
      }),
  };
}

/** Removes groups that differ only in their weights from another group. */
function distinct(groups: NetworkPlan['groups']): NetworkPlan['groups'] {
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function saysBalancing({ switches, hosts, overrides = [] }: ScenarioSpec): boolean {
  return switches?.loadBalancing !== undefined || hosts?.pathSelection !== undefined ||
    overrides.some((one) => one.switch?.loadBalancing !== undefined || one.host?.pathSelection !== undefined);
}

/** Members of a summary on equal paths and packet order; those that do not apply are absent. */
export function summariseOrder(flows: readonly FlowResult[], equalPaths: readonly EqualPathsResult[] | undefined): Pick<
  Summary,
  'outOfOrderPackets' | 'reorderingDepthPackets' | 'detours' | 'pathFairness'
> {
  const outOfOrderPackets = flows.reduce((sum, flow) => sum + (flow.outOfOrderPackets ?? 0), 0);
  const reorderingDepthPackets = flows.reduce((most, flow) => Math.max(most, flow.reorderingDepthPackets ?? 0), 0);
  const detours = flows.reduce((sum, flow) => sum + (flow.detours ?? 0), 0);
  return {
    ...(outOfOrderPackets > 0 ? { outOfOrderPackets, reorderingDepthPackets } : {}),
    ...(detours > 0 ? { detours } : {}),
    ...(equalPaths === undefined || equalPaths.length === 0 ? {} : { pathFairness: meanFairness(equalPaths) }),
  };
}

/** Mean fairness, each set weighted by the bytes it carried. */
function meanFairness(equalPaths: readonly EqualPathsResult[]): number {
  let [sum, bytes] = [0, 0];
  for (const { txBytes, fairness } of equalPaths) {
    const sent = txBytes.reduce((all, one) => all + one, 0);
    sum += fairness * sent;
    bytes += sent;
  }
  return sum / bytes;
}
