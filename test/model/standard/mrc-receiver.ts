/**
 * The receiving end of MRC: accepts packets in any order, requests retransmission of trimmed ones, and sends SACKs.
 *
 *   NACK      for each trimmed packet, each packet beyond its range (unless it drops these), and each new packet while
 *             its host discards packets
 *   SACK      if a packet requests it, is marked, a retransmission or a duplicate, or was overtaken by one that
 *             requests a SACK; or if more than `sackEveryBytes` have arrived since the last SACK, with at least 1,024
 *             per packet
 *   contents  the first packet that has not arrived, the packet that causes the SACK, and a map of 64 packets: from the
 *             first missing one on, or up to the highest one that has arrived; with dynamic MPR also the range
 *   range     the packets that it accepts: from the first missing one on, and all within a range that it has announced
 *   also      each SACK has the window penalty that it demands, or then that the window is restored; and the bytes
 *             received: nominal sizes of packets that arrive for the first time, rounded up to units of 256 bytes
 *
 * Source: OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md), 3.3, 3.4.
 */
import type { FlowPlan, MrcPlan } from '../../../src/sim/plan.js';
import type { DiscardReason } from '../../../src/sim/scenario/spec.js';
import type { World } from '../network.js';
import { responseTo, type Packet, type ResponseFields, type WindowDemand } from '../packet.js';
import type { Receiver } from '../parts.js';
import type { SelectiveCounts } from './selective-receiver.js';

const MAP_PACKETS = 64;
/** Announced ranges are multiples of this. */
const RANGE_UNIT_PACKETS = 128;
const LEAST_BYTES = 1024;
/** UDP length + 40, without the payload. */
export const NOMINAL_HEADER_BYTES = 88;
/** Received bytes are in units of this many, modulo this many units. */
export const UNIT_BYTES = 256;
export const UNITS = 2 ** 24;

export interface MrcReceiverSettings {
  readonly plan: MrcPlan;
  readonly changed: World['changed'];
  readonly discarding: World['discarding'];
  /** The window of its sender. */
  readonly windowPackets: number;
  /** Consecutive marks of an entropy after which it sends ALWAYS_SKIP; 0: never. */
  readonly alwaysSkipMarks: number;
}

export class MrcReceiver implements Receiver {
  expected = 0;
  readonly #flow: FlowPlan;
  readonly #plan: MrcPlan;
  readonly #mtuBytes: number;
  readonly #changed: World['changed'];
  readonly #discarding: World['discarding'];
  /** The range when its QP was set up. */
  readonly #firstRangePackets: number;
  /** First byte beyond all ranges that it has announced. */
  #announcedTo = 0;
  readonly #counts: () => SelectiveCounts;
  /** 0: never. */
  readonly #alwaysSkipMarks: number;
  /** Consecutive marks by UDP source port. */
  readonly #marksInRow = new Map<number, number>();
  /** The packets that arrived beyond `expected`: sequence number to that of the next packet. */
  readonly #arrived = new Map<number, number>();
  #highest = 0;
  #bytesSinceSack = 0;
  #receivedBytes = 0;
  /** First byte of the highest packet that requested a SACK. */
  #asked = -1;

  constructor(flow: FlowPlan, { plan, changed, discarding, windowPackets, alwaysSkipMarks }: MrcReceiverSettings,
    mtuBytes: number, counts: () => SelectiveCounts) {
    this.#alwaysSkipMarks = alwaysSkipMarks;
    this.#flow = flow;
    this.#plan = plan;
    this.#changed = changed;
    this.#discarding = discarding;
    this.#firstRangePackets = rangePacketsOf(plan, windowPackets);
    this.#mtuBytes = mtuBytes;
    if (plan.announcesRange === true) this.#announcedTo = this.#firstRangePackets * mtuBytes;
    this.#counts = counts;
  }

  rejects(_timePs: number, packet: Packet): boolean {
    return packet.trimmed !== undefined || this.#isBeyond(packet) || this.#reasonToDiscard(packet) !== undefined;
  }

