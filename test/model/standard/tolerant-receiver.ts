/**
 * The receiving end of `tolerant`: accepts packets in any order and acknowledges each one.
 *
 *   expected   first byte of the first packet that has not arrived
 *   ACK        expected, and a map of 64 packets from max(after expected, 63 before the packet that has arrived) on
 *
 * Source: Ultra Ethernet 1.0, OCP MRC 1.0 (SACK bitmaps).
 */
import type { FlowPlan } from '../../../src/sim/plan.js';
import { responseTo, type Packet } from '../packet.js';
import type { Receiver } from '../parts.js';
import type { SelectiveCounts } from './selective-receiver.js';

const MAP_PACKETS = 64;

export class TolerantReceiver implements Receiver {
  expected = 0;
  readonly #flow: FlowPlan;
  readonly #mtuBytes: number;
  readonly #counts: () => SelectiveCounts;
  /** The packets that arrived beyond `expected`: sequence number to that of the next packet. */
  readonly #arrived = new Map<number, number>();

  constructor(flow: FlowPlan, mtuBytes: number, counts: () => SelectiveCounts) {
    this.#flow = flow;
    this.#mtuBytes = mtuBytes;
    this.#counts = counts;
  }

  receive(_timePs: number, packet: Packet): Packet {
    const { sequence, nextSequence } = packet;
    if (this.#arrived.has(sequence)) this.#counts().duplicates += 1;
    if (sequence >= this.expected) this.#arrived.set(sequence, nextSequence);
    for (let next = this.#arrived.get(this.expected); next !== undefined;) {
      this.#arrived.delete(this.expected);
      this.expected = next;
      next = this.#arrived.get(this.expected);
    }
    const { source: destination, ackClass: trafficClass, ackBytes: lenBytes } = this.#flow;
    return responseTo(packet, 'ack', this.expected, {
      destination,
      trafficClass,
      lenBytes,
      held: this.#heldFor(sequence),
    });
  }

  /** First bytes of the packets in the map. */
  #heldFor(sequence: number): number[] {
    const first = Math.max(this.expected + this.#mtuBytes, sequence - (MAP_PACKETS - 1) * this.#mtuBytes);
    return [...this.#arrived.keys()].filter((byte) => byte >= first && byte < first + MAP_PACKETS * this.#mtuBytes);
  }
}
