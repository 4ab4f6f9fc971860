/**
 * Paths while links are down: each switch forwards to a neighbour that is one link nearer to the destination over the
 * links that are up, as if routing converged at once.
 *
 *   nearer   over an up link to the host itself, or to a switch whose distance is one less
 *   choice   among the planned next hops that lead nearer; where none is left, all ports that do
 *   adapter  forwards for its host alone; a planned next hop whose link is down, or that of the far adapter into the same plane, counts as long as
 *            adapters have not noticed
 */
import type { LinkEnd } from './port.js';
import type { Port } from './link-ends.js';
import type { Detours, World } from './network.js';

export class LinkDetours implements Detours {
  readonly #world: World;
  readonly #ports: readonly LinkEnd[];
  #down = 0;
  /** Ports at both ends of links whose failure adapters have not noticed. */
  readonly #unnoticed = new Set<number>();
  /** By host: links from each switch, over links that are up. */
  #distances = new Map<number, ReadonlyMap<number, number>>();

  constructor(world: World, ports: readonly LinkEnd[]) {
    this.#world = world;
    this.#ports = ports;
  }

  get areNeeded(): boolean {
    return this.#down > 0;
  }

  /** A link goes down or comes up: both ends resolve it once all switches know other paths. */
  change(port: LinkEnd, up: boolean): void {
    if (port.up === up) return;
    const ends = [port, this.#ports[port.plan.peerPort]];
    for (const end of ends) {
      end.up = up;
      if (up) this.#unnoticed.delete(end.index);
      else if (this.#world.plan.linkNotices !== undefined) this.#unnoticed.add(end.index);
    }
    this.#down += up ? -1 : 1;
    this.#distances = new Map();
    for (const end of ends) end.resolve();
  }

  notice({ index, plan: { peerPort } }: LinkEnd): void {
    this.#unnoticed.delete(index);
    this.#unnoticed.delete(peerPort);
  }

  isUnnoticed({ index }: Port): boolean {
    return this.#unnoticed.has(index);
  }

  nextHops(node: number, host: number, planned: readonly Port[]): readonly Port[] {
    const leadsNearer = (port: Port): boolean => this.#leadsNearer(node, port, host);
    const isUsable = (port: Port): boolean => leadsNearer(port) || this.#seemsUp(node, port, host);
    const left = planned.filter(isUsable);
    return left.length > 0 ? left : this.#portsOf(node).filter(isUsable);
  }

  #seemsUp(node: number, port: Port, host: number): boolean {
    const { nodes, ports } = this.#world.plan;
    if (nodes[node].isAdapter !== true) return false;
    const farAdapter = ports[ports[nodes[host].firstPort].peerPort].node;
    const farPort = nodes[farAdapter].firstPort + port.index - nodes[node].firstPort;
    return this.isUnnoticed(port) || this.#unnoticed.has(farPort);
  }

  #leadsNearer(node: number, { index }: Port, host: number): boolean {
    const port = this.#ports[index];
    const peer = this.#ports[port.plan.peerPort].device.node;
    if (!this.#isUp(port)) return false;
    if (peer === host) return true;
    const distances = this.#distancesTo(host);
    const here = distances.get(node);
    return here !== undefined && distances.get(peer) === here - 1;
  }

  #distancesTo(host: number): ReadonlyMap<number, number> {
    const known = this.#distances.get(host) ?? this.#search(host);
    this.#distances.set(host, known);
    return known;
  }

  /** Breadth first from the host; hosts do not forward. */
  #search(host: number): ReadonlyMap<number, number> {
    const { nodes } = this.#world.plan;
    const distances = new Map([[host, 0]]);
    for (const [node, distance] of distances) {
      if (nodes[node].isAdapter === true && distance > 1) continue;
      for (const port of this.#portsOf(node)) {
        const peer = this.#ports[port.plan.peerPort].device.node;
        if (this.#isUp(port) && nodes[peer].kind === 'switch' && !distances.has(peer))
          distances.set(peer, distance + 1);
      }
    }
    distances.delete(host);
    return distances;
  }

  #portsOf(node: number): LinkEnd[] {
    const { firstPort, portCount } = this.#world.plan.nodes[node];
    return this.#ports.slice(firstPort, firstPort + portCount);
  }

  #isUp(port: LinkEnd): boolean {
    return port.up && this.#ports[port.plan.peerPort].up;
  }
}
