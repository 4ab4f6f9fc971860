/**
 * Routes between GPUs of one server: over NVLink if the two are connected directly or by the NVSwitch, otherwise over
 * PCIe and CPUs with the fewest links. GPUs do not forward, and the network is not used. Explicit routes are needed
 * because a path over the network may have fewer links.
 */
import type { NcclSystem, SystemNode } from './nccl-system.js';

/** Next hops towards a GPU. */
export interface ServerRoute {
  readonly node: SystemNode;
  readonly destination: SystemNode;
  readonly via: readonly SystemNode[];
}

type Neighbours = ReadonlyMap<SystemNode, readonly SystemNode[]>;

/** Routes for all pairs of GPUs in a file, and for the switches between them. */
export function serverRoutes({ nodes, links }: NcclSystem): ServerRoute[] {
  const by = (medium: string): Neighbours => {
    const near = new Map<SystemNode, SystemNode[]>(nodes.map((node) => [node, []]));
    for (const link of links) {
      if (link.medium !== medium) continue;
      near.get(link.from)?.push(link.to);
      near.get(link.to)?.push(link.from);
    }
    return near;
  };
  const [nvlink, pcie] = [by('nvlink'), by('pcie')];
  return nodes.filter(({ kind }) => kind === 'gpu').flatMap((destination) => {
    const hops = hopsTo(destination, pcie);
    return nodes.flatMap((node) => {
      const via = node === destination ? [] : nextNodes(node, destination, { nvlink, pcie, hops });
      return via.length === 0 ? [] : [{ node, destination, via }];
    });
  });
}

interface Near {
  readonly nvlink: Neighbours;
  readonly pcie: Neighbours;
  readonly hops: ReadonlyMap<SystemNode, number>;
}

function nextNodes(node: SystemNode, destination: SystemNode, { nvlink, pcie, hops }: Near): readonly SystemNode[] {
  if (node.kind === 'nvs' || node.kind === 'nic') return [];
  const near = node.kind === 'gpu' ? nvlink.get(node) ?? [] : [];
  if (near.includes(destination)) return [destination];
  const shared = near.filter((one) => one.kind === 'nvs' && nvlink.get(one)?.includes(destination) === true);
  if (shared.length > 0) return shared;
  const own = hops.get(node) ?? Infinity;
  return [...new Set((pcie.get(node) ?? []).filter((next) => (hops.get(next) ?? Infinity) === own - 1))];
}

/** Number of PCIe and inter-CPU links from each node to a GPU; nodes that cannot reach it are absent. */
function hopsTo(destination: SystemNode, pcie: Neighbours): Map<SystemNode, number> {
  const hops = new Map([[destination, 0]]);
  const queue = [destination];
  for (const node of queue) {
    if (node.kind === 'gpu' && node !== destination) continue;
    for (const next of pcie.get(node) ?? []) {
      if (next.kind === 'nic' || hops.has(next)) continue;
      hops.set(next, (hops.get(node) ?? 0) + 1);
      queue.push(next);
    }
  }
  return hops;
}
