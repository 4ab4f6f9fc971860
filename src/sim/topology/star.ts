/** Star: all hosts on one switch `s0`. */
import type { StarSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type Network } from './network.js';

export function buildStar(spec: StarSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.hosts);
  const [hub] = builder.addSwitches(1, 's');
  for (const host of hosts) builder.link(host, hub, linkSettings(spec));
  return builder.finish();
}
