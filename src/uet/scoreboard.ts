/**
 * A sender's outstanding packets: those sent but not acknowledged, those waiting for retransmission, the number of
 * transmissions of each, and the timer.
 *
 * Queuing a packet for retransmission subtracts its bytes from those in flight. If it is acknowledged while it waits, the ACK
 * subtracts them a second time, so they are added back here.
 */
import type { Backlog } from './flow.js';
import type { FlowState } from './sender-control.js';
import { SimEvent, type EventList } from './event-list.js';

const MAP_WORD_BITS = 32;

/** Components that a scoreboard uses. */
export interface ScoreboardParts {
  readonly events: EventList;
  readonly timeoutPs: number;
  readonly state: FlowState;
  readonly backlog: Backlog;
  readonly onExpiry: () => void;
}

export class Scoreboard {
  readonly sent = new SentPackets();
  readonly retransmissions = new Retransmissions();
  readonly timer: RetransmissionTimer;
  readonly #state: FlowState;
  readonly #backlog: Backlog;
  /** Number of retransmissions by packet number. */
  readonly #copies = new Map<number, number>();
  #acknowledgedBelow = 0;

  constructor({ events, timeoutPs, state, backlog, onExpiry }: ScoreboardParts) {
    this.#state = state;
    this.#backlog = backlog;
    this.timer = new RetransmissionTimer(events, timeoutPs, this.sent, onExpiry);
  }

  /** Number of retransmissions of a packet so far. */
  copiesOf(seq: number): number {
    return this.#copies.get(seq) ?? 0;
  }

  countCopy(seq: number): void {
    this.#copies.set(seq, this.copiesOf(seq) + 1);
  }

  /** Acknowledges all numbers below `end`. */
  acknowledgeBelow(end: number): void {
    const { sent, retransmissions, timer } = this;
    while (retransmissions.count > 0 && retransmissions.firstSeq < end) {
      this.#state.inFlightBytes += retransmissions.remove(retransmissions.firstSeq);
    }
    for (let packet = sent.shiftBelow(end); packet !== undefined; packet = sent.shiftBelow(end)) {
      timer.onRemoved(packet);
      this.#copies.delete(packet.seq);
    }
    const backlog = this.#backlog;
    for (let seq = this.#acknowledgedBelow; backlog.acknowledge !== undefined && seq < end; seq += 1) {
      backlog.acknowledge(seq);
    }
    this.#acknowledgedBelow = Math.max(this.#acknowledgedBelow, end);
  }

  /** Acknowledges the numbers whose bits are set in a 32-bit word of the map that starts at `base`. */
  acknowledgeMapped(base: number, word: number): void {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const seq = base + MAP_WORD_BITS - 1 - Math.clz32(rest & -rest);
      const packet = this.sent.get(seq);
      if (packet === undefined) {
        this.#state.inFlightBytes += this.retransmissions.remove(seq);
      } else {
        this.sent.remove(packet);
        this.timer.onRemoved(packet);
      }
      this.#backlog.acknowledge?.(seq);
    }
  }
}

/** A sender's packets that are neither acknowledged nor considered lost, by number and by send time. */

export class SentPacket {
  readonly seq: number;
  readonly sizeBytes: number;
  readonly sentPs: number;
  /** Neighbours in the order of send times. */
  older: SentPacket | undefined = undefined;
  newer: SentPacket | undefined = undefined;
  /** Whether the retransmission timer covers it. */
  isTimed = true;

  constructor(seq: number, sizeBytes: number, sentPs: number) {
    this.seq = seq;
    this.sizeBytes = sizeBytes;
    this.sentPs = sentPs;
  }
}

export class SentPackets {
  readonly #bySeq: (SentPacket | undefined)[] = [];
  #lowest = 0;
  #oldest: SentPacket | undefined = undefined;
  #newest: SentPacket | undefined = undefined;

  /** The oldest packet that the timer covers. */
  get oldest(): SentPacket | undefined {
    return this.#oldest;
  }

  get(seq: number): SentPacket | undefined {
    return this.#bySeq[seq];
  }

