/**
 * The receiving end of selective repeat and of IRN, which keeps out-of-order packets within a window.
 *
 *   sequence = expected   expected moves past it and the following kept packets. Selective repeat: ACK, or NAK while
 *                         packets are kept beyond a gap; IRN: ACK
 *   sequence > expected   kept if within the window. Selective repeat: NAK once per expected byte; IRN: NAK that
 *                         reports it
 *   sequence < expected   ACK
 *
 * Source: "RoCE Network Proposal", slide 16; SIGCOMM 2018, section 3.1.
 */
import type { FlowPlan } from '../../../src/sim/plan.js';
import type { Transport } from '../../../src/sim/scenario/spec.js';
import type { TransportKind } from '../../../src/sim/features/transports/plan.js';
import { responseTo, type ByteRange, type Packet } from '../packet.js';
import type { Receiver } from '../parts.js';

/** The counters of a selective receiver. */
export interface SelectiveCounts {
  duplicates: number;
  beyond: number;
  discarded: number;
}

export class SelectiveReceiver implements Receiver {
  expected = 0;
  readonly #flow: FlowPlan;
  readonly #transport: Transport;
  readonly #windowBytes: number;
  readonly #counts: () => SelectiveCounts;
  /** Kept packets: sequence number to that of the next packet. */
  readonly #kept = new Map<number, number>();
  #nakedFor = -1;

  constructor(flow: FlowPlan, { transport, windowPackets }: TransportKind, mtuBytes: number,
    counts: () => SelectiveCounts) {
    this.#flow = flow;
    this.#transport = transport;
    this.#windowBytes = windowPackets * mtuBytes;
    this.#counts = counts;
  }

  receive(_timePs: number, packet: Packet): Packet | undefined {
    if (packet.sequence < this.expected) return this.#response(packet, 'ack');
    if (packet.sequence > this.expected) return this.#receiveAhead(packet);
    this.expected = packet.nextSequence;
    for (let next = this.#take(); next > 0; next = this.#take()) this.expected = next;
    return this.#kept.size > 0 && this.#transport !== 'irn' ? this.#askAgain(packet) : this.#response(packet, 'ack');
  }

  #receiveAhead(packet: Packet): Packet | undefined {
    const { sequence, payloadBytes: bytes, nextSequence } = packet;
    const isWithin = sequence - this.expected < this.#windowBytes;
    if (!isWithin) this.#counts().beyond += 1;
    else if (this.#kept.has(sequence)) this.#counts().duplicates += 1;
    if (isWithin) this.#kept.set(sequence, nextSequence);
    if (this.#transport === 'irn') return this.#response(packet, 'nak', isWithin ? { sequence, bytes } : undefined);
    return this.#nakedFor === this.expected ? undefined : this.#askAgain(packet);
  }

  #take(): number {
    const next = this.#kept.get(this.expected) ?? 0;
    this.#kept.delete(this.expected);
    return next;
  }

  #askAgain(packet: Packet): Packet {
    this.#nakedFor = this.expected;
    return this.#response(packet, 'nak');
  }

  #response(packet: Packet, kind: 'ack' | 'nak', received?: ByteRange): Packet {
    const { source, ackClass, ackBytes } = this.#flow;
    const fields = { destination: source, trafficClass: ackClass, lenBytes: ackBytes, received };
    return responseTo(packet, kind, this.expected, fields);
  }
}
