/** Resolves discovery before traffic: fills in defaults and replaces node names by indices. */
import { PS_PER_US } from '../../../unit-sizes.js';
import { DEFAULT_DISCOVERY, PLAIN_ROUTER } from '../../scenario/defaults.js';
import { type NodeFinders, rejectScenario } from '../../scenario/scenario-error.js';
import type { ScenarioSpec } from '../../scenario/spec.js';
import type { ValidDiscovery, ValidDiscoveryRouter } from '../../scenario/valid-scenario.js';

/**
 * Resolves the setting `discovery`.
 *
 * @param hasTunnels whether there is a WAN with provider edges.
 * @throws RoceError `invalid-scenario` for an unknown switch, a policy that contradicts the network preset, and tunnels.
 */
export function resolveDiscovery({ discovery, network }: ScenarioSpec, hasTunnels: boolean, named: NodeFinders):
  | ValidDiscovery
  | null {
  if (discovery === undefined) return null;
  if (hasTunnels) {
    rejectScenario({
      what: 'discovery',
      problem: 'is not supported for a WAN with provider edges, whose routers see only outer headers',
      got: discovery,
      where: 'discovery',
      hint: 'Leave out discovery, or topology.wan.edges',
    });
  }
  const { form, onMismatch, timeoutUs, routers = [] } = { ...DEFAULT_DISCOVERY, ...discovery };
  if (onMismatch === 'push' && network !== undefined && network !== 'lossless') {
    rejectScenario({
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
  const timeoutPs = Math.max(1, Math.round(timeoutUs * PS_PER_US));
  return { form, onMismatch, timeoutPs, routers: byNode };
}