  add(seq: number, sizeBytes: number, sentPs: number): void {
    const before = this.#bySeq[seq];
    if (before !== undefined) this.remove(before);
    const packet = new SentPacket(seq, sizeBytes, sentPs);
    this.#bySeq[seq] = packet;
    packet.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = packet;
    else this.#newest.newer = packet;
    this.#newest = packet;
  }

  remove(packet: SentPacket): void {
    this.#bySeq[packet.seq] = undefined;
    if (packet.isTimed) this.untime(packet);
  }

  /** Removes and returns the packet with the lowest number below `end`; undefined if there is none. */
  shiftBelow(end: number): SentPacket | undefined {
    for (; this.#lowest < end; this.#lowest += 1) {
      const packet = this.#bySeq[this.#lowest];
      if (packet === undefined) continue;
      this.remove(packet);
      return packet;
    }
    return undefined;
  }

  /** Excludes a packet from the timer, but keeps it as outstanding. */
  untime(packet: SentPacket): void {
    const { older, newer } = packet;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    packet.isTimed = false;
  }
}

/** Packet numbers waiting for retransmission, lowest first, with their sizes. */

export class Retransmissions {
  /** Packet numbers, ascending. */
  readonly #seqs: number[] = [];
  readonly #sizes = new Map<number, number>();
  #bytes = 0;

  get count(): number {
    return this.#seqs.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(seq: number): boolean {
    return this.#sizes.has(seq);
  }

  /** Size of the lowest-numbered packet; 0 if there is none. */
  get firstBytes(): number {
    return this.#sizes.get(this.#seqs[0]) ?? 0;
  }

  /** The lowest packet number; -1 if there is none. */
  get firstSeq(): number {
    return this.#seqs[0] ?? -1;
  }

  add(seq: number, sizeBytes: number): void {
    if (this.#sizes.has(seq)) return;
    this.#seqs.splice(this.#placeOf(seq), 0, seq);
    this.#sizes.set(seq, sizeBytes);
    this.#bytes += sizeBytes;
  }

  /** Removes a number and returns the packet's bytes; 0 if it is not waiting. */
  remove(seq: number): number {
    const sizeBytes = this.#sizes.get(seq);
    if (sizeBytes === undefined) return 0;
    this.#seqs.splice(this.#placeOf(seq), 1);
    this.#sizes.delete(seq);
    this.#bytes -= sizeBytes;
    return sizeBytes;
  }

  #placeOf(seq: number): number {
    const seqs = this.#seqs;
    let [low, high] = [0, seqs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (seqs[middle] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NEVER_PS = -1;

/**
 * The retransmission timer of a sender, for its oldest outstanding packet. The timeout is constant.
 *
 *   start(t)   off: expires at max(t + RTO, now);  running: brought forward if t + RTO is earlier
 *   the packet for which it was started is removed: off, then started for the oldest remaining packet
 *
 * As in the reference, the packet is identified by its send time, so another one sent at the same time also counts.
 */
class RetransmissionTimer {
  readonly #events: EventList;
  readonly #timeoutPs: number;
  readonly #sent: SentPackets;
  readonly #expiry: SimEvent;
  #sentPs = NEVER_PS;

  constructor(events: EventList, timeoutPs: number, sent: SentPackets, onExpiry: () => void) {
    this.#events = events;
    this.#timeoutPs = timeoutPs;
    this.#sent = sent;
    this.#expiry = new SimEvent(onExpiry);
  }

  /** @param sentPs time when the packet was sent. */
  start(sentPs: number): void {
    const expiry = this.#expiry;
    const duePs = sentPs + this.#timeoutPs;
    if (expiry.isListed) {
      if (duePs >= expiry.timePs) return;
      this.#events.cancel(expiry);
    }
    this.#sentPs = sentPs;
    this.#events.schedule(expiry, Math.max(duePs, this.#events.nowPs));
  }

  startForOldest(): void {
    const { oldest } = this.#sent;
    if (oldest !== undefined) this.start(oldest.sentPs);
  }

  /** Called after a packet was acknowledged or NACKed. */
  onRemoved({ sentPs }: SentPacket): void {
    if (sentPs !== this.#sentPs) return;
    this.cancel();
    this.startForOldest();
  }

  cancel(): void {
    this.#events.cancel(this.#expiry);
  }
}
