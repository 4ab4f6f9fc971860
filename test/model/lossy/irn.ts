/**
 * The sending end of IRN in the second reference. K: ranges known to have arrived; hack: highest cumulative byte
 * reported.
 *
 *   ACK, NAK(c; s, n)   una, hack := max(., c); n > 0: K gets [s, s + n); K begins at una: una := its end; K from una
 *                       on; nxt := max(nxt, una); recovering and una >= recoverySeq: recovery ends
 *   then                n > 0 and not recovering: recoverySeq := nxt, nxt := una, recovering; n = 0: recovery ends
 *   skip                K begins at nxt: nxt := its end, K from nxt on: the skipped range is forgotten
 *   window              in flight = maxSeq - hack as u32; open if in flight + payload < BDP, or hack + BDP > nxt
 *   timeout             long if more than 3 MTU are in flight, else short; then nxt := una, recovering
 *
 * A packet from una on is retransmitted unless it is known to have arrived when nxt reaches it. maxSeq is the highest
 * first byte sent; when everything is acknowledged it is below hack, and the bytes in flight wrap [BUG].
 * Source: docs/specs/reference-lossy.md, sections 3 and 5.2 to 5.4.
 */
import type { IrnPlan } from '../../../src/sim/features/reference-lossy/plan.js';
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';
import { ByteRanges } from './byte-ranges.js';

const MANY_PACKETS = 3;

export class Irn implements LossRecovery {
  readonly #queuePair: SendingFlow;
  readonly #plan: IrnPlan;
  readonly #mtuBytes: number;
  readonly #arrived = new ByteRanges();
  #highestSent = 0;
  #highestAcked = 0;
  #recovering = false;
  #recoveryEnd = 0;

  constructor(queuePair: SendingFlow, plan: IrnPlan, mtuBytes: number) {
    this.#queuePair = queuePair;
    this.#plan = plan;
    this.#mtuBytes = mtuBytes;
  }

  get recovering(): boolean {
    return this.#recovering;
  }

  /** Timeout of a timer that starts now. */
  get timeoutPs(): number {
    const { timeoutLowPs, timeoutHighPs } = this.#plan;
    return this.#inFlightBytes > MANY_PACKETS * this.#mtuBytes ? timeoutHighPs : timeoutLowPs;
  }

  acknowledge(_timePs: number, { sequence, received }: Packet): void {
    const queuePair = this.#queuePair;
    queuePair.sndUna = Math.max(queuePair.sndUna, sequence);
    this.#highestAcked = Math.max(this.#highestAcked, sequence);
    if (received !== undefined) this.#arrived.add(received);
    const { first } = this.#arrived;
    if (first?.from === queuePair.sndUna) queuePair.sndUna = first.to;
    this.#arrived.trim(queuePair.sndUna);
    queuePair.sndNxt = Math.max(queuePair.sndNxt, queuePair.sndUna);
    if (this.#recovering && queuePair.sndUna >= this.#recoveryEnd) this.#recovering = false;
    this.skipReceived();
  }

  goBackFor({ received }: Packet): boolean {
    if (received === undefined) {
      this.#recovering = false;
      return false;
    }
    if (this.#recovering) return true;
    this.#recoveryEnd = this.#queuePair.sndNxt;
    this.goBack();
    return true;
  }

  goBack(): void {
    this.#recovering = true;
    this.#queuePair.sndNxt = this.#queuePair.sndUna;
  }

  onSend(): void {
    this.#highestSent = Math.max(this.#highestSent, this.#queuePair.sndNxt);
  }

  skipReceived(): void {
    const { first } = this.#arrived;
    if (first?.from !== this.#queuePair.sndNxt) return;
    this.#queuePair.sndNxt = first.to;
    this.#arrived.trim(first.to);
  }

  allows(payloadBytes: number): boolean {
    const { windowBytes } = this.#plan;
    if (this.#inFlightBytes + payloadBytes < windowBytes) return true;
    return (this.#highestAcked + windowBytes) >>> 0 > this.#queuePair.sndNxt;
  }

  get #inFlightBytes(): number {
    return (this.#highestSent - this.#highestAcked) >>> 0;
  }
}
