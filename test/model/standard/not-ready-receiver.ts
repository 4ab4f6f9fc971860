/**
 * The receiving end of a SEND whose receive buffer is posted late.
 *
 *   first packet before that   RNR NAK; the packet is dropped
 *   until its retransmission   other packets are dropped without a response and are not counted
 *   otherwise                  as at a receiver that is ready
 *
 * Source: IBTA vol. 1, 9.7.5.2.8.
 */
import type { FlowPlan } from '../../../src/sim/plan.js';
import { responseTo, type Packet } from '../packet.js';
import type { Receiver } from '../parts.js';

export class NotReadyReceiver implements Receiver {
  readonly #ready: Receiver;
  readonly #readyPs: number;
  readonly #flow: FlowPlan;
  #awaitsFirst = false;

  /** @param ready receives packets after the receive is posted. */
  constructor(ready: Receiver, readyPs: number, flow: FlowPlan) {
    this.#ready = ready;
    this.#readyPs = readyPs;
    this.#flow = flow;
  }

  get expected(): number {
    return this.#ready.expected;
  }

  rejects(timePs: number, { sequence }: Packet): boolean {
    if (this.expected > 0) return false;
    return sequence === 0 ? timePs < this.#readyPs : this.#awaitsFirst;
  }

  receive(timePs: number, packet: Packet): Packet | undefined {
    if (!this.rejects(timePs, packet)) {
      this.#awaitsFirst &&= packet.sequence > 0;
      return this.#ready.receive(timePs, packet);
    }
    if (packet.sequence > 0) return undefined;
    this.#awaitsFirst = true;
    const { source, ackClass, ackBytes } = this.#flow;
    return responseTo(packet, 'rnr-nak', 0, { destination: source, trafficClass: ackClass, lenBytes: ackBytes });
  }
}
