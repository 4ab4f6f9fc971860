/**
 * The receiver of a flow: tracks received packets, sends ACKs, and requests pulls from its host's pacer.
 *
 *   immediate ACK    first payload, duplicate, ACK request, mark, or the last gap closes after an ACK request
 *   ACK              accepted bytes (16 bits, wrapping) >= the threshold
 *   map              64 numbers from r: r = n if marked or requested, else max(n - 63, e + 1)
 *
 * e: lowest missing number; n: number of the packet. Received numbers above e are kept in a ring of 16,384 slots; as in the
 * reference, numbers that far apart share a slot.
 */
import type { FlowSettings, UetFlow } from './flow.js';
import { FIRST_PULL, type PullClient, type PullPacer, type OversubscribedCounts } from './receiver-control.js';
import type { Nic } from './network.js';
import type { Direction, Packet, PacketSink } from './packet.js';
import type { RunContext } from './run-context.js';

const RING_MASK = 16_384 - 1;
const MAP_BITS = 64;
const ACCEPTED_MASK = 0xffff;
const PULL_PATHS_MASK = 127;

/** Counts of everything that reached the receiver; trimmed packets count with their trimmed size. */
export interface ReceiverCounts {
  packets: number;
  bytes: number;
  marked: number;
  outOfOrder: number;
  duplicates: number;
  trimmed: number;
  trimmedLastHop: number;
}

/** Components that a receiver uses. */
export interface ReceiverParts {
  readonly flow: UetFlow;
  readonly settings: FlowSettings;
  readonly nic: Nic;
  readonly pacer: PullPacer | undefined;
  readonly hostCounts: OversubscribedCounts | undefined;
}

export class Receiver implements PacketSink, PullClient {
  readonly counts: ReceiverCounts = {
    packets: 0,
    bytes: 0,
    marked: 0,
    outOfOrder: 0,
    duplicates: 0,
    trimmed: 0,
    trimmedLastHop: 0,
  };
  /** Lowest missing packet number. */
  expected = 0;
  pullNumber = FIRST_PULL;
  pullTarget = FIRST_PULL;
  isActive = false;
  readonly #context: RunContext;
  readonly #parts: ReceiverParts;
  readonly #toSender: Direction;
  readonly #isReceived = new Uint8Array(RING_MASK + 1);
  #outOfOrder = 0;
  #receivedBytes = 0;
  #acceptedBytes = 0;
  #isAckPending = false;
  #pullPath = 0;

  /** @param sender destination of ACKs, NACKs and pulls. */
  constructor(context: RunContext, parts: ReceiverParts, sender: PacketSink) {
    this.#context = context;
    this.#parts = parts;
    const { source, receiverId } = parts.flow;
    this.#toSender = { endpoint: sender, destination: source, flowId: receiverId };
  }

  receive(packet: Packet): void {
    this.#count(packet);
    if (packet.kind === 'rts') this.#receiveRts(packet);
    else if (packet.kind === 'probe') this.#receiveProbe(packet);
    else if (packet.isHeaderOnly) this.#receiveTrimmed(packet);
    else this.#receiveData(packet);
    this.#context.pool.deliver(packet);
  }

  /** Sends the pull number granted. */
  sendPull(): void {
    this.#pullPath = (this.#pullPath + 1) & PULL_PATHS_MASK;
    const pull = this.#context.pool.take('pull', this.#toSender, this.#pullPath);
    pull.pullNumber = this.pullNumber;
    this.#parts.nic.sendControl(pull);
  }

