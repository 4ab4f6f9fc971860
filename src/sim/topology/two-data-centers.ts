/**
 * Two leaf-spine networks, `dc0` and `dc1`; all spines of one link to its border switch, `wan0` or `wan1`; a long link
 * between the border switches. The first half of the hosts is in `dc0`.
 */
import type { TwoDataCentersSpec } from '../scenario/spec.js';
import { linkHosts, linkMesh } from './leaf-spine.js';
import { linkSettings, NetworkBuilder, type LinkSettings, type Network } from './network.js';

/** 200 km of fibre at 5 us per km. */
export const DEFAULT_WAN: LinkSettings = { rateGbps: 100, delayNs: 1_000_000 };

export function buildTwoDataCenters(spec: TwoDataCentersSpec): Network {
  const edge = linkSettings(spec);
  const uplink = linkSettings(spec.uplink, edge);
  const perCenter = spec.leaves * spec.hostsPerLeaf;
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(2 * perCenter);
  const centers = [0, 1].map((center) => ({
    hosts: hosts.slice(center * perCenter, (center + 1) * perCenter),
    leaves: builder.addSwitches(spec.leaves, `dc${center}.leaf`),
    spines: builder.addSwitches(spec.spines, `dc${center}.spine`),
  }));
  const borders = builder.addSwitches(2, 'wan');
  for (const center of centers) linkHosts(builder, center.hosts, center.leaves, edge);
  for (const { leaves, spines } of centers) linkMesh(builder, leaves, spines, uplink);
  centers.forEach(({ spines }, i) => linkMesh(builder, spines, [borders[i]], uplink));
  builder.link(borders[0], borders[1], linkSettings(spec.wan, DEFAULT_WAN));
  return builder.finish();
}
