/**
 * LetFlow in the second reference: a flowlet takes a random path; it ends when its flow sends nothing for 100 us.
 *
 * Source: docs/specs/reference-lossy.md, section 9.
 */
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { Forwarder } from '../parts.js';
import { Flowlets } from './flowlets.js';
import type { GlibcRandom } from './glibc-random.js';
import { LeafBalancer, type LeafPair } from './leaf-balancer.js';
import type { LeafPaths } from './leaf-paths.js';
import { PathLabel } from './path-label.js';
import { Ticks } from './ticks.js';

const GAP_PS = 100e6;
const FORGET_AFTER_PS = 2e9;

export class LetFlow extends LeafBalancer {
  readonly #random: GlibcRandom;
  readonly #flowlets = new Flowlets(GAP_PS);
  readonly #ticks: Ticks;

  constructor(world: World, forwarder: Forwarder, leafPaths: LeafPaths, random: GlibcRandom) {
    super(world, forwarder, leafPaths);
    this.#random = random;
    this.#ticks = new Ticks(world.events, FORGET_AFTER_PS, () => {
      this.#flowlets.forgetIdle(world.events.nowPs, FORGET_AFTER_PS);
    });
  }

  protected override start(): void {
    // The ticks of LetFlow begin with the first packet between leaves.
  }

  protected override atSource(packet: Packet, arrival: Port, { source, destination, paths }: LeafPair): void {
    this.#ticks.start();
    const path = this.#flowlets.pathOf(this.world.events.nowPs, packet, () => paths[this.#random.below(paths.length)]);
    const label = new PathLabel(source, destination, path);
    packet.label = label;
    this.forwarder.forward(packet, arrival, this.follow(label));
  }
}
