/**
 * The sending end of IRN by its paper, with the sets of packets held by the receiver and of retransmitted packets.
 *
 *   lost       in recovery: its first packet, and each packet below the highest held one that is not held; once each
 *   recovery   begins at una with a NAK or a timeout; ends when everything sent before it is acknowledged
 *   cap        a packet may be sent if it begins less than `capBytes` after una
 *   timeout    low with at most `fewPackets` in flight (highest sent - una), else high
 *
 * Source: R. Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018, sections 3.1 and 3.2.
 */
import type { IrnLimits } from '../../../src/sim/features/transports/plan.js';
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export class StandardIrn implements LossRecovery {
  recovering = false;
  newFrom = 0;
  readonly #queuePair: SendingFlow;
  readonly #limits: IrnLimits;
  readonly #mtuBytes: number;
  readonly #onHeld: () => void;
  /** First bytes of packets that the receiver holds. */
  readonly #held = new Set<number>();
  readonly #sentAgain = new Set<number>();
  #first = 0;
  #recoveryEnd = 0;

  /** @param onHeld called when a packet is first reported as held. */
  constructor(queuePair: SendingFlow, limits: IrnLimits, mtuBytes: number, onHeld: () => void) {
    this.#queuePair = queuePair;
    this.#limits = limits;
    this.#mtuBytes = mtuBytes;
    this.#onHeld = onHeld;
  }

  get timeoutPs(): number {
    const packets = Math.ceil((this.newFrom - this.#queuePair.sndUna) / this.#mtuBytes);
    return packets <= this.#limits.fewPackets ? this.#limits.timeoutLowPs : this.#limits.timeoutHighPs;
  }

  acknowledge(timePs: number, { sequence, received }: Packet): void {
    const queuePair = this.#queuePair;
    if (sequence > queuePair.sndUna) {
      queuePair.sndUna = sequence;
      queuePair.lastProgressPs = timePs;
    }
    for (const firstByte of this.#held) if (firstByte < queuePair.sndUna) this.#held.delete(firstByte);
    if (received !== undefined && received.sequence >= queuePair.sndUna && !this.#held.has(received.sequence)) {
      this.#held.add(received.sequence);
      this.#onHeld();
    }
    if (queuePair.sndUna >= this.#recoveryEnd) this.recovering = false;
  }

  goBackFor({ kind, sequence }: Packet): boolean {
    if (kind !== 'nak' || this.recovering || sequence !== this.#queuePair.sndUna) return false;
    this.#recover();
    return true;
  }

  goBack(timePs: number): void {
    this.#queuePair.lastProgressPs = timePs;
    this.#recover();
  }

  onSend(timePs: number): void {
    const { sndNxt, sndUna, stream } = this.#queuePair;
    if (sndNxt === sndUna) this.#queuePair.lastProgressPs = timePs;
    if (sndNxt < this.newFrom) this.#sentAgain.add(sndNxt);
    this.newFrom = Math.max(this.newFrom, stream.after(sndNxt));
  }

  skipReceived(): void {
    this.#queuePair.sndNxt = this.#firstLost ?? this.newFrom;
  }

  allows(): boolean {
    return this.#queuePair.bytesInFlight < this.#limits.capBytes;
  }

  #recover(): void {
    this.recovering = true;
    this.#recoveryEnd = this.newFrom;
    this.#first = this.#queuePair.sndUna;
    this.#sentAgain.clear();
  }

  get #firstLost(): number | undefined {
    if (!this.recovering) return undefined;
    const highest = Math.max(-1, ...this.#held);
    for (let byte = this.#queuePair.sndUna; byte < this.newFrom; byte += this.#mtuBytes) {
      const isLost = byte === this.#first || (byte < highest && !this.#held.has(byte));
      if (isLost && !this.#sentAgain.has(byte)) return byte;
    }
    return undefined;
  }
}
