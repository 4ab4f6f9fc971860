/** Networks of a topology's shape in which one link is slower than the others. */
import type { EdgesSpec, TopologySpec } from '../../src/sim/scenario/spec.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';
import { BPS_PER_GBPS, PS_PER_NS } from '../../src/units.js';

/**
 * The same nodes and links, as a list of links.
 *
 * @param between names of the ends of the slow link. @param share of its rate that is left.
 */
export function withSlowLink(topology: TopologySpec, between: readonly [string, string], share: number): EdgesSpec {
  const { nodes, links } = buildNetwork(topology);
  return {
    kind: 'edges',
    nodes: nodes.map(({ name, kind }) => ({ name, kind })),
    links: links.map(({ from: a, to: b, rateBps, delayPs }) => {
      const [from, to] = [nodes[a].name, nodes[b].name];
      const isSlow = between.includes(from) && between.includes(to);
      const rateGbps = rateBps / BPS_PER_GBPS;
      return { from, to, rateGbps: isSlow ? rateGbps * share : rateGbps, delayNs: delayPs / PS_PER_NS };
    }),
  };
}
