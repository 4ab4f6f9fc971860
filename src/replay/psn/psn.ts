/**
 * Packet sequence numbers (PSNs) have 24 bits and wrap around; order follows the shorter distance (IBTA volume 1,
 * section 9.7). Missing packets of a sequence may come later, retransmitted or reordered.
 */

/** Number of PSNs. */
const PSN_COUNT = 2 ** 24;
const PSN_MASK = PSN_COUNT - 1;
const SIGN_SHIFT = 8;

/** Value of a PSN that is not known yet. */
export const UNKNOWN = -1;

/** Number of recent gaps kept, to recognise their missing packets when they come. */
const HOLES_MAX = 16;

/** How far `psn` is ahead of `from`, -2^23..2^23 - 1; negative if it is behind. */
export function psnsAhead(psn: number, from: number): number {
  return ((psn - from) << SIGN_SHIFT) >> SIGN_SHIFT;
}

/** The PSN `count` after `psn`. */
export function psnAfter(psn: number, count: number): number {
  return (psn + count) & PSN_MASK;
}

/** Counters of one kind of packets in one direction. */
export interface PsnSummary {
  /** Number of packets of this kind. */
  readonly packets: number;
  /** Forward jumps of the PSN that are not explained by a READ. */
  readonly gaps: number;
  /** PSNs missing in the gaps, at least 1 per gap. */
  readonly missing: number;
  /** Missing PSNs that came later: retransmitted, or reordered on the way. */
  readonly recovered: number;
  /** Packets with a PSN below one seen before, including the recovered ones. */
  readonly repeated: number;
}

/** Counts gaps and repetitions in one sequence of PSNs. */
export class PsnCounts implements PsnSummary {
  packets = 0;
  gaps = 0;
  missing = 0;
  recovered = 0;
  repeated = 0;
  /** First PSN and number of PSNs of each gap; allocated at the first gap. */
  #holes: Int32Array | undefined;
  #nextHole = 0;

  get summary(): PsnSummary {
    const { packets, gaps, missing, recovered, repeated } = this;
    return { packets, gaps, missing, recovered, repeated };
  }

  /** @param from first missing PSN; UNKNOWN if only the number of missing PSNs is known. */
  gap(from: number, count: number): void {
    this.gaps++;
    this.missing += count;
    if (from === UNKNOWN) return;
    const holes = (this.#holes ??= new Int32Array(2 * HOLES_MAX));
    holes[this.#nextHole] = from;
    holes[this.#nextHole + 1] = count;
    this.#nextHole = (this.#nextHole + 2) % holes.length;
  }

  /** Counts a PSN below one seen before. */
  repeat(psn: number): void {
    this.repeated++;
    const holes = this.#holes;
    if (holes === undefined) return;
    for (let at = 0; at < holes.length; at += 2) {
      const [from, count] = [holes[at] ?? 0, holes[at + 1] ?? 0];
      const ahead = psnsAhead(psn, from);
      if (ahead >= 0 && ahead < count) {
        this.#fill(holes, at, ahead);
        return;
      }
    }
  }

  /**
   * Splits a gap at the packet that arrived. Missing packets arrive in order, so the part before it is overwritten
   * first.
   */
  #fill(holes: Int32Array, at: number, ahead: number): void {
    this.recovered++;
    const [from, count] = [holes[at] ?? 0, holes[at + 1] ?? 0];
    holes[at + 1] = ahead;
    const rest = count - ahead - 1;
    if (rest === 0) return;
    const free = ahead === 0 ? at : this.#nextHole;
    holes[free] = (from + ahead + 1) & 0xffffff;
    holes[free + 1] = rest;
    if (free !== at) this.#nextHole = (this.#nextHole + 2) % holes.length;
  }
}
