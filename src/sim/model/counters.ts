/** What a run of the plain network model counts: packets by kind and fate. */
import type { DropReason, Totals } from '../result.js';
import type { Packet } from './packet.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The totals of a run as they grow. */
export class Counters {
  readonly drops: Record<DropReason, number> = { buffer: 0, noRoute: 0, linkDown: 0, loss: 0, corrupt: 0 };
  readonly totals: Mutable<Omit<Totals, 'drops'>> = {
    packetsIn: 0,
    packetsOut: 0,
    packetsInFlight: 0,
    packetsDropped: 0,
    bytesIn: 0,
    bytesOut: 0,
    bytesInFlight: 0,
    bytesDropped: 0,
    dataPackets: 0,
    acks: 0,
    naks: 0,
    cnps: 0,
    fastCnps: 0,
    pauses: 0,
    resumes: 0,
    marks: 0,
    dataMarks: 0,
    retransmittedPackets: 0,
    timeouts: 0,
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
