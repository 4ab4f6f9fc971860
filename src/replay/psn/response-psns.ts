/**
 * Sequence of one responder's READ and atomic responses, which carry the PSNs of the requester (IBTA volume 1, section
 * 9.7). ACKs and NAKs repeat PSNs of requests and have no sequence.
 *
 * Within a message, PSNs are consecutive. Between messages there are PSNs of other requests, so missing responses can
 * be counted only if the peer's requests are known. Otherwise, a message that lacks its beginning or its end counts as
 * one missing PSN, and a message that is missing entirely goes unnoticed.
 */
import { Opcode } from '../../wire/roce/opcodes.js';
import { PsnCounts } from './psn-counts.js';
import { psnAfter, psnsAhead, UNKNOWN } from './psn.js';
import type { RequestPsns } from './request-psns.js';

export class ResponsePsns {
  readonly counts = new PsnCounts();
  #next = UNKNOWN;
  /** Whether a message has begun but its last packet was not seen. */
  #isOpen = false;

  restart(): void {
    this.#next = UNKNOWN;
    this.#isOpen = false;
  }

  /** @param requests the peer's requests, if known. */
  add(psn: number, operation: number, requests: RequestPsns | undefined): void {
    this.counts.packets++;
    const ahead = this.#next === UNKNOWN ? 0 : psnsAhead(psn, this.#next);
    if (ahead < 0) {
      this.counts.repeat(psn);
      return;
    }
    if (this.#next !== UNKNOWN) this.#judge(psn, operation, ahead, requests);
    this.#next = psnAfter(psn, 1);
    this.#isOpen = operation === Opcode.READ_RESPONSE_FIRST || operation === Opcode.READ_RESPONSE_MIDDLE;
  }

  #judge(psn: number, operation: number, ahead: number, requests: RequestPsns | undefined): void {
    const missing = requests?.reads?.countBetween(this.#next, psn, requests.mtus) ?? 0;
    if (ahead === 0) return;
    if (missing > 0) {
      this.counts.gap(missing === ahead ? this.#next : UNKNOWN, missing);
      return;
    }
    const continues = operation === Opcode.READ_RESPONSE_MIDDLE || operation === Opcode.READ_RESPONSE_LAST;
    if (continues && this.#isOpen) this.counts.gap(this.#next, ahead);
    else if (continues !== this.#isOpen) this.counts.gap(continues ? psnAfter(psn, -1) : this.#next, 1);
  }
}
