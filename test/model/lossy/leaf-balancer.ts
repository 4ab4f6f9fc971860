/**
 * The common part of LetFlow, CONGA and ConWeave: the source leaf chooses a path, and intermediate switches follow it.
 *
 *   responses             by ECMP
 *   within a leaf         by ECMP
 *   at the source leaf    the path is chosen, put on the packet, and followed
 *   between leaves        followed
 *   at the destination    by ECMP
 */
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { Balancer, Forwarder } from '../parts.js';
import type { LeafPath, LeafPaths } from './leaf-paths.js';
import { labelOf, PathLabel } from './path-label.js';

/** Source and destination leaf of a packet, and the paths between them. */
export interface LeafPair {
  readonly source: number;
  readonly destination: number;
  readonly paths: readonly LeafPath[];
}

export abstract class LeafBalancer implements Balancer {
  protected readonly world: World;
  protected readonly forwarder: Forwarder;
  readonly #leafPaths: LeafPaths;

  constructor(world: World, forwarder: Forwarder, leafPaths: LeafPaths) {
    this.world = world;
    this.forwarder = forwarder;
    this.#leafPaths = leafPaths;
  }

  receive(packet: Packet, arrival: Port): void {
    this.start(packet.kind === 'data');
    if (packet.kind !== 'data') {
      this.receiveOther(packet, arrival);
      return;
    }
    const label = labelOf(packet, PathLabel);
    if (label !== undefined) {
      if (label.destination === this.forwarder.node) this.atDestination(packet, arrival);
      else this.between(packet, arrival, this.follow(label));
      return;
    }
    const { plan } = this.world;
    const source = this.#leafPaths.leafOf(plan.flows.source[packet.flow]);
    const destination = this.#leafPaths.leafOf(packet.destination);
    if (source === destination) this.byHash(packet, arrival);
    else this.atSource(packet, arrival, { source, destination, paths: this.#leafPaths.between(source, destination) });
  }

  waiting(): Iterable<Packet> {
    return [];
  }

  /** Called for each packet; the first one starts the periodic work. */
  protected abstract start(isData: boolean): void;

  protected receiveOther(packet: Packet, arrival: Port): void {
    this.byHash(packet, arrival);
  }

  protected abstract atSource(packet: Packet, arrival: Port, pair: LeafPair): void;

  protected between(packet: Packet, arrival: Port, egress: Port): void {
    this.forwarder.forward(packet, arrival, egress);
  }

  protected atDestination(packet: Packet, arrival: Port): void {
    this.byHash(packet, arrival);
  }

  protected byHash(packet: Packet, arrival: Port): void {
    this.forwarder.forward(packet, arrival, this.forwarder.ecmpEgress(packet));
  }

  /** The egress port here of a path. */
  protected follow(label: PathLabel): Port {
    return this.portOf(label.nextInterface());
  }

  protected portOf(number: number): Port {
    const { plan, ports } = this.world;
    return ports[plan.nodes[this.forwarder.node].firstPort + number - 1];
  }
}
