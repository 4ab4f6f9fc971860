/**
 * The sequence of one requester's packets: SEND, WRITE, READ and atomic requests, of RC, UC and XRC (IBTA volume 1,
 * section 9.7).
 *
 *   next = psn + 1, but behind a READ: psn + number of packets of its response
 *
 * Where the MTU is not known yet, the PSN of the request behind a READ tells the number; if no MTU explains it, packets
 * are missing. A PSN below `next` is a retransmission, or was reordered.
 */
import { ANY_MTU, mayContinue, mostPackets, mtusOfPackets, mtusOfPayload, packetsOf } from './path-mtu.js';
import { PsnCounts } from './psn-counts.js';
import { psnAfter, psnsAhead, UNKNOWN } from './psn.js';
import { ReadRing } from './read-ring.js';

/** No READ: the packet consumes one PSN. */
export const NO_READ = -1;
/** A READ whose length the capture does not hold. */
export const LENGTH_UNKNOWN = -2;
/** An atomic operation: one response, in order with those of READs. */
export const ATOMIC = -3;

/** READs in a row after which the MTUs that their PSNs speak for are known. */
const CONFIRMATIONS = 3;
/** PSNs that stay comparable with those that follow: less than half of all. */
const HISTORY = 2 ** 22;

export class RequestPsns {
  readonly counts = new PsnCounts();
  /** First PSN seen, or a later one, at most HISTORY behind the last; UNKNOWN: none. */
  first = UNKNOWN;
  /** Requests of READ and atomic operations; undefined: none was seen. */
  reads: ReadRing | undefined;
  /** MTUs that payloads, or the connection's REQ, leave possible. */
  #possible = ANY_MTU;
  /** Those of them that the PSNs behind the last READs speak for, and how often in a row. */
  #likely = ANY_MTU;
  #confirmations = 0;
  /** Expected next; if a READ is pending, its own. */
  #next = UNKNOWN;
  /** Length of a READ whose number of responses is open; NO_READ: none. */
  #pendingBytes = NO_READ;

  /** MTUs that the connection may have. One PSN behind a READ proves little, since packets may be missing there. */
  get mtus(): number {
    return this.#confirmations >= CONFIRMATIONS ? this.#likely : this.#possible;
  }

  /** PSN behind all requests seen, or as far as a pending READ may reach. */
  get end(): number {
    if (this.#pendingBytes === NO_READ) return this.#next;
    return psnAfter(this.#next, mostPackets(ANY_MTU, this.#pendingBytes, Infinity));
  }

  /** Whether this PSN comes next, with the MTU left open. */
  expects(psn: number): boolean {
    return this.#next !== UNKNOWN && this.#pendingBytes === NO_READ && psn === this.#next;
  }

  /** Whether PSNs are missing in front of this one, with the MTU left open. */
  isAhead(psn: number): boolean {
    return this.#next !== UNKNOWN && this.#pendingBytes === NO_READ && psnsAhead(psn, this.#next) > 0;
  }

  /** Starts again: the next PSN may be any. */
  restart(): void {
    this.first = UNKNOWN;
    this.#next = UNKNOWN;
    this.#pendingBytes = NO_READ;
    this.reads?.clear();
  }

  /** Continues at this PSN without a gap: what came before it took another path. */
  moveTo(psn: number): void {
    this.#next = psn;
    this.#pendingBytes = NO_READ;
  }

  /** A packet's payload, as evidence of the MTU. */
  notePayload(payloadBytes: number, isWholeMtu: boolean): void {
    this.stateMtus(mtusOfPayload(this.#possible, payloadBytes, isWholeMtu));
  }

  /** Narrows the MTUs to these. */
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

  /** PSNs missing in front of this one; negative: it was passed before. */
  #aheadOf(psn: number, readBytes: number): number {
    if (this.#next === UNKNOWN) {
      if (this.first === UNKNOWN) this.first = psn;
      return 0;
    }
    return this.#pendingBytes === NO_READ ? psnsAhead(psn, this.#next) : this.#aheadOfRead(psn, readBytes);
  }

  /** As `#aheadOf`, behind a READ with an open number of responses: the explanation with the fewest missing PSNs. */
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
