/**
 * Sequence of one requester's packets: SEND, WRITE, READ and atomic requests of RC, UC and XRC (IBTA volume 1, section
 * 9.7).
 *
 *   next = psn + 1, but after a READ: psn + number of packets of its response
 *
 * While the MTU is unknown, the PSN of the request after a READ tells that number; if no MTU explains it, packets are
 * missing. A PSN below `next` is a retransmission, or was reordered.
 */
import { ANY_MTU, mayContinue, mostPackets, mtusOfPackets, mtusOfPayload, packetsOf, PsnCounts, psnAfter, psnsAhead,
  UNKNOWN } from './psn.js';

/** The packet is no READ and consumes one PSN. */
export const NO_READ = -1;
/** A READ whose length was not captured. */
export const LENGTH_UNKNOWN = -2;
/** An atomic operation, which has one response, in sequence with those of READs. */
export const ATOMIC = -3;

/** Number of consecutive READs that must agree on the MTU before it counts as known. */
const CONFIRMATIONS = 3;
/** How far back a PSN stays comparable with later ones; must be less than half of the PSN range. */
const HISTORY = 2 ** 22;

const READS_MAX = 256;
const INDEX_MASK = READS_MAX - 1;
/** Length value of a request whose number of responses is known. */
const KNOWN_COUNT = -1;

export class RequestPsns {
  readonly counts = new PsnCounts();
  /** First PSN seen, or a later one at most HISTORY behind the last; UNKNOWN before the first. */
  first = UNKNOWN;
  /** READ and atomic requests; undefined until one is seen. */
  reads: ReadRing | undefined;
  /** MTUs possible according to payloads or the connection's REQ. */
  #possible = ANY_MTU;
  /** Of these, the MTUs that explain the PSNs after the last READs; `#confirmations` counts how many in a row. */
  #likely = ANY_MTU;
  #confirmations = 0;
  /** Next expected PSN; while a READ is pending, the PSN of that READ. */
  #next = UNKNOWN;
  /** Length of a READ whose number of responses is unknown; NO_READ if none is pending. */
  #pendingBytes = NO_READ;

  /** MTUs that the connection may have. A single PSN after a READ proves little, since packets may be missing there. */
  get mtus(): number {
    return this.#confirmations >= CONFIRMATIONS ? this.#likely : this.#possible;
  }

  /** PSN after all requests seen, or the furthest that a pending READ may reach. */
  get end(): number {
    if (this.#pendingBytes === NO_READ) return this.#next;
    return psnAfter(this.#next, mostPackets(ANY_MTU, this.#pendingBytes, Infinity));
  }

  /** Whether this PSN comes next, for any possible MTU. */
  expects(psn: number): boolean {
    return this.#next !== UNKNOWN && this.#pendingBytes === NO_READ && psn === this.#next;
  }

  /** Whether PSNs are missing before this one, for any possible MTU. */
  isAhead(psn: number): boolean {
    return this.#next !== UNKNOWN && this.#pendingBytes === NO_READ && psnsAhead(psn, this.#next) > 0;
  }

  /** Starts a new sequence with an arbitrary PSN. */
  restart(): void {
    this.first = UNKNOWN;
    this.#next = UNKNOWN;
    this.#pendingBytes = NO_READ;
    this.reads?.clear();
  }

  /** Continues at this PSN without counting a gap: the packets before it took another path. */
  moveTo(psn: number): void {
    this.#next = psn;
    this.#pendingBytes = NO_READ;
  }

  /** Narrows the MTU by a packet's payload. */
  notePayload(payloadBytes: number, isWholeMtu: boolean): void {
    this.stateMtus(mtusOfPayload(this.#possible, payloadBytes, isWholeMtu));
  }

  /** Sets the possible MTUs. */
  stateMtus(mtus: number): void {
    this.#possible = mtus;
    if ((this.#likely & mtus) !== this.#likely) this.#confirmations = 0;
  }

  /** @param readBytes length of a READ, or NO_READ, LENGTH_UNKNOWN, ATOMIC. */
  add(psn: number, readBytes: number): void {
    this.counts.packets++;
    const ahead = this.#aheadOf(psn, readBytes);
    if (ahead < 0) {
      this.counts.repeat(psn);
      return;
    }
    if (ahead > 0) this.counts.gap(psnAfter(psn, -ahead), ahead);
    if (psnsAhead(psn, this.first) > HISTORY) this.first = psnAfter(psn, -HISTORY / 2);
    this.#advance(psn, readBytes);
  }

  /** Number of PSNs missing before this one; negative if it repeats an earlier PSN. */
  #aheadOf(psn: number, readBytes: number): number {
    if (this.#next === UNKNOWN) {
      if (this.first === UNKNOWN) this.first = psn;
      return 0;
    }
    return this.#pendingBytes === NO_READ ? psnsAhead(psn, this.#next) : this.#aheadOfRead(psn, readBytes);
  }

  /** As `#aheadOf`, after a READ with an unknown number of responses: assumes as few missing PSNs as possible. */
  #aheadOfRead(psn: number, readBytes: number): number {
    const lenBytes = this.#pendingBytes;
    const distance = psnsAhead(psn, this.#next);
    if (distance <= 0) return -1;
    const fitting = mtusOfPackets(this.mtus, lenBytes, distance);
    const isRetry = readBytes >= 0 && mayContinue(this.mtus, lenBytes, distance, readBytes);
    if (fitting !== 0) {
      if (!isRetry) this.#confirm(fitting, distance);
      return 0;
    }
    if (isRetry) return -1;
    const packets = mostPackets(this.mtus, lenBytes, distance);
    return packets === 0 ? -1 : distance - packets;
  }

  #confirm(fitting: number, packets: number): void {
    this.reads?.resolve(packets);
    const agreed = this.#likely & fitting;
    this.#confirmations = agreed === 0 ? 1 : this.#confirmations + 1;
    this.#likely = agreed === 0 ? fitting : agreed;
  }

  #advance(psn: number, readBytes: number): void {
    this.#pendingBytes = NO_READ;
    if (readBytes === NO_READ) {
      this.#next = psnAfter(psn, 1);
      return;
    }
    if (readBytes === LENGTH_UNKNOWN) {
      this.#next = UNKNOWN;
      this.reads?.clear();
      return;
    }
    const lenBytes = readBytes === ATOMIC ? 0 : readBytes;
    (this.reads ??= new ReadRing()).add(psn, lenBytes);
    const packets = packetsOf(this.mtus, lenBytes);
    if (packets === 0) this.#pendingBytes = lenBytes;
    this.#next = psnAfter(psn, packets);
  }
}

/**
 * READ and atomic requests whose responses may still arrive: the last READS_MAX of a stream.
 *
 * A responder handles at most 255 at a time: responder resources have 8 bits in a REQ and REP (IBTA volume 1, section
 * 12.6).
 */
class ReadRing {
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
