/**
 * Networks of several planes: each host has an adapter with a port into each plane, and there are no links between planes.
 *
 *   host ── n x rate, no delay ── adapter ─┬─ rate, delay ── leaf of plane 0
 *                                          └─ …            ── leaf of plane n - 1
 *
 * Source      multi-plane fabrics as in deployments of OCP MRC 1.0 (docs/reference/sources.md, "Planes").
 * Deviations  the adapter stores and forwards at the total rate of its ports, which adds a packet's time at that rate at each
 *             end; its queues are those of its ports.
 */
import { DEFAULT_PLANES } from '../scenario/defaults.js';
import type { LinkSettings, Network, NetworkBuilder } from './network.js';

/**
 * Builds the switches of a plane, and links `ends` (hosts, or their adapters) to them. @param prefix prefix of the switches'
 * names.
 */
export type PlaneBuilder = (builder: NetworkBuilder, ends: readonly number[], prefix: string) => void;

/** Builds all planes. @param link the link of each adapter port. */
export function buildPlanes(builder: NetworkBuilder, hosts: readonly number[],
  { planes = DEFAULT_PLANES, link }: { readonly planes?: number | undefined; readonly link: LinkSettings },
  addPlane: PlaneBuilder): Network {
  if (planes === 1) {
    addPlane(builder, hosts, '');
    return builder.finish();
  }
  const adapters = builder.addSwitches(hosts.length, 'nic');
  hosts.forEach((host, i) => builder.link(host, adapters[i], { rateGbps: planes * link.rateGbps, delayNs: 0 }));
  const starts: number[] = [];
  for (let plane = 0; plane < planes; plane++) {
    starts.push(builder.count);
    addPlane(builder, adapters, `p${plane}.`);
  }
  const first = starts[0];
  const planeOf = Array.from({ length: builder.count }, (_, node) => starts.findLastIndex((start) => node >= start));
  const isAdapter = Array.from({ length: builder.count }, (_, node) => node >= hosts.length && node < first);
  return builder.finish([], undefined, { count: planes, planeOf, isAdapter });
}
