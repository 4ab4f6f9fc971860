/**
 * Frames corrupted on links, as the second reference draws them.
 *
 * A link with its own rate has a generator, shared by both ends; all others share one. Each frame that arrives
 * draws a number; a host draws a second one, unused, after a data packet or a response whose flow was open [BUG].
 * Source: docs/specs/reference-lossy.md, section 8.
 */
import type { LinkErrors as ErrorsOfPort } from '../../../src/sim/features/reference-lossy/plan.js';
import type { Port } from '../link-ends.js';
import type { LinkFaults } from '../parts.js';
import { Mrg32k3a } from './mrg32k3a.js';

const STREAM = 50;

export class LinkErrors implements LinkFaults {
  readonly #ofPorts: readonly ErrorsOfPort[];
  readonly #generators = new Map<number, Mrg32k3a>();
  readonly #seed: number;

  /** @param ofPorts by the port's index. */
  constructor(ofPorts: readonly ErrorsOfPort[], seed: number) {
    this.#ofPorts = ofPorts;
    this.#seed = seed;
  }

  lossOf(port: Port): 'loss' | undefined {
    // Without errors no number is needed, and nothing else draws from the generator.
    const isLost = this.#canBeDamaged(port) && this.#draw(port) < this.#ofPorts[port.index].share;
    return isLost ? 'loss' : undefined;
  }

  afterHandling(port: Port): void {
    if (this.#canBeDamaged(port)) this.#draw(port);
  }

  #canBeDamaged({ index }: Port): boolean {
    return this.#ofPorts[index].share > 0;
  }

  #draw({ index }: Port): number {
    const { generator } = this.#ofPorts[index];
    const random = this.#generators.get(generator) ?? new Mrg32k3a(this.#seed, STREAM);
    this.#generators.set(generator, random);
    return random.next();
  }
}
