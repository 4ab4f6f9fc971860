/**
 * The paths between leaf switches that LetFlow, CONGA and ConWeave choose from: all shortest ones of each pair.
 *
 * A path is the list of interface numbers by which switches send, from the source leaf to the last switch before the
 * destination leaf; as a number one byte each, the first in the lowest byte. Paths of a pair are in the order of those numbers.
 * Source: docs/specs/reference-lossy.md, section 9. Read as: shortest by the count of links between switches; a
 * host belongs to the leaf of its first port.
 */
import type { NetworkPlan } from '../../../src/sim/plan.js';

export interface LeafPath {
  /** Interfaces, from 1. */
  readonly interfaces: readonly number[];
  readonly code: number;
}

const BITS_PER_HOP = 8;

export class LeafPaths {
  readonly #plan: NetworkPlan;
  readonly #known = new Map<string, readonly LeafPath[]>();

  constructor(plan: NetworkPlan) {
    this.#plan = plan;
  }

  leafOf(host: number): number {
    const { ports, nodes } = this.#plan;
    return ports[ports[nodes[host].firstPort].peerPort].node;
  }

  /** All paths of a pair. */
  between(source: number, destination: number): readonly LeafPath[] {
    const key = `${source} ${destination}`;
    const paths = this.#known.get(key) ?? this.#find(source, destination);
    this.#known.set(key, paths);
    return paths;
  }

  #find(source: number, destination: number): readonly LeafPath[] {
    const distances = this.#distancesTo(destination);
    return this.#walk(source, destination, distances)
      .map((interfaces) => ({ interfaces, code: codeOf(interfaces) }))
      .sort((a, b) => a.code - b.code);
  }

  #walk(node: number, destination: number, distances: ReadonlyMap<number, number>): number[][] {
    if (node === destination) return [[]];
    const left = distances.get(node) ?? 0;
    return this.#links(node).filter(({ peer }) => distances.get(peer) === left - 1)
      .flatMap(({ peer, number }) => this.#walk(peer, destination, distances).map((rest) => [number, ...rest]));
  }

  #distancesTo(destination: number): Map<number, number> {
    const distances = new Map([[destination, 0]]);
    for (const [node, distance] of distances) {
      for (const { peer } of this.#links(node)) if (!distances.has(peer)) distances.set(peer, distance + 1);
    }
    return distances;
  }

  /** Links of a switch to other switches. */
  #links(node: number): { readonly peer: number; readonly number: number }[] {
    const { nodes, ports } = this.#plan;
    const { firstPort, portCount } = nodes[node];
    return ports.slice(firstPort, firstPort + portCount)
      .map(({ peerPort }, at) => ({ peer: ports[peerPort].node, number: at + 1 }))
      .filter(({ peer }) => nodes[peer].kind === 'switch');
  }
}

function codeOf(interfaces: readonly number[]): number {
  return interfaces.reduce((code, number, hop) => code + number * 2 ** (BITS_PER_HOP * hop), 0);
}
