/**
 * The sending end of `tolerant`, with the sets of packets that have arrived and of lost packets.
 *
 *   hole        a packet that was sent and that no ACK has reported as arrived
 *   lost        a hole when a packet `distancePackets` later has arrived, or `lossTimePs` after the first ACK of any
 *               later packet; once. At a timeout all holes
 *   next        the first lost packet, else the first never sent
 *   in flight   the bytes of holes that are not lost and waiting
 *   limit       new packets begin within the reordering window from una on
 *
 * Source: the head of assembly/simulator/transport/tolerant.ts.
 */
import type { TolerantLosses } from '../../../src/sim/features/transports/plan.js';
import type { World } from '../network.js';
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';

export interface TolerantSettings extends TolerantLosses {
  readonly windowPackets: number;
  readonly mtuBytes: number;
}

export class StandardTolerant implements LossRecovery {
  newFrom = 0;
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #settings: TolerantSettings;
  readonly #onArrived: () => void;
  /** First bytes of packets beyond una that have arrived. */
  readonly #arrived = new Set<number>();
  /** Lost packets that wait for retransmission, and all that were ever lost. */
  readonly #lost = new Set<number>();
  readonly #lostBefore = new Set<number>();
  /** The time when a later packet was first acknowledged, by first byte. */
  readonly #overtakenPs = new Map<number, number>();
  #onLoss: () => void = () => undefined;
  #checks = false;

  /** @param onArrived called when a map first reports a packet. */
  constructor(world: World, queuePair: SendingFlow, settings: TolerantSettings, onArrived: () => void) {
    this.#world = world;
    this.#queuePair = queuePair;
    this.#settings = settings;
    this.#onArrived = onArrived;
  }

  get recovering(): boolean {
    return this.#lost.size > 0;
  }

  get heldBytes(): number {
    return this.#bytesOf(this.#arrived);
  }

  get inFlightBytes(): number {
    return this.#bytesOf(this.#holes().filter((byte) => !this.#lost.has(byte)));
  }

  /** @param onLoss called when a loss is found without an ACK. */
  watch(onLoss: () => void): void {
    this.#onLoss = onLoss;
  }

  acknowledge(timePs: number, { sequence, held = [] }: Packet): void {
    const queuePair = this.#queuePair;
    if (sequence > queuePair.sndUna) {
      queuePair.sndUna = sequence;
      queuePair.lastProgressPs = timePs;
    }
    for (const known of [this.#arrived, this.#lost]) {
      for (const byte of known) if (byte < queuePair.sndUna) known.delete(byte);
    }
    for (const byte of held) {
      if (byte < queuePair.sndUna || this.#arrived.has(byte)) continue;
      this.#arrived.add(byte);
      this.#lost.delete(byte);
      this.#onArrived();
    }
    for (const byte of this.#holes()) {
      if (byte < this.#highest && !this.#overtakenPs.has(byte)) this.#overtakenPs.set(byte, timePs);
    }
  }

  goBackFor(): boolean {
    const isLoss = this.#findLost();
    this.#check();
    return isLoss;
  }

  goBack(timePs: number): void {
    this.#queuePair.lastProgressPs = timePs;
    for (const byte of this.#holes()) this.#lose(byte);
  }

  onSend(timePs: number): void {
    const { sndNxt, sndUna, stream } = this.#queuePair;
    if (sndNxt === sndUna) this.#queuePair.lastProgressPs = timePs;
    this.#lost.delete(sndNxt);
    this.newFrom = Math.max(this.newFrom, stream.after(sndNxt));
  }

  skipReceived(): void {
    this.#queuePair.sndNxt = this.#lost.size > 0 ? Math.min(...this.#lost) : this.newFrom;
  }

  allows(): boolean {
    const { sndNxt, sndUna } = this.#queuePair;
    const { windowPackets, mtuBytes } = this.#settings;
    return sndNxt < this.newFrom || sndNxt - sndUna < windowPackets * mtuBytes;
  }

  /** First byte of the last packet known to have arrived. */
  get #highest(): number {
    return Math.max(this.#queuePair.sndUna - 1, ...this.#arrived);
  }

  #holes(): number[] {
    const holes: number[] = [];
    for (let byte = this.#queuePair.sndUna; byte < this.newFrom; byte += this.#settings.mtuBytes) {
      if (!this.#arrived.has(byte)) holes.push(byte);
    }
    return holes;
  }

  #bytesOf(packets: Iterable<number>): number {
    let bytes = 0;
    for (const byte of packets) bytes += this.#queuePair.stream.after(byte) - byte;
    return bytes;
  }

  #findLost(): boolean {
    const { nowPs } = this.#world.events;
    const { distancePackets, mtuBytes } = this.#settings;
    const distance = (distancePackets ?? Infinity) * mtuBytes;
    const found = this.#holes().filter((byte) =>
      !this.#lostBefore.has(byte) && (this.#highest - byte >= distance || this.#duePs(byte) <= nowPs)
    );
    for (const byte of found) this.#lose(byte);
    return found.length > 0;
  }

  #lose(byte: number): void {
    this.#lost.add(byte);
    this.#lostBefore.add(byte);
  }

  #duePs(byte: number): number {
    const { lossTimePs } = this.#settings;
    return lossTimePs === null ? Infinity : (this.#overtakenPs.get(byte) ?? Infinity) + lossTimePs;
  }

  #check(): void {
    const first = this.#holes().find((byte) => !this.#lostBefore.has(byte));
    const duePs = first === undefined ? Infinity : this.#duePs(first);
    if (this.#checks || duePs === Infinity) return;
    this.#checks = true;
    this.#world.events.schedule(duePs, () => {
      this.#checks = false;
      if (this.#queuePair.isFinished) return;
      if (this.goBackFor()) this.#onLoss();
    });
  }
}