  #count({ sizeBytes, isMarked, kind, isHeaderOnly, isTrimmedAtLastHop }: Packet): void {
    const { counts } = this;
    counts.packets += 1;
    counts.bytes += sizeBytes;
    const isTrimmed = kind === 'data' && isHeaderOnly;
    if (isTrimmed) counts.trimmed += 1;
    else if (isMarked && kind === 'data') counts.marked += 1;
    this.#parts.hostCounts?.count(isMarked, isTrimmed, isTrimmedAtLastHop);
  }

  #receiveData(packet: Packet): void {
    const { seq, isMarked, sizeBytes } = packet;
    this.#trace('RX', seq, Number(isMarked));
    this.#acceptedBytes = (this.#acceptedBytes + sizeBytes) & ACCEPTED_MASK;
    this.#raiseTarget(packet.pullNumber);
    if (this.#isKnown(seq)) {
      this.counts.duplicates += 1;
      this.#acknowledge(packet, isMarked ? seq : this.#mapBase(seq));
      this.#acceptedBytes = 0;
      return;
    }
    let isAtOnce = this.#receivedBytes === 0;
    this.#receivedBytes += sizeBytes;
    if (packet.wantsAck) {
      isAtOnce = true;
      this.#isAckPending = true;
    }
    if (this.#accept(seq)) isAtOnce = true;
    if (!isMarked && !isAtOnce && this.#acceptedBytes < this.#parts.settings.ackBytes) return;
    this.#acknowledge(packet, isMarked || packet.wantsAck ? seq : this.#mapBase(seq));
    this.#acceptedBytes = 0;
  }

  #receiveTrimmed(packet: Packet): void {
    const { seq, isMarked, isTrimmedAtLastHop } = packet;
    this.#trace('RT', seq, Number(isMarked));
    if (this.#isKnown(seq)) {
      const ack = this.#newAck(packet, this.#mapBase(seq));
      ack.isMarked = false;
      this.#parts.nic.sendControl(ack);
      return;
    }
    if (isTrimmedAtLastHop) this.counts.trimmedLastHop += 1;
    this.#raiseTarget(packet.pullNumber);
    const nack = this.#context.pool.take('nack', this.#toSender, packet.ev);
    nack.seq = seq;
    nack.isMarked = isMarked;
    nack.isTrimmedAtLastHop = isTrimmedAtLastHop;
    this.#parts.nic.sendControl(nack);
    this.#parts.pacer?.activate(this);
  }

  #receiveRts(packet: Packet): void {
    const { seq } = packet;
    this.#trace('RR', seq, Number(packet.isMarked));
    this.#raiseTarget(packet.pullNumber);
    this.#parts.pacer?.activate(this);
    if (this.#isKnown(seq)) {
      this.counts.duplicates += 1;
      this.#acknowledge(packet, this.#mapBase(seq));
      this.#acceptedBytes = 0;
      return;
    }
    this.#accept(seq);
    const ack = this.#newAck(packet, seq);
    ack.isForRts = true;
    this.#parts.nic.sendControl(ack);
  }

  #receiveProbe(packet: Packet): void {
    const ack = this.#newAck(packet, this.#mapBase(packet.seq));
    ack.isProbe = true;
    this.#parts.nic.sendControl(ack);
  }

  #isKnown(seq: number): boolean {
    return seq < this.expected || this.#isReceived[seq & RING_MASK] !== 0;
  }

  /** Records a new packet number. Returns whether it closed the last gap while an ACK was pending. */
  #accept(seq: number): boolean {
    const isReceived = this.#isReceived;
    if (seq !== this.expected) {
      isReceived[seq & RING_MASK] = 1;
      this.#outOfOrder += 1;
      this.counts.outOfOrder += 1;
      return false;
    }
    this.expected += 1;
    while (this.#outOfOrder > 0 && isReceived[this.expected & RING_MASK] !== 0) {
      isReceived[this.expected & RING_MASK] = 0;
      this.#outOfOrder -= 1;
      this.expected += 1;
    }
    if (this.#outOfOrder > 0 || !this.#isAckPending) return false;
    this.#isAckPending = false;
    return true;
  }

  #raiseTarget(pullTarget: number): void {
    if (pullTarget <= this.pullTarget) return;
    this.pullTarget = pullTarget;
    this.#parts.pacer?.activate(this);
  }

  #mapBase(seq: number): number {
    return Math.max(seq - (MAP_BITS - 1), this.expected + 1);
  }

  #acknowledge(packet: Packet, mapBase: number): void {
    this.#parts.nic.sendControl(this.#newAck(packet, mapBase));
  }

  #newAck(packet: Packet, mapBase: number): Packet {
    const ack = this.#context.pool.take('ack', this.#toSender, packet.ev);
    ack.seq = packet.seq;
    ack.isMarked = packet.isMarked;
    ack.isRetransmission = packet.isRetransmission;
    ack.isProbe = false;
    ack.cumulative = this.expected;
    ack.receivedBytes = this.#receivedBytes;
    ack.outOfOrder = this.#outOfOrder;
    ack.mapBase = mapBase;
    ack.mapLow = this.#outOfOrder > 0 ? this.#mapWord(mapBase) : 0;
    ack.mapHigh = this.#outOfOrder > 0 ? this.#mapWord(mapBase + MAP_BITS / 2) : 0;
    return ack;
  }

  #mapWord(from: number): number {
    let word = 0;
    for (let bit = 0; bit < MAP_BITS / 2; bit += 1) word |= this.#isReceived[(from + bit) & RING_MASK] << bit;
    return word;
  }

  #trace(event: string, seq: number, marked: number): void {
    this.#context.trace?.(this.#context.events.nowPs, event, this.#parts.flow.index, seq, marked);
  }
}
