/**
 * RCCC's sender, one QP: the readable model.
 *
 * Inputs: lengths of sent packets; the receiver's pull numbers; arrival of an ACK or NACK, or a loss.
 * State: credit, bytes on the wire; the highest pull number, in quanta of 256 bytes; whether the sender speculates.
 *
 *   may send       credit > 0; a packet consumes its full length
 *   feedback       the first ACK, NACK, pull number or loss ends speculation: credit is set to 0
 *   pull p > last  credit = min(credit + 256 (p - last), largest window)
 *   timeout        credit for a packet, if so configured
 *   target         ceil(trunc((min(backlog, largest window) - credit) / senders) / 256) + last; while speculating at least a packet
 *
 * Citation: UE Specification 1.0, RCCC, as implemented in uet-htsim (docs/specs/uet-reference.md, 5.4 and 9).
 * Known deviations: pull numbers begin at 0; a timeout grants a packet, because RoCE has no request to send.
 */
import { PULL_QUANTUM_BYTES } from '../../../abi/ack-layout.js';
import type { RcccState } from '../../../abi/state/ack-states.js';
import { type RcccParameters, rcccInitialCreditBytes, rcccMaxWindowBytes,
  rcccTimeoutCreditBytes } from '../../../config/algorithms/rccc.js';
import type { Ack, AckOutcome, EventOutcome } from '../ack.js';
import { SenderFrame } from '../sender-frame.js';

/** RCCC's sender for one QP (UE Specification 1.0). The parameters must have been validated. */
export class RcccModel extends SenderFrame<RcccParameters, RcccState> {
  constructor(parameters: RcccParameters) {
    super(parameters, {
      creditBytes: rcccInitialCreditBytes(parameters),
      pullNumber: 0,
      isSpeculating: true,
      lastEventPs: 0,
      nextSendPs: 0,
    });
  }

  /** Always the line rate: the receiver paces the sender by credit. */
  get rateBps(): number {
    return this.parameters.maxRateBps;
  }

  /** No window: credit limits the sender. */
  readonly windowBytes = 0;

  get hasCredit(): boolean {
    return this.live.creditBytes > 0;
  }

  onSent(timePs: number, lenBytes: number): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    this.live.creditBytes -= lenBytes;
    this.live.nextSendPs = timePs;
    return 'handled';
  }

  protected takeAck({ timePs }: Ack): AckOutcome {
    const wasSpeculating = this.live.isSpeculating;
    this.live.lastEventPs = timePs;
    this.#stopSpeculating();
    return wasSpeculating ? 'update' : 'skipped';
  }

  onLoss(timePs: number, found: 'fast' | 'timeout'): EventOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    this.#stopSpeculating();
    const { creditBytes } = this.live;
    if (found === 'timeout') this.live.creditBytes = Math.max(creditBytes, rcccTimeoutCreditBytes(this.parameters));
    return 'handled';
  }

  onCredit(timePs: number, pullNumber: number): AckOutcome {
    const outcome = this.admit(timePs);
    if (outcome !== 'handled') return outcome;
    this.#stopSpeculating();
    const newQuanta = pullNumber - this.live.pullNumber;
    if (newQuanta <= 0) return 'skipped';
    const wantedBytes = this.live.creditBytes + PULL_QUANTUM_BYTES * newQuanta;
    this.live.creditBytes = Math.min(wantedBytes, rcccMaxWindowBytes(this.parameters));
    this.live.pullNumber = pullNumber;
    return 'update';
  }

  pullTarget(backlogBytes: number, senders: number): number {
    const { creditBytes, pullNumber, isSpeculating } = this.live;
    const missingBytes = Math.min(backlogBytes, rcccMaxWindowBytes(this.parameters)) - creditBytes;
    const leastBytes = isSpeculating && backlogBytes > 0 ? this.parameters.packetBytes : -Infinity;
    const shareBytes = Math.trunc(Math.max(missingBytes, leastBytes) / Math.max(1, senders));
    return Math.ceil(shareBytes / PULL_QUANTUM_BYTES) + pullNumber;
  }

  /** Ends speculation at the first feedback. */
  #stopSpeculating(): void {
    if (!this.live.isSpeculating) return;
    this.live.isSpeculating = false;
    this.live.creditBytes = Math.min(this.live.creditBytes, 0);
  }
}
