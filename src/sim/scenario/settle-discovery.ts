/** Discovery before traffic, complete: by the indices of nodes. */
import { seconds } from '../../units.js';
import type { NodeFinders } from './node-finders.js';
import { refuseScenario } from './scenario-error.js';
import type { DiscoveryRouterSpec, DiscoverySpec, ScenarioSpec } from './spec.js';

const PS_PER_US = 1e6;

/** How a switch takes part. */
export type ValidDiscoveryRouter = Required<Omit<DiscoveryRouterSpec, 'nodes' | 'rocePriority'>> & {
  /** `null`: the class of the data. */
  readonly rocePriority: number | null;
};

/** Discovery with every default filled in. */
export interface ValidDiscovery {
  readonly form: Required<DiscoverySpec>['form'];
  readonly onMismatch: Required<DiscoverySpec>['onMismatch'];
  readonly timeoutPs: number;
  /** By node; switches that are not in it take part as they should. */
  readonly routers: ReadonlyMap<number, ValidDiscoveryRouter>;
}

/** One that takes part as it should. */
export const PLAIN_ROUTER: ValidDiscoveryRouter = {
  answers: 'always',
  dropsReplies: false,
  takesPolicies: true,
  rocePriority: null,
};

/**
 * @param hasTunnels is there a WAN with provider edges?
 * @throws RoceError `invalid-scenario` for an unknown switch, a policy that contradicts the network preset, and tunnels.
 */
export function settleDiscovery({ discovery, network }: ScenarioSpec, hasTunnels: boolean, named: NodeFinders):
  | ValidDiscovery
  | null {
  if (discovery === undefined) return null;
  if (hasTunnels) {
    refuseScenario({
      what: 'discovery',
      problem: 'is not there for a WAN with provider edges, whose routers see outer headers alone',
      got: discovery,
      where: 'discovery',
      hint: 'Leave out discovery, or topology.wan.edges',
    });
  }
  const { form = 'ipv6', onMismatch = 'report', timeoutUs, routers = [] } = discovery;
  if (onMismatch === 'push' && network !== undefined && network !== 'lossless') {
    refuseScenario({
      what: 'discovery.onMismatch',
      problem: `contradicts the network ${network}, as the policy turns PFC on`,
      got: onMismatch,
      allowed: ['report', 'refuse'],
      where: 'discovery.onMismatch',
    });
  }
  const byNode = new Map<number, ValidDiscoveryRouter>();
  routers.forEach(({ nodes, ...given }, i) => {
    nodes.forEach((name, j) => {
      const node = named.switch(name, `discovery.routers[${i}].nodes[${j}]`);
      byNode.set(node, { ...PLAIN_ROUTER, ...byNode.get(node), ...given });
    });
  });
  const timeoutPs = timeoutUs === undefined ? seconds(1) : Math.max(1, Math.round(timeoutUs * PS_PER_US));
  return { form, onMismatch, timeoutPs, routers: byNode };
}
