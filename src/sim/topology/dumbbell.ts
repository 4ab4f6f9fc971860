/** Dumbbell: `left` hosts on `s0`, `right` hosts on `s1`, and the bottleneck link between them. */
import type { DumbbellSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type Network } from './network.js';

export function buildDumbbell(spec: DumbbellSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.left + spec.right);
  const [left, right] = builder.addSwitches(2, 's');
  const edge = linkSettings(spec);
  hosts.forEach((host, i) => builder.link(host, i < spec.left ? left : right, edge));
  builder.link(left, right, linkSettings(spec.bottleneck, edge));
  return builder.finish();
}
