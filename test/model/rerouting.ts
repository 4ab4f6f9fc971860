/**
 * Paths while links are down: each switch forwards to a neighbour that is one link nearer to the destination over the
 * links that are up, as if routing converged at once.
 *
 *   nearer   over a link that is up to the host itself, or to a switch whose distance is one less
 *   choice   among the planned next hops that lead nearer; if there is none, among all ports that do
 *   adapter  forwards only for its host, through a port whose link it assumes to be up, if it assumes the same of the
 *            link of the far adapter into the same plane. Until it detects a change it assumes the previous state; the
 *            far host may report the state of its ports (port-status.ts)
 */
import type { LinkEnd } from './port.js';
import type { Port } from './link-ends.js';
import type { Rerouting, World } from './network.js';
import type { Packet } from './packet.js';
import { PortStatuses, type PortStatusActions } from './port-status.js';

export class LinkRerouting implements Rerouting {
  readonly #world: World;
  readonly #ports: readonly LinkEnd[];
  /** Ports at both ends of links whose last change adapters have not detected. */
  readonly #unnoticed = new Set<number>();
  /** The distance of each switch in links that are up, by host. */
  #distances = new Map<number, ReadonlyMap<number, number>>();

  /** The port states that hosts have announced to each other. */
  readonly #statuses: PortStatuses;

  /** @param send makes a host send an endpoint packet. */
  constructor(world: World, ports: readonly LinkEnd[], send: PortStatusActions['send'] = () => undefined) {
    this.#world = world;
    this.#ports = ports;
    this.#statuses = new PortStatuses(world, { seemsUp: (port) => this.#seemsUp(port), send });
  }

  get areNeeded(): boolean {
    return this.#unnoticed.size > 0 || this.#ports.some(({ up }) => !up) || this.#statuses.isAnyKnownDown;
  }

  /** A link goes down or comes up; both ends handle it after all switches have recomputed their paths. */
  change(port: LinkEnd, up: boolean): void {
    if (port.up === up) return;
    const ends = [port, this.#ports[port.plan.peerPort]];
    for (const end of ends) {
      end.up = up;
      if (!this.#unnoticed.delete(end.index) && this.#world.plan.linkNotices !== undefined)
        this.#unnoticed.add(end.index);
    }
    this.#distances = new Map();
    for (const end of ends) end.resolve();
  }

  notice({ index, plan: { peerPort } }: LinkEnd): void {
    this.#unnoticed.delete(index);
    this.#unnoticed.delete(peerPort);
    this.#statuses.report([index, peerPort].map((end) => this.#world.plan.ports[end].node));
  }

  takeEndpointPacket(packet: Packet): void {
    this.#statuses.take(packet);
  }

  isDownUnnoticed({ index }: Port): boolean {
    return this.#unnoticed.has(index) && !this.#ports[index].up;
  }

  nextHops(node: number, host: number, planned: readonly Port[]): readonly Port[] {
    const isUsable = (port: Port): boolean => this.#isUsable(node, port, host);
    const left = planned.filter(isUsable);
    return left.length > 0 ? left : this.#portsOf(node).filter(isUsable);
  }

  #isUsable(node: number, port: Port, host: number): boolean {
    const { nodes, ports } = this.#world.plan;
    if (nodes[node].isAdapter !== true) return this.#leadsNearer(node, port, host);
    const farAdapter = ports[ports[nodes[host].firstPort].peerPort].node;
    const farPort = nodes[farAdapter].firstPort + port.index - nodes[node].firstPort;
    const isKnownDown = this.#statuses.isKnownDown(node, host, port.index - nodes[node].firstPort) ??
      !this.#seemsUp(farPort);
    if (isKnownDown || !this.#seemsUp(port.index)) return false;
    return !this.#ports[port.index].up || !this.#ports[farPort].up || this.#leadsNearer(node, port, host);
  }

  #seemsUp(port: number): boolean {
    return this.#ports[port].up !== this.#unnoticed.has(port);
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

  /** Searches breadth-first from the host; hosts do not forward. */
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
