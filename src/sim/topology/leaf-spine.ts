/** Leaf-spine: every leaf to every spine; hosts are numbered leaf by leaf. */
import type { LeafSpineSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type LinkSettings, type Network } from './network.js';

export function buildLeafSpine(spec: LeafSpineSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.leaves * spec.hostsPerLeaf);
  const leaves = builder.addSwitches(spec.leaves, 'leaf');
  const spines = builder.addSwitches(spec.spines, 'spine');
  const edge = linkSettings(spec);
  linkHosts(builder, hosts, leaves, edge);
  linkMesh(builder, leaves, spines, linkSettings(spec.uplink, edge));
  return builder.finish();
}

/** The same number of hosts on each switch, in order. */
export function linkHosts(builder: NetworkBuilder, hosts: readonly number[], switches: readonly number[],
  link: LinkSettings): void {
  const perSwitch = hosts.length / switches.length;
  hosts.forEach((host, i) => builder.link(host, switches[Math.floor(i / perSwitch)], link));
}

/** Each of `from` to each of `to`. */
export function linkMesh(builder: NetworkBuilder, from: readonly number[], to: readonly number[],
  link: LinkSettings): void {
  for (const a of from) for (const b of to) builder.link(a, b, link);
}
