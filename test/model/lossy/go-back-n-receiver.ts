/**
 * The receiving end of go-back-N in the second reference; [seq, seq + len) has come, e is expected.
 *
 *   seq <= e <= seq + len    e := seq + len, ACK(e); also where seq = e
 *   seq > e                  NAK(e) if e differs from the last NAK's, or that one is `nakIntervalPs` old; otherwise
 *                            nothing
 *   seq + len < e            ACK(e)
 *
 * Read as: seq < e <= seq + len moves e too, and a packet that ends at e gets an ACK. With back-to-zero a NAK
 * carries e rounded down to the chunk, and the receiver then expects that byte. The times of NAKs begin at 0.
 * Source: docs/specs/reference-lossy.md, section 4.
 */
import type { FlowPlan } from '../../../src/sim/plan.js';
import { responseTo, type Packet } from '../packet.js';
import type { Receiver } from '../parts.js';

export interface GoBackNRules {
  readonly nakIntervalPs: number;
  /** 0: none. */
  readonly backToZeroBytes: number;
}

export class LossyGoBackNReceiver implements Receiver {
  expected = 0;
  readonly #flow: FlowPlan;
  readonly #rules: GoBackNRules;
  #nakedFor = 0;
  #nakAgainPs = 0;

  constructor(flow: FlowPlan, rules: GoBackNRules) {
    this.#flow = flow;
    this.#rules = rules;
  }

  receive(timePs: number, packet: Packet): Packet | undefined {
    const { sequence, payloadBytes } = packet;
    if (sequence > this.expected) return this.#beyond(timePs, packet);
    this.expected = Math.max(this.expected, sequence + payloadBytes);
    return this.#response(packet, 'ack');
  }

  #beyond(timePs: number, packet: Packet): Packet | undefined {
    if (timePs < this.#nakAgainPs && this.expected === this.#nakedFor) return undefined;
    this.#nakAgainPs = timePs + this.#rules.nakIntervalPs;
    this.#nakedFor = this.expected;
    const chunkBytes = this.#rules.backToZeroBytes;
    if (chunkBytes > 0) this.expected -= this.expected % chunkBytes;
    return this.#response(packet, 'nak');
  }

  /** A gap reports congestion like a mark. */
  #response(packet: Packet, kind: 'ack' | 'nak'): Packet {
    const { source: destination, ackClass: trafficClass, ackBytes: lenBytes } = this.#flow;
    const echo = packet.marked || kind === 'nak';
    return responseTo(packet, kind, this.expected, { destination, trafficClass, lenBytes, echo });
  }
}
