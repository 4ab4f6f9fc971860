/**
 * Configured faults of an emulated switch's links: loss, corruption, reordering.
 *
 * For arrivals, random numbers are drawn as in the simulator, from the network's generator: corruption first, then
 * loss, and only for probabilities above 0. Departures, which the simulator decides at the host, and reordering use a
 * separate generator.
 */
import { CongestionPointRandom } from '../../reference/cp/random.js';
import { KIND_ACK, KIND_CNP, KIND_DATA, KIND_MAC_CONTROL } from './frame-facts.js';
import type { FramePool } from './frame-pool.js';
import type { LinkLosses, Reordering } from './settings.js';

/** Keeps this seed apart from those of nodes, which are the same seed plus the node number. */
const SEED_OF_NEXT_HOPS = 0x5eed_0001;

export class LinkFaults {
  #damages = false;
  readonly #arrivals: CongestionPointRandom;
  readonly #nextHops: CongestionPointRandom;
  readonly #reordering: Reordering | undefined;

  /** @param arrivals the network's generator. */
  constructor(arrivals: CongestionPointRandom, seed: number, reordering: Reordering | undefined) {
    this.#arrivals = arrivals;
    this.#nextHops = new CongestionPointRandom((seed + SEED_OF_NEXT_HOPS) >>> 0);
    this.#reordering = reordering;
  }

  /** Whether an arriving frame is lost. */
  losesIn(losses: LinkLosses, kind: number): boolean {
    return this.#loses(this.#arrivals, losses, kind);
  }

  /** Whether a departing frame is lost. */
  losesOut(losses: LinkLosses, kind: number): boolean {
    return this.#loses(this.#nextHops, losses, kind);
  }

  /** Corrupts the last checked frame if that was decided, so that its ICRC is wrong. @returns whether it did. */
  damages(pool: FramePool, slot: number): boolean {
    if (this.#damages) pool.bytes[pool.offsetOf(slot) + pool.lenBytes[slot] - 1] ^= 1;
    return this.#damages;
  }

  /** Additional delay of a frame. */
  delayPs(kind: number): number {
    if (this.#reordering === undefined || kind === KIND_MAC_CONTROL) return 0;
    return this.#nextHops.next() < this.#reordering.share ? this.#reordering.delayPs : 0;
  }

  #loses(random: CongestionPointRandom, losses: LinkLosses, kind: number): boolean {
    this.#damages = false;
    if (kind === KIND_MAC_CONTROL) return false;
    this.#damages = falls(random, losses.corruption);
    return falls(random, shareOf(losses, kind));
  }
}

function shareOf({ dataLoss, ackLoss, cnpLoss }: LinkLosses, kind: number): number {
  if (kind === KIND_DATA) return dataLoss;
  if (kind === KIND_CNP) return cnpLoss;
  return kind === KIND_ACK ? ackLoss : 0;
}

function falls(random: CongestionPointRandom, share: number): boolean {
  return share !== 0 && random.next() < share;
}
