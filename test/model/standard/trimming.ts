/**
 * Packet trimming in a switch: an MRC data packet without room is cut to its first bytes and forwarded in another
 * class.
 *
 * Source: Ultra Ethernet 1.0.1, OCP MRC 1.0 by their readers (docs/specs/mrc-transport.md, 3.12).
 */
import type { NetworkPlan, TrimmingPlan } from '../../../src/sim/plan.js';
import type { Counters } from '../counters.js';
import type { Packet } from '../packet.js';
import { transportOf } from './transports.js';

const CLASSES = 8;

/** An egress port as used by trimming. */
export interface TrimmingPort {
  /** Whether the port leads to a host or to its adapter. */
  readonly leadsToHost: boolean;
  /** Whether it is the port of an adapter, which only memory limits. */
  readonly isUnlimited: boolean;
  /** Bytes waiting in a class. */
  readonly queueBytes: (trafficClass: number) => number;
  /** Whether there is memory for a packet. */
  readonly hasPlace: (packet: Packet) => boolean;
}

/** Counters of one port. */
export interface TrimmingCounts {
  readonly trimmed: number[];
  dropped: number;
}

export class Trimming {
  readonly counts: TrimmingCounts[];
  readonly #network: NetworkPlan;
  readonly #plan: TrimmingPlan;
  readonly #count: Counters;

  constructor(network: NetworkPlan, plan: TrimmingPlan, count: Counters) {
    this.#network = network;
    this.#plan = plan;
    this.#count = count;
    this.counts = network.ports.map(() => ({ trimmed: Array.from({ length: CLASSES }, () => 0), dropped: 0 }));
  }

  /** The packet to queue, whole or trimmed; undefined: even a trimmed one is dropped. @param index of the port. */
  pass(index: number, port: TrimmingPort, packet: Packet): Packet | undefined {
    if (
      packet.kind !== 'data' || packet.probe !== undefined || packet.portStatus !== undefined ||
      transportOf(this.#network, packet.flow).transport !== 'mrc'
    ) return packet;
    const counts = this.counts[index];
    let passing = packet;
    if (packet.trimmed === undefined) {
      const { dataClasses, lastHopQueueBytes, queueBytes } = this.#plan;
      const limit = port.isUnlimited ? Infinity : port.leadsToHost ? lastHopQueueBytes : queueBytes;
      if ((dataClasses & (1 << packet.trafficClass)) === 0 || fits(port, packet, limit)) return packet;
      counts.trimmed[packet.trafficClass] += 1;
      passing = this.#trim(port, packet);
    }
    if (fits(port, passing, port.isUnlimited ? Infinity : this.#plan.trimmedQueueBytes)) return passing;
    counts.dropped += 1;
    this.#count.trimmedDropped();
    return undefined;
  }

  /** The trimmed form of a packet that `pass` drops. */
  rest(port: TrimmingPort, packet: Packet): Packet {
    return packet.trimmed === undefined ? this.#cut(port, packet) : packet;
  }

  #trim(port: TrimmingPort, packet: Packet): Packet {
    const cut = this.#cut(port, packet);
    this.#count.trimmed(packet.lenBytes - cut.lenBytes);
    return cut;
  }

  #cut({ leadsToHost }: TrimmingPort, packet: Packet): Packet {
    const { lenBytes, trafficClass } = this.#plan;
    return {
      ...packet,
      lenBytes: Math.min(packet.lenBytes, lenBytes),
      trafficClass,
      trimmed: leadsToHost ? 'last-hop' : 'transit',
    };
  }
}

function fits(port: TrimmingPort, packet: Packet, limitBytes: number): boolean {
  return port.queueBytes(packet.trafficClass) + packet.lenBytes <= limitBytes && port.hasPlace(packet);
}
