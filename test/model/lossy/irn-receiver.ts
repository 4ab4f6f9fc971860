/**
 * The receiving end of IRN in the second reference: keeps out-of-order packets and reports them to the sender.
 *
 *   seq <= e <= seq + len    e := seq + len, and on to the end of the first range if that begins at or below e
 *   seq > e                  nothing if it lies in a range and the last report is less than `nakIntervalPs` ago;
 *                            else it is kept, and NAK(e; seq, len), which reports congestion too
 *   else                     an old duplicate
 *   unless silent            cumulative ACK(e) if no range is left, else NAK(e; seq, len)
 *
 * Source: docs/specs/reference-lossy.md, section 5.1.
 */
import type { FlowPlan } from '../../../src/sim/plan.js';
import { responseTo, type Packet } from '../packet.js';
import type { Receiver } from '../parts.js';
import { ByteRanges } from './byte-ranges.js';

export class IrnReceiver implements Receiver {
  expected = 0;
  readonly #flow: FlowPlan;
  readonly #nakIntervalPs: number;
  readonly #kept = new ByteRanges();
  #nakAgainPs = 0;

  constructor(flow: FlowPlan, nakIntervalPs: number) {
    this.#flow = flow;
    this.#nakIntervalPs = nakIntervalPs;
  }

  receive(timePs: number, packet: Packet): Packet | undefined {
    const { sequence, payloadBytes: bytes } = packet;
    if (sequence > this.expected) return this.#beyond(timePs, packet);
    if (this.expected <= sequence + bytes) this.#advance(sequence + bytes);
    return this.#response(packet, packet.marked);
  }

  #beyond(timePs: number, packet: Packet): Packet | undefined {
    const range = { sequence: packet.sequence, bytes: packet.payloadBytes };
    if (this.#kept.holds(range) && timePs < this.#nakAgainPs) return undefined;
    this.#nakAgainPs = timePs + this.#nakIntervalPs;
    this.#kept.add(range);
    return this.#response(packet, true);
  }

  #advance(to: number): void {
    this.expected = to;
    const { first } = this.#kept;
    if (first !== undefined && first.from <= to) this.expected = first.to;
    this.#kept.trim(this.expected);
  }

  #response(packet: Packet, echo: boolean): Packet {
    const { source: destination, ackClass: trafficClass, ackBytes: lenBytes } = this.#flow;
    const received = this.#kept.isEmpty ?
      undefined :
      { sequence: packet.sequence, bytes: packet.payloadBytes };
    const kind = received === undefined ? 'ack' : 'nak';
    return responseTo(packet, kind, this.expected, { destination, trafficClass, lenBytes, echo, received });
  }
}
