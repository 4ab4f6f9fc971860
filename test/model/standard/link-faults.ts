/**
 * Link faults under `standard`: frames that leave a port are lost with a probability by kind or corrupted, which the
 * host detects; bit errors apply when a frame arrives. Pause frames are never affected. Random numbers are drawn only
 * for probabilities above 0: that of corruption first, that of bit errors last.
 */
import { BITS_PER_BYTE } from '../../../src/units.js';
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

  lossOf({ plan: { peerPort, node } }: Port, packet: Packet): 'loss' | 'bitErrors' | undefined {
    if (packet.kind === 'pause' || packet.kind === 'resume') return undefined;
    if (this.#world.plan.nodes[node].kind === 'switch' && this.#isForcedOut(packet)) return 'loss';
    if (this.#isLost(peerPort, packet)) return 'loss';
    return this.#falls(this.#chanceOfWrong(peerPort, packet.lenBytes)) ? 'bitErrors' : undefined;
  }

  /** Forced drops identify flows; a message of a QP with several begins at a whole packet of the QP. */
  #isForcedOut(packet: Packet): boolean {
    const messages = this.#world.streams.of(packet.flow)?.messages;
    if (messages === undefined) return this.#drops.takes(packet);
    const taken = messages.filter(({ isFlushed }) => !isFlushed).map(({ index, first }) =>
      this.#drops.takes({ ...packet, flow: index, sequence: packet.sequence - first })
    );
    return taken.includes(true);
  }

  #isLost(peerPort: number, packet: Packet): boolean {
    const { dataLoss, ackLoss, cnpLoss, corruption } = this.#world.plan.ports[peerPort];
    if (this.#falls(corruption)) packet.corrupted = true;
    if (packet.kind === 'data') return this.#falls(dataLoss);
    return this.#falls(packet.kind === 'cnp' || packet.kind === 'fast-cnp' ? cnpLoss : ackLoss);
  }

  afterHandling(): void {
    // Nothing is drawn.
  }

  /** The probability of a corrupted frame; it is intact only if each bit is and nothing else corrupts it. */
  #chanceOfWrong(port: number, lenBytes: number): number {
    const errors = this.#world.plan.hazards?.bitErrors.find((one) => one.port === port);
    if (errors === undefined || errors.perBit + errors.perFrame === 0) return 0;
    const { perBit, perFrame } = errors;
    // The same order of multiplications as the kernel's, so that results agree in the last bit.
    return 1 - power(1 - perBit, lenBytes * BITS_PER_BYTE) * (1 - perFrame);
  }

  #falls(share: number): boolean {
    return share !== 0 && this.#world.random.next() < share;
  }
}

function power(base: number, exponent: number): number {
  let [result, square] = [1, base];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}
