/** What a run of the plain network model counts: packets by kind and fate. */
import type { CommonDropReason, DropReason, HazardDropReason, Totals } from '../../src/sim/result.js';
import type { Packet } from './packet.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What is counted of one flow. */
export interface FlowCounts {
  /** Data packets, and of those the ones that begin below a byte sent before. */
  readonly sent: number;
  readonly retransmitted: number;
  /** Data packets that came to the receiver; of those the ones beyond the byte expected, and below it. */
  readonly received: number;
  readonly outOfOrder: number;
  readonly duplicates: number;
  /** How far beyond the packet expected one came at most, in packets; payload sent again. */
  readonly depth: number;
  readonly retransmittedBytes: number;
  /** Packets that SACKs have named to the sender; that came beyond the reordering window. */
  readonly sacked: number;
  readonly beyond: number;
  /** Answers that came to the sender before the flow was complete, and those of both that report congestion. */
  readonly acks: number;
  readonly naks: number;
  readonly cnps: number;
  readonly timeouts: number;
  /** Data packets dropped in switches. */
  readonly drops: number;
  /** Fast CNPs on which it has taken another UDP source port. */
  readonly detours: number;
}

function noCounts(): Mutable<FlowCounts> {
  return {
    sent: 0,
    retransmitted: 0,
    received: 0,
    outOfOrder: 0,
    duplicates: 0,
    depth: 0,
    retransmittedBytes: 0,
    sacked: 0,
    beyond: 0,
    acks: 0,
    naks: 0,
    cnps: 0,
    timeouts: 0,
    drops: 0,
    detours: 0,
  };
}

/** The totals of a run as they grow. */
export class Counters {
  /** By flow. */
  readonly flows: readonly Mutable<FlowCounts>[];
  readonly drops: Record<CommonDropReason, number> & Partial<Record<HazardDropReason, number>> = {
    buffer: 0,
    noRoute: 0,
    linkDown: 0,
    loss: 0,
    corrupt: 0,
  };
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

  constructor(flows: number) {
    this.flows = Array.from({ length: flows }, noCounts);
  }

  /** A packet comes into being: it waits somewhere from now on, or leaves at once. */
  made({ kind, lenBytes }: Packet): void {
    const { totals } = this;
    totals.packetsIn += 1;
    totals.bytesIn += lenBytes;
    if (kind === 'data') totals.dataPackets += 1;
    else if (kind === 'ack') totals.acks += 1;
    else if (kind === 'nak') totals.naks += 1;
    else if (kind === 'pause') totals.pauses += 1;
    else if (kind === 'resume') totals.resumes += 1;
    else if (kind === 'cnp') totals.cnps += 1;
    else if (kind === 'fast-cnp') totals.fastCnps += 1;
    else if (kind === 'arn') totals.arns = (totals.arns ?? 0) + 1;
  }

  /** A packet enters a tunnel: the bytes of its outer headers come in. */
  outerHeaderMade(bytes: number): void {
    this.totals.bytesIn += bytes;
  }

  /** It leaves the tunnel: they go out. */
  outerHeaderGone(bytes: number): void {
    this.totals.bytesOut += bytes;
  }

  /** A packet has come to where it ends. */
  ended({ lenBytes }: Packet): void {
    this.totals.packetsOut += 1;
    this.totals.bytesOut += lenBytes;
  }

  dropped({ lenBytes }: Packet, reason: DropReason): void {
    this.totals.packetsDropped += 1;
    this.totals.bytesDropped += lenBytes;
    this.drops[reason] = (this.drops[reason] ?? 0) + 1;
  }

  /** Bytes that receivers took in order, and flows complete: moves when anything gets on. */
  progress = 0;

  /** A data packet has come to its receiver. */
  received({ flow, sequence }: Packet, expected: number, mtuBytes: number): void {
    const counts = this.flows[flow];
    counts.received += 1;
    if (sequence > expected) counts.outOfOrder += 1;
    counts.depth = Math.max(counts.depth, Math.ceil((sequence - expected) / mtuBytes));
    if (sequence < expected) counts.duplicates += 1;
  }

  /** A response has come to the sender of a flow that is not complete. */
  answered({ flow, kind, echo }: Packet): void {
    const counts = this.flows[flow];
    if (kind === 'nak') counts.naks += 1;
    else counts.acks += 1;
    if (echo) counts.cnps += 1;
  }

  marked({ kind }: Packet): void {
    this.totals.marks += 1;
    if (kind === 'data') this.totals.dataMarks += 1;
  }

  /** Packets that wait or travel. */
  get underWay(): number {
    const { packetsIn, packetsOut, packetsDropped } = this.totals;
    return packetsIn - packetsOut - packetsDropped;
  }

  /** Packets that wait or travel when a run ends. */
  inFlight(packets: Iterable<Packet>): void {
    for (const { lenBytes } of packets) {
      this.totals.packetsInFlight += 1;
      this.totals.bytesInFlight += lenBytes;
    }
  }
}
