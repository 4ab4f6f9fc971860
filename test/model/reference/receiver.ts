/**
 * The receiving end of one flow: an ACK for each packet in order, NAKs for a gap at intervals, otherwise no response.
 *
 *   sequence = expected   expected grows; ACK, but with delayed ACKs only at multiples of the rules' chunk
 *   sequence > expected   NAK if the last one was for another packet, or `nakIntervalPs` > 0 ago; else nothing
 *   sequence < expected   another ACK if the sender has a timeout, which would otherwise repeat forever; else nothing
 *
 * The response carries the packet's mark and telemetry. Marks on packets without a response are lost.
 */
import type { DelayedAck, FlowPlan, NetworkPlan } from '../../../src/sim/plan.js';
import { responseTo, type Packet } from '../packet.js';
import type { Receiver } from '../parts.js';

export class ReferenceReceiver implements Receiver {
  /** The number of bytes received in order. */
  expected = 0;
  readonly #flow: FlowPlan;
  readonly #nakIntervalPs: number;
  readonly #delayedAck: DelayedAck | undefined;
  readonly #responsesDuplicates: boolean;
  #nakedFor = -1;
  #nakAgainPs = 0;

  constructor({ rules, nodes }: NetworkPlan, flow: FlowPlan) {
    this.#flow = flow;
    this.#nakIntervalPs = rules.nakIntervalPs;
    this.#delayedAck = rules.delayedAck;
    this.#responsesDuplicates = (nodes[flow.source].retransmitTimeoutPs ?? rules.retransmitTimeoutPs) > 0;
  }

  receive(timePs: number, packet: Packet): Packet | undefined {
    if (packet.sequence === this.expected) {
      this.expected = packet.nextSequence;
      return this.#isAckDelayed ? undefined : this.#response(packet, 'ack');
    }
    if (packet.sequence < this.expected) return this.#responsesDuplicates ? this.#response(packet, 'ack') : undefined;
    const again = this.#nakIntervalPs > 0 && timePs >= this.#nakAgainPs;
    if (this.#nakedFor === this.expected && !again) return undefined;
    this.#nakedFor = this.expected;
    this.#nakAgainPs = timePs + this.#nakIntervalPs;
    return this.#response(packet, 'nak');
  }

  get #isAckDelayed(): boolean {
    return this.#delayedAck !== undefined && this.expected < this.#delayedAck.upToBytes &&
      this.expected % this.#delayedAck.chunkBytes !== 0;
  }

  #response(packet: Packet, kind: 'ack' | 'nak'): Packet {
    const { source, ackClass, ackBytes } = this.#flow;
    const fields = { destination: source, trafficClass: ackClass, lenBytes: ackBytes };
    return responseTo(packet, kind, this.expected, fields);
  }
}
