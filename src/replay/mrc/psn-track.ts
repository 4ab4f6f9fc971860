/**
 * Tracks the PSNs of one stream of MRC data as they arrive: which are missing, and how far packets are out of order.
 *
 * Packets take different paths, so a gap is not a loss. Memory is bounded: missing PSNs beyond MISSING_MAX are only
 * counted.
 */
import { UNKNOWN, psnAfter, psnsAhead } from '../psn/psn.js';

/** Maximum number of missing PSNs kept. */
const MISSING_MAX = 65_536;
/** A jump further ahead than this is a new sequence, not a gap. */
const JUMP_MAX = 65_536;

export class PsnTrack {
  /** The highest PSN so far, modulo 2^24; -1 before the first. */
  highest = UNKNOWN;
  /** Packets that arrived after one with a higher PSN, excluding retransmissions. */
  outOfOrder = 0;
  /** Maximum distance in PSNs between the highest PSN and a packet that arrived late without being retransmitted. */
  reorderingDepth = 0;
  readonly #missing = new Set<number>();
  #missingElsewhere = 0;

  /** Number of PSNs below the highest one that did not arrive. */
  get missing(): number {
    return this.#missing.size + this.#missingElsewhere;
  }

  /** Records a packet that arrived whole. */
  add(psn: number, isRetransmission: boolean): void {
    if (this.highest === UNKNOWN) {
      this.highest = psn;
      return;
    }
    const ahead = psnsAhead(psn, this.highest);
    if (ahead > 0) this.#advance(psn, ahead);
    else this.#fill(psn, -ahead, isRetransmission);
  }

  #advance(psn: number, ahead: number): void {
    for (let step = 1; step < ahead && ahead <= JUMP_MAX; step++) {
      if (this.#missing.size < MISSING_MAX) this.#missing.add(psnAfter(this.highest, step));
      else this.#missingElsewhere++;
    }
    this.highest = psn;
  }

  #fill(psn: number, depth: number, isRetransmission: boolean): void {
    const wasMissing = this.#missing.delete(psn);
    if (isRetransmission || !wasMissing) return;
    this.outOfOrder++;
    if (depth > this.reorderingDepth) this.reorderingDepth = depth;
  }
}
