/**
 * The sending end of MRC, with the sets of packets that have arrived and of lost packets, by their first bytes.
 *
 *   hole       a packet that was sent and that no SACK has reported as arrived
 *   lost       until its retransmission, a hole reported by a NACK of its last transmission; a hole below the highest
 *              packet that has arrived, if it was sent `reorderPs` before the newest packet that caused a SACK or is
 *              `reorderPackets` below the highest one, where a retransmission counts as the newest packet sent before
 *              it; at a timeout all holes
 *   next       the first lost packet, else the first never sent
 *   in flight  the bytes of holes that are not lost
 *   limited    by a window: the bytes in flight; or the nominal sizes of all packets sent, each counted once, minus
 *              those of lost ones and minus the bytes received by the newest SACK
 *   limit      new packets begin within the reordering window after una, within the last announced range, and in one of
 *              the `maxMessages` oldest messages that are not acknowledged
 *
 * Source: OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md), 3.2, 3.5, 3.6.
 */
import type { Packet } from '../packet.js';
import type { LossRecovery, SendingFlow } from '../parts.js';
import { MessageStream } from '../send-stream.js';
import { NOMINAL_HEADER_BYTES, UNIT_BYTES, UNITS } from './mrc-receiver.js';

export interface MrcSettings {
  readonly windowPackets: number;
  /** The range of its receiver, if SACKs announce it. */
  readonly rangePackets?: number | undefined;
  readonly mtuBytes: number;
  readonly reorderPs: number | null;
  /** Undefined: distance does not detect losses. */
  readonly reorderPackets?: number | undefined;
  readonly sendsWholePackets?: boolean | undefined;
  readonly countsReceived?: boolean | undefined;
  /** The maximum number of unacknowledged messages of its QP; undefined: unlimited. */
  readonly maxMessages?: number | undefined;
}

/** The last probe of a closed window. */
interface WindowProbe {
  readonly id: number;
  /** 0 after a timeout. */
  readonly sentPs: number;
  /** The first byte not yet sent at that time. */
  readonly from: number;
  readonly isAwaited: boolean;
}

export class StandardMrc implements LossRecovery {
  readonly asksForSacks = true;
  newFrom = 0;
  readonly #queuePair: SendingFlow;
  readonly #settings: MrcSettings;
  readonly #onArrived: () => void;
  /** First bytes of packets beyond una that have arrived. */
  readonly #arrived = new Set<number>();
  readonly #lost = new Set<number>();
  /** Time of each packet's last transmission. */
  readonly #sentPs = new Map<number, number>();
  /** First byte of the newest packet at each packet's last transmission. */
  readonly #newestThen = new Map<number, number>();
  #newestSentPs = 0;
  /** Nominal sizes of all packets sent, each counted once. */
  #sentNominalBytes = 0;
  /** The received units of the newest SACK, without wrap at 2^24. */
  #receivedUnits = 0;
  /** The last announced range. */
  #rangePackets: number;
  /** The first byte after the acknowledged probe; packets before it count as overtaken. */
  #acknowledgedTo = -1;
  /** First bytes of packets that request a SACK, and of retransmissions. */
  readonly #asking = new Set<number>();
  #probe: WindowProbe = { id: 0, sentPs: 0, from: 0, isAwaited: false };

  /** @param onArrived called when a SACK first reports a packet. */
  constructor(queuePair: SendingFlow, settings: MrcSettings, onArrived: () => void) {
    this.#queuePair = queuePair;
    this.#settings = settings;
    this.#rangePackets = settings.rangePackets ?? Infinity;
    this.#onArrived = onArrived;
  }

  get recovering(): boolean {
    return this.#lost.size > 0;
  }

  get sendsWholePackets(): boolean {
    return this.#settings.sendsWholePackets === true;
  }

  get heldBytes(): number {
    return this.#bytesOf(this.#arrived);
  }

  get inFlightBytes(): number {
    return this.#bytesOf(this.#inFlight());
  }

