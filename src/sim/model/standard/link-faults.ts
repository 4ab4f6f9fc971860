/**
 * Faults of links under `standard`: of what leaves a port a share is lost, by kind; another is damaged, which its host
 * notices. Pause frames are spared. Numbers are drawn for shares above 0 alone, that of damage first.
 */
import { ForcedDrops } from '../lossy/forced-drops.js';
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { LinkFaults } from '../parts.js';

export class StandardLinkFaults implements LinkFaults {
  readonly #world: World;
  readonly #drops: ForcedDrops;

  constructor(world: World) {
    this.#world = world;
    this.#drops = new ForcedDrops(world.plan.transports?.forcedDrops ?? []);
  }

  damages({ plan: { peerPort, node } }: Port, packet: Packet): boolean {
    if (packet.kind === 'pause' || packet.kind === 'resume') return false;
    if (this.#world.plan.nodes[node].kind === 'switch' && this.#drops.takes(packet)) return true;
    const { dataLoss, ackLoss, cnpLoss, corruption } = this.#world.plan.ports[peerPort];
    if (this.#falls(corruption)) packet.harmed = true;
    if (packet.kind === 'data') return this.#falls(dataLoss);
    return this.#falls(packet.kind === 'cnp' || packet.kind === 'fast-cnp' ? cnpLoss : ackLoss);
  }

  afterHandling(): void {
    // Nothing is drawn.
  }

  #falls(share: number): boolean {
    return share !== 0 && this.#world.random.next() < share;
  }
}
