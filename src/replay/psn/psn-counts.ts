/** Gaps and repetitions of one sequence of PSNs; what was missing may come later, retransmitted or reordered. */
import { psnsAhead, UNKNOWN } from './psn.js';

/** Gaps kept to recognise the missing packets when they come; older ones are forgotten. */
const HOLES_MAX = 16;

/** Counters of one kind of packets in one direction. */
export interface PsnSummary {
  /** Packets of the kind. */
  readonly packets: number;
  /** Forward jumps of the PSN that no READ explains. */
  readonly gaps: number;
  /** PSNs missing in these; at least 1 each. */
  readonly missing: number;
  /** Missing PSNs that came later: retransmitted, or reordered on the way. */
  readonly recovered: number;
  /** Packets whose PSN was below one seen before, including the recovered ones. */
  readonly repeated: number;
}

export class PsnCounts implements PsnSummary {
  packets = 0;
  gaps = 0;
  missing = 0;
  recovered = 0;
  repeated = 0;
  /** First PSN and number of PSNs of each hole; made at the first gap. */
  #holes: Int32Array | undefined;
  #nextHole = 0;

  get summary(): PsnSummary {
    const { packets, gaps, missing, recovered, repeated } = this;
    return { packets, gaps, missing, recovered, repeated };
  }

  /** @param from first missing PSN; UNKNOWN: which are missing is not known, only how many. */
  gap(from: number, count: number): void {
    this.gaps++;
    this.missing += count;
    if (from === UNKNOWN) return;
    const holes = (this.#holes ??= new Int32Array(2 * HOLES_MAX));
    holes[this.#nextHole] = from;
    holes[this.#nextHole + 1] = count;
    this.#nextHole = (this.#nextHole + 2) % holes.length;
  }

  /** A PSN below one seen before. */
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

  /** Packets come in order, so those before the one that came are no longer expected in this hole, unless another has room. */
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
