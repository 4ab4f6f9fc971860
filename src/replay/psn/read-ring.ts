/**
 * READ and atomic requests whose responses may still arrive: the last READS_MAX of a stream.
 *
 * A responder handles at most 255 at a time: responder resources have 8 bits in a REQ and REP (IBTA volume 1, section
 * 12.6).
 */
import { ANY_MTU, mostPackets, packetsOf } from './path-mtu.js';
import { psnAfter, psnsAhead } from './psn.js';

const READS_MAX = 256;
const INDEX_MASK = READS_MAX - 1;
/** Length value of a request whose number of responses is known. */
const KNOWN_COUNT = -1;

export class ReadRing {
  readonly #psns = new Int32Array(READS_MAX);
  /** DMA length, or KNOWN_COUNT if `#counts` has the number of responses. */
  readonly #lengths = new Float64Array(READS_MAX);
  readonly #counts = new Int32Array(READS_MAX);
  #first = 0;
  #end = 0;

  add(psn: number, lenBytes: number): void {
    const at = this.#end++ & INDEX_MASK;
    if (this.#end - this.#first > READS_MAX) this.#first++;
    this.#psns[at] = psn;
    this.#lengths[at] = lenBytes;
  }

  /** Sets the number of responses to the newest request. */
  resolve(count: number): void {
    const at = (this.#end - 1) & INDEX_MASK;
    this.#lengths[at] = KNOWN_COUNT;
    this.#counts[at] = count;
  }

  clear(): void {
    this.#first = this.#end;
  }

  /** Whether a response to one of the stored requests may have this PSN. */
  contains(psn: number, mtus: number): boolean {
    for (let index = this.#first; index < this.#end; index++) {
      const ahead = psnsAhead(psn, this.#psns[index & INDEX_MASK] ?? 0);
      if (ahead >= 0 && ahead < (this.#responses(index, mtus) || this.#mostResponses(index))) return true;
    }
    return false;
  }

  /**
   * Counts the responses with PSNs from `from` up to, not including, `to`, and drops the requests that end before `to`.
   *
   * @param mtus of the connection; a request whose number of responses they do not determine counts as none.
   */
  countBetween(from: number, to: number, mtus: number): number {
    let count = 0;
    for (let index = this.#first; index < this.#end; index++) {
      const psn = this.#psns[index & INDEX_MASK] ?? 0;
      if (psnsAhead(psn, to) >= 0) break;
      const end = psnAfter(psn, this.#responses(index, mtus));
      const begin = psnsAhead(psn, from) > 0 ? psn : from;
      const stop = psnsAhead(end, to) < 0 ? end : to;
      count += Math.max(0, psnsAhead(stop, begin));
      if (psnsAhead(end, to) <= 0 && index === this.#first) this.#first++;
    }
    return count;
  }

  #mostResponses(index: number): number {
    return mostPackets(ANY_MTU, this.#lengths[index & INDEX_MASK] ?? 0, Infinity);
  }

  #responses(index: number, mtus: number): number {
    const lenBytes = this.#lengths[index & INDEX_MASK] ?? 0;
    return lenBytes === KNOWN_COUNT ? (this.#counts[index & INDEX_MASK] ?? 0) : packetsOf(mtus, lenBytes);
  }
}
