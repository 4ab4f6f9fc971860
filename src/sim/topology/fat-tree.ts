/**
 * Fat-tree of k-port switches: Al-Fares, Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture",
 * SIGCOMM 2008, section 3.
 *
 *   k pods of k/2 edge and k/2 aggregation switches; each edge switch has k/2 hosts; (k/2)^2 cores;
 *   aggregation switch j of each pod links to cores j k/2 .. (j + 1) k/2 - 1
 */
import type { FatTreeSpec } from '../scenario/spec.js';
import { linkHosts, linkMesh } from './leaf-spine.js';
import { linkSettings, NetworkBuilder, type Network } from './network.js';
import { buildPlanes } from './planes.js';

export function buildFatTree(spec: FatTreeSpec): Network {
  const { k, planes } = spec;
  const half = k / 2;
  const link = linkSettings(spec);
  const network = new NetworkBuilder();
  return buildPlanes(network, network.addHosts(k * half * half), { planes, link }, (builder, ends, prefix) => {
    const edges = builder.addSwitches(k * half, `${prefix}edge`);
    const aggregations = builder.addSwitches(k * half, `${prefix}agg`);
    const cores = builder.addSwitches(half * half, `${prefix}core`);
    linkHosts(builder, ends, edges, link);
    for (let pod = 0; pod < k; pod++) {
      linkMesh(builder, edges.slice(pod * half, (pod + 1) * half), aggregations.slice(pod * half, (pod + 1) * half),
        link);
    }
    aggregations.forEach((aggregation, i) => {
      const first = (i % half) * half;
      linkMesh(builder, [aggregation], cores.slice(first, first + half), link);
    });
  });
}