  #isBeyond({ sequence }: Packet): boolean {
    return sequence >= this.#announcedTo && sequence - this.expected >= this.#rangePackets * this.#mtuBytes;
  }

  /** The range may change during the run. */
  get #rangePackets(): number {
    return this.#changed.receiverRangePackets ?? this.#firstRangePackets;
  }

  get #demand(): WindowDemand | undefined {
    const penalty = this.#changed.windowPenalty ?? this.#plan.windowPenalty ?? 0;
    const isOver = this.#changed.windowPenalty === 0;
    return penalty > 0 || isOver ? { penalty, restores: isOver && this.#plan.restoresWindow === true } : undefined;
  }

  #announce(): number | undefined {
    if (this.#plan.announcesRange !== true) return undefined;
    this.#announcedTo = Math.max(this.#announcedTo, this.expected + this.#rangePackets * this.#mtuBytes);
    return this.#rangePackets;
  }

  receive(_timePs: number, packet: Packet): Packet | undefined {
    if (packet.trimmed !== undefined) return this.#nack(packet);
    if (this.#isBeyond(packet)) return this.#rejectBeyond(packet);
    const reason = this.#reasonToDiscard(packet);
    if (reason !== undefined) return this.#discard(packet, reason);
    this.#noteMark(packet);
    const { sequence, nextSequence } = packet;
    const isHeld = this.#arrived.has(sequence);
    const isDuplicate = isHeld || sequence < this.expected;
    if (isHeld) this.#counts().duplicates += 1;
    if (!isDuplicate) this.#receivedBytes += packet.payloadBytes + NOMINAL_HEADER_BYTES;
    if (sequence >= this.expected) this.#arrived.set(sequence, nextSequence);
    for (let next = this.#arrived.get(this.expected); next !== undefined;) {
      this.#arrived.delete(this.expected);
      this.expected = next;
      next = this.#arrived.get(this.expected);
    }
    this.#highest = Math.max(this.#highest, sequence);
    this.#bytesSinceSack += Math.max(LEAST_BYTES, packet.lenBytes);
    if (packet.asks === true && !isDuplicate) this.#asked = Math.max(this.#asked, sequence);
    return isDuplicate || this.#isSackDue(packet) ? this.#sack(packet) : undefined;
  }

  #isSackDue({ sequence, again, marked }: Packet): boolean {
    return sequence <= this.#asked || again === true || marked || this.#bytesSinceSack > this.#plan.sackEveryBytes;
  }

  #noteMark({ marked, tuple: { sourcePort } }: Packet): void {
    this.#marksInRow.set(sourcePort, marked ? (this.#marksInRow.get(sourcePort) ?? 0) + 1 : 0);
  }

  #setsAlwaysSkip({ marked, tuple: { sourcePort } }: Packet): boolean {
    return marked && this.#alwaysSkipMarks > 0 && this.#marksInRow.get(sourcePort)! >= this.#alwaysSkipMarks;
  }

  #rejectBeyond(packet: Packet): Packet | undefined {
    this.#counts().beyond += 1;
    return this.#plan.dropsBeyond === true ? undefined : { ...this.#nack(packet), rejected: 'out-of-range' };
  }

  #reasonToDiscard({ sequence }: Packet): DiscardReason | undefined {
    const isNew = sequence >= this.expected && !this.#arrived.has(sequence);
    return isNew ? this.#discarding.get(this.#flow.destination) : undefined;
  }

  #discard(packet: Packet, rejected: DiscardReason): Packet {
    this.#counts().discarded += 1;
    return { ...this.#nack(packet), rejected };
  }

  #nack(packet: Packet): Packet {
    const { source: destination, ackClass: trafficClass } = this.#flow;
    const { sequence, trimmed } = packet;
    const lenBytes = this.#plan.nackBytes;
    return responseTo(packet, 'nack', sequence, { destination, trafficClass, lenBytes, trimmed, echo: false });
  }

  acknowledgeProbe(probe: Packet): Packet {
    this.#noteMark(probe);
    return this.#respond(probe, { probe: probe.probe, ofWindow: probe.ofWindow });
  }

  #sack(packet: Packet): Packet {
    this.#bytesSinceSack = 0;
    return this.#respond(packet, { cause: packet.sequence });
  }

  #respond(packet: Packet, named: Pick<ResponseFields, 'cause' | 'probe' | 'ofWindow'>): Packet {
    const { source: destination, ackClass: trafficClass, ackBytes: lenBytes } = this.#flow;
    const first = Math.max(this.expected, this.#highest - (MAP_PACKETS - 1) * this.#mtuBytes);
    const end = first + MAP_PACKETS * this.#mtuBytes;
    const held = [...this.#arrived.keys()].filter((byte) => byte >= first && byte < end);
    return responseTo(packet, 'ack', this.expected, {
      destination,
      trafficClass,
      lenBytes,
      held,
      alwaysSkip: this.#setsAlwaysSkip(packet),
      rangePackets: this.#announce(),
      receivedUnits: Math.ceil(this.#receivedBytes / UNIT_BYTES) % UNITS,
      demand: this.#demand,
      ...named,
    });
  }
}

/** The initial range: the window of the sender; if announced, in whole units from 1 to 255. */
export function rangePacketsOf({ receiverRangePackets, announcesRange }: MrcPlan, windowPackets: number): number {
  if (receiverRangePackets !== undefined || announcesRange !== true) return receiverRangePackets ?? windowPackets;
  const units = Math.floor(windowPackets / RANGE_UNIT_PACKETS);
  return Math.min(255, Math.max(1, units)) * RANGE_UNIT_PACKETS;
}
