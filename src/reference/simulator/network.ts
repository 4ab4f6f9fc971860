/** What all parts of a running plain model share: plan, queue of events, random numbers, counters. */
import type { NetworkPlan } from '../../sim/plan.js';
import type { DropReason, Totals } from '../../sim/result.js';
import type { CongestionPointRandom } from '../congestion-point-random.js';
import type { EventQueue } from './event-queue.js';
import type { ModelListener, Packet } from './packet.js';
import type { Port } from './port.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface Network {
  readonly plan: NetworkPlan;
  readonly events: EventQueue;
  readonly random: CongestionPointRandom;
  /** By their index in the plan. */
  readonly ports: readonly Port[];
  readonly count: Counters;
  readonly listener: ModelListener | undefined;
}

/** The totals of a run as they grow. */
export class Counters {
  readonly drops: Record<DropReason, number> = { buffer: 0, noRoute: 0, linkDown: 0, loss: 0, corrupt: 0 };
  readonly totals: Mutable<Omit<Totals, 'drops'>> = {
    packetsIn: 0, packetsOut: 0, packetsInFlight: 0, packetsDropped: 0, bytesIn: 0, bytesOut: 0, bytesInFlight: 0, bytesDropped: 0,
    dataPackets: 0, acks: 0, naks: 0, cnps: 0, fastCnps: 0, pauses: 0, resumes: 0, marks: 0, dataMarks: 0,
    retransmittedPackets: 0, timeouts: 0,
  };

  /** A packet comes into being: it waits somewhere from now on, or leaves at once. */
  made({ kind, lenBytes }: Packet): void {
    const { totals } = this;
    totals.packetsIn += 1;
    totals.bytesIn += lenBytes;
    if (kind === 'data') totals.dataPackets += 1;
    else if (kind === 'ack') totals.acks += 1;
    else if (kind === 'nak') totals.naks += 1;
    else if (kind === 'pause') totals.pauses += 1;
    else totals.resumes += 1;
  }

  /** A packet has come to where it ends. */
  ended({ lenBytes }: Packet): void {
    this.totals.packetsOut += 1;
    this.totals.bytesOut += lenBytes;
  }

  dropped({ lenBytes }: Packet, reason: DropReason): void {
    this.totals.packetsDropped += 1;
    this.totals.bytesDropped += lenBytes;
    this.drops[reason] += 1;
  }

  marked({ kind }: Packet): void {
    this.totals.marks += 1;
    if (kind === 'data') this.totals.dataMarks += 1;
  }

  /** Packets that wait or travel when a run ends. */
  inFlight(packets: Iterable<Packet>): void {
    for (const { lenBytes } of packets) {
      this.totals.packetsInFlight += 1;
      this.totals.bytesInFlight += lenBytes;
    }
  }
}