  get limitedBytes(): number | undefined {
    if (this.#settings.countsReceived !== true) return undefined;
    let lostBytes = 0;
    for (const byte of this.#lost) lostBytes += this.#nominalOf(byte);
    return this.#sentNominalBytes - lostBytes - this.#receivedUnits * UNIT_BYTES;
  }

  get isRangeShut(): boolean {
    return this.#settings.rangePackets !== undefined && !this.#isInRange();
  }

  #nominalOf(byte: number): number {
    return this.#queuePair.stream.payloadAt(byte) + NOMINAL_HEADER_BYTES;
  }

  /** Applies units modulo 2^24 of a SACK that differs from the newest one by less than half of that. */
  #noteReceived(units: number): void {
    const ahead = (units - this.#receivedUnits % UNITS + UNITS) % UNITS;
    if (ahead < UNITS / 2) this.#receivedUnits += ahead;
  }

  get progressBytes(): number {
    return this.#queuePair.sndUna + this.heldBytes;
  }

  acknowledge(timePs: number, { sequence, held = [], cause, sentPs, rangePackets, receivedUnits = 0 }: Packet): void {
    this.#noteReceived(receivedUnits);
    const before = this.progressBytes;
    this.#queuePair.sndUna = Math.max(this.#queuePair.sndUna, sequence);
    const { sndUna } = this.#queuePair;
    if (rangePackets !== undefined && sequence === sndUna) this.#rangePackets = rangePackets;
    for (const known of [this.#arrived, this.#lost]) for (const byte of known) if (byte < sndUna) known.delete(byte);
    for (const byte of cause === undefined ? held : [...held, cause]) {
      if (byte < sndUna || this.#arrived.has(byte)) continue;
      this.#arrived.add(byte);
      this.#lost.delete(byte);
      this.#onArrived();
    }
    this.#newestSentPs = Math.max(this.#newestSentPs, sentPs);
    if (this.progressBytes > before) this.#queuePair.lastProgressPs = timePs;
  }

  takeProbeAck(id: number): boolean {
    if (id !== this.#probe.id || !this.#probe.isAwaited) return false;
    this.#probe = { ...this.#probe, isAwaited: false };
    this.#acknowledgedTo = Math.max(this.#acknowledgedTo, this.#probe.from);
    return true;
  }

  noteAckRequest(sequence: number, asks: boolean): void {
    if (asks) this.#asking.add(sequence);
    else this.#asking.delete(sequence);
  }

  takeProbe(timePs: number): { readonly id: number; readonly isOneLost: boolean } | undefined {
    const { id, sentPs, isAwaited } = this.#probe;
    if (sentPs > this.#newestSentPs || this.#inFlight().some((byte) => this.#asking.has(byte))) return undefined;
    this.#probe = { id: id + 1, sentPs: timePs, from: this.newFrom, isAwaited: true };
    return { id: id + 1, isOneLost: isAwaited };
  }

  goBackFor(): boolean {
    const { reorderPs, reorderPackets, mtuBytes } = this.#settings;
    const end = Math.max(this.#queuePair.sndUna, this.#acknowledgedTo, ...this.#packetEnds(this.#arrived));
    const isLate = (byte: number): boolean =>
      reorderPs !== null && this.#newestSentPs - this.#sentAt(byte) >= reorderPs;
    const isFarBehind = (byte: number): boolean =>
      reorderPackets !== undefined &&
      Math.ceil(end / mtuBytes) - 1 - this.#newestThen.get(byte)! / mtuBytes >= reorderPackets;
    const found = this.#inFlight().filter((byte) => byte < end && (isLate(byte) || isFarBehind(byte)));
    this.#loseAll(found, 'fast');
    return found.length > 0;
  }

  takeNack(timePs: number, { sequence, sentPs, rejected }: Packet): boolean {
    if (!this.#inFlight().includes(sequence) || this.#sentAt(sequence) !== sentPs) return false;
    this.#lost.add(sequence);
    if (rejected === undefined) this.#queuePair.lastProgressPs = timePs;
    return true;
  }

  goBack(timePs: number): void {
    this.#queuePair.lastProgressPs = timePs;
    this.#loseAll(this.#inFlight(), 'timeout');
    this.#forgetProbe();
  }

  #forgetProbe(): void {
    this.#probe = { ...this.#probe, sentPs: 0 };
  }

  #loseAll(found: readonly number[], how: 'fast' | 'timeout'): void {
    for (const byte of found) {
      this.#queuePair.losePath(byte, how);
      this.#lost.add(byte);
    }
  }

  /** Marks packets in flight sent at or before a time as lost; returns when each was sent. */
  loseSentBy(timePs: number): number[] {
    const found = this.#inFlight().filter((byte) => this.#sentAt(byte) <= timePs);
    this.#loseAll(found, 'timeout');
    if (found.length > 0) this.#forgetProbe();
    return found.map((byte) => this.#sentAt(byte));
  }

  /** The time when the oldest packet in flight was sent, at most `timePs`. */
  oldestSentPs(timePs: number): number {
    return Math.min(timePs, ...this.#inFlight().map((byte) => this.#sentAt(byte)));
  }

  onSend(timePs: number): void {
    const { sndNxt, sndUna, stream } = this.#queuePair;
    if (sndNxt === sndUna) this.#queuePair.lastProgressPs = timePs;
    this.#lost.delete(sndNxt);
    this.#sentPs.set(sndNxt, timePs);
    if (sndNxt >= this.newFrom) this.#sentNominalBytes += this.#nominalOf(sndNxt);
    this.newFrom = Math.max(this.newFrom, stream.after(sndNxt));
    this.#newestThen.set(sndNxt, (Math.ceil(this.newFrom / this.#settings.mtuBytes) - 1) * this.#settings.mtuBytes);
  }

  skipReceived(): void {
    this.#queuePair.sndNxt = this.#lost.size > 0 ? Math.min(...this.#lost) : this.newFrom;
  }

  allows(): boolean {
    return this.#isInRange() && this.#isMessageAllowed();
  }

  #isInRange(): boolean {
    const { sndNxt, sndUna } = this.#queuePair;
    const { windowPackets, mtuBytes } = this.#settings;
    return sndNxt < this.newFrom || sndNxt - sndUna < Math.min(windowPackets, this.#rangePackets) * mtuBytes;
  }

  #isMessageAllowed(): boolean {
    const { stream, sndNxt } = this.#queuePair;
    if (this.#settings.maxMessages === undefined || !(stream instanceof MessageStream)) return true;
    const earlier = stream.messages.filter(({ end, isAcknowledged }) => !isAcknowledged && end <= sndNxt);
    return earlier.length < this.#settings.maxMessages;
  }

  #inFlight(): number[] {
    const holes: number[] = [];
    for (let byte = this.#queuePair.sndUna; byte < this.newFrom; byte += this.#settings.mtuBytes) {
      if (!this.#arrived.has(byte) && !this.#lost.has(byte)) holes.push(byte);
    }
    return holes;
  }

  #sentAt(byte: number): number {
    return this.#sentPs.get(byte) ?? 0;
  }

  #packetEnds(packets: Iterable<number>): number[] {
    return [...packets].map((byte) => this.#queuePair.stream.after(byte));
  }

  #bytesOf(packets: Iterable<number>): number {
    let bytes = 0;
    for (const byte of packets) bytes += this.#queuePair.stream.after(byte) - byte;
    return bytes;
  }
}
