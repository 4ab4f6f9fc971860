/** Leaf-spine: every leaf is linked to every spine; hosts are numbered leaf by leaf. */
import type { LeafSpineSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type LinkSettings, type Network } from './network.js';
import { buildPlanes } from './planes.js';

export function buildLeafSpine(spec: LeafSpineSpec): Network {
  const network = new NetworkBuilder();
  const hosts = network.addHosts(spec.leaves * spec.hostsPerLeaf);
  const link = linkSettings(spec);
  return buildPlanes(network, hosts, { planes: spec.planes, link }, (builder, ends, prefix) => {
    const leaves = builder.addSwitches(spec.leaves, `${prefix}leaf`);
    const spines = builder.addSwitches(spec.spines, `${prefix}spine`);
    linkHosts(builder, ends, leaves, link);
    linkMesh(builder, leaves, spines, linkSettings(spec.uplink, link));
  });
}

/** Links hosts to switches in order, the same number to each switch. */
export function linkHosts(builder: NetworkBuilder, hosts: readonly number[], switches: readonly number[],
  link: LinkSettings): void {
  const perSwitch = hosts.length / switches.length;
  hosts.forEach((host, i) => builder.link(host, switches[Math.floor(i / perSwitch)], link));
}

/** Links each node of `from` to each node of `to`. */
export function linkMesh(builder: NetworkBuilder, from: readonly number[], to: readonly number[],
  link: LinkSettings): void {
  for (const a of from) for (const b of to) builder.link(a, b, link);
}
