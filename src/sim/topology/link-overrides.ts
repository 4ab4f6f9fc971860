/** Overrides the rate or delay of single links in a regular network, such as a slow or long uplink. */
import { nodeFinders } from '../scenario/node-finders.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { LinkOverrideSpec } from '../scenario/spec.js';
import { bitsPerSecond, picoseconds, type Network, type NetworkLink } from './network.js';

/**
 * Applies link overrides to a network.
 *
 * @throws RoceError `invalid-scenario` for an unknown node, two nodes without a link, or a link listed twice.
 */
export function withLinkOverrides(network: Network, overrides: readonly LinkOverrideSpec[]): Network {
  const named = nodeFinders(network.nodes);
  const linkOf = new Map(network.links.map(({ from, to }, index) => [keyOf(from, to), index]));
  const changed = new Map<number, LinkOverrideSpec>();
  overrides.forEach((override, i) => {
    const where = `topology.linkOverrides[${i}]`;
    const from = named.node(override.from, `${where}.from`);
    const index = linkOf.get(keyOf(from, named.node(override.to, `${where}.to`)));
    if (index === undefined) {
      const problem = `has no link to ${override.to}`;
      return rejectScenario({ what: `node ${override.from}`, problem, got: override.to, where: `${where}.to` });
    }
    if (changed.has(index)) {
      const problem = 'is given twice';
      rejectScenario({ what: `the link ${override.from} to ${override.to}`, problem, got: override, where });
    }
    changed.set(index, override);
  });
  return { ...network, links: network.links.map((link, index) => withOverride(link, changed.get(index))) };
}

/** Key of a link, independent of the order of its ends. */
const keyOf = (from: number, to: number): string => (from < to ? `${from} ${to}` : `${to} ${from}`);

function withOverride(link: NetworkLink, { rateGbps, delayNs }: Partial<LinkOverrideSpec> = {}): NetworkLink {
  return {
    ...link,
    ...(rateGbps !== undefined && { rateBps: bitsPerSecond(rateGbps) }),
    ...(delayNs !== undefined && { delayPs: picoseconds(delayNs) }),
  };
}
