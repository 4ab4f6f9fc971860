/** The counters of a run of the network model: packets by kind and outcome. */
import type { DropReason, Totals } from '../../src/sim/result.js';
import type { Packet } from './packet.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Counters of one flow. */
export interface FlowCounts {
  /** Data packets sent, and how many of them begin below the highest byte already sent. */
  readonly sent: number;
  readonly retransmitted: number;
  /** Data packets that arrived at the receiver: all, those beyond the expected byte, and those below it. */
  readonly received: number;
  readonly outOfOrder: number;
  readonly duplicates: number;
  /** The largest distance of an arrival beyond the expected packet, in packets, and the retransmitted payload. */
  readonly depth: number;
  readonly retransmittedBytes: number;
  /** Packets that SACKs reported to the sender, and arrivals beyond the reordering window. */
  readonly sacked: number;
  readonly beyond: number;
  /** Packets that the receiver discarded for a reason of its host. */
  readonly discarded: number;
  /** Responses that reached the sender before the flow was complete, and those that report congestion. */
  readonly acks: number;
  readonly naks: number;
  readonly cnps: number;
  readonly timeouts: number;
  /** Data packets dropped in switches. */
  readonly drops: number;
  /** Fast CNPs after which the flow changed its UDP source port. */
  readonly detours: number;
  /** READ requests sent, RNR NAKs at the sender, and the time that it waited after them. */
  readonly readRequests: number;
  readonly rnrNaks: number;
  readonly rnrWaitPs: number;
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
    discarded: 0,
    acks: 0,
    naks: 0,
    cnps: 0,
    timeouts: 0,
    drops: 0,
    detours: 0,
    readRequests: 0,
    rnrNaks: 0,
    rnrWaitPs: 0,
  };
}

/** The running totals of a run. */
export class Counters {
  /** By flow. */
  readonly flows: readonly Mutable<FlowCounts>[];
  readonly drops: Mutable<Totals['drops']> = {
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

  #creditUsed = 0;

  /** The counters of complete messages, by the index of their flow. */
  readonly #messages = new Map<number, FlowCounts>();
  /** The incomplete messages of each QP with several (or its last one), by the first flow of the QP. */
  readonly #current = new Map<number, number[]>();

  constructor(flows: number) {
    this.flows = Array.from({ length: flows }, noCounts);
  }

  /** A message is posted to the QP that a flow leads. */
  posted(leader: number, message: number): void {
    this.#current.set(leader, [...(this.#current.get(leader) ?? []), message]);
  }

  /** A message is complete: the counters of its QP become its counters, unless it is the last message of the QP. */
  completed(leader: number, message: number, isLast: boolean): void {
    if (isLast) return;
    this.#current.set(leader, (this.#current.get(leader) ?? []).slice(1));
    const { detours } = this.flows[leader];
    this.#messages.set(message, this.flows[leader]);
    (this.flows as Mutable<FlowCounts>[])[leader] = { ...noCounts(), detours };
  }

  /** The counters of a flow; a QP with several messages counts for the oldest incomplete. @param leader of the QP. */
  of(flow: number, leader: number): FlowCounts {
    if (leader < 0) return this.flows[flow];
    const { detours } = this.flows[leader];
    const isCurrent = this.#current.get(leader)?.[0] === flow;
    return { ...(this.#messages.get(flow) ?? (isCurrent ? this.flows[leader] : noCounts())), detours };
  }

  /** A packet is created: it now waits or is in flight. */
  made({ kind, lenBytes, probe, portStatus }: Packet): void {
    const { totals } = this;
    totals.packetsIn += 1;
    totals.bytesIn += lenBytes;
    if (portStatus !== undefined) this.#endpointMade(portStatus.isResponse);
    else if (kind === 'data' && probe !== undefined) this.#probeMade();
    else if (kind === 'data') totals.dataPackets += 1;
    else if (kind === 'ack') totals.acks += 1;
    else if (kind === 'nak') totals.naks += 1;
    else if (kind === 'pause') totals.pauses += 1;
    else if (kind === 'resume') totals.resumes += 1;
    else if (kind === 'cnp') totals.cnps += 1;
    else if (kind === 'fast-cnp') totals.fastCnps += 1;
    else this.#madeLate(kind);
  }

  #endpointMade(isResponse: boolean): void {
    const { totals } = this;
    totals.endpointRequests = (totals.endpointRequests ?? 0) + Number(!isResponse);
    totals.endpointResponses = (totals.endpointResponses ?? 0) + Number(isResponse);
  }

  #probeMade(): void {
    const { totals } = this;
    totals.probes = (totals.probes ?? 0) + 1;
    totals.probesAcknowledged ??= 0;
    totals.probesLost ??= 0;
  }

  /** Counts the outcome of a probe. */
  probeEnded(how: 'acknowledged' | 'lost'): void {
    const { totals } = this;
    const key = how === 'acknowledged' ? 'probesAcknowledged' : 'probesLost';
    totals[key] = (totals[key] ?? 0) + 1;
  }

  /** Counts kinds that totals omit when there are none. */
  #madeLate(kind: Packet['kind']): void {
    const { totals } = this;
    if (kind === 'read-request') totals.readRequests = (totals.readRequests ?? 0) + 1;
    else if (kind === 'rnr-nak') totals.rnrNaks = (totals.rnrNaks ?? 0) + 1;
    else if (kind === 'nack') totals.nacks = (totals.nacks ?? 0) + 1;
    else if (kind === 'credit') {
      totals.credits = (totals.credits ?? 0) + 1;
      totals.creditsReceived ??= 0;
      totals.creditsDropped ??= 0;
    } else if (kind === 'arn') totals.arns = (totals.arns ?? 0) + 1;
  }

  /** A packet enters a tunnel, whose outer headers add bytes. */
  outerHeaderMade(bytes: number): void {
    this.totals.bytesIn += bytes;
  }

  /** A packet leaves the tunnel, which removes them. */
  outerHeaderGone(bytes: number): void {
    this.totals.bytesOut += bytes;
  }

  /** A packet was delivered or consumed. */
  ended({ lenBytes }: Packet): void {
    this.totals.packetsOut += 1;
    this.totals.bytesOut += lenBytes;
  }

  /** A switch has trimmed bytes from a packet. */
  trimmed(bytes: number): void {
    const { totals } = this;
    totals.trimmedPackets = (totals.trimmedPackets ?? 0) + 1;
    totals.bytesTrimmed = (totals.bytesTrimmed ?? 0) + bytes;
    totals.trimmedDropped ??= 0;
  }

  /** A trimmed packet is dropped. */
  trimmedDropped(): void {
    this.totals.trimmedDropped = (this.totals.trimmedDropped ?? 0) + 1;
  }

  /** A receiver has granted credit. */
  granted(bytes: number): void {
    this.totals.creditBytesGranted = (this.totals.creditBytesGranted ?? 0) + bytes;
  }

  /** Credit has reached its sender. */
  creditReceived(): void {
    this.totals.creditsReceived = (this.totals.creditsReceived ?? 0) + 1;
  }

  /** A sender under receiver credit has sent a packet of this length. */
  creditUsed(bytes: number): void {
    this.#creditUsed += bytes;
  }

  dropped({ kind, lenBytes }: Packet, reason: DropReason): void {
    if (kind === 'credit') this.totals.creditsDropped = (this.totals.creditsDropped ?? 0) + 1;
    this.totals.packetsDropped += 1;
    this.totals.bytesDropped += lenBytes;
    this.drops[reason] = (this.drops[reason] ?? 0) + 1;
  }

  /** Bytes that receivers accepted in order, plus complete flows: changes whenever there is progress. */
  progress = 0;

  /** A data packet has arrived at its receiver. */
  received({ flow, sequence }: Packet, expected: number, mtuBytes: number): void {
    const counts = this.flows[flow];
    counts.received += 1;
    if (sequence > expected) counts.outOfOrder += 1;
    counts.depth = Math.max(counts.depth, Math.ceil((sequence - expected) / mtuBytes));
    if (sequence < expected) counts.duplicates += 1;
  }

  /** A response has arrived at the sender of a flow that is not complete. */
  responseReceived({ flow, kind, echo }: Packet): void {
    const counts = this.flows[flow];
    if (kind === 'nak' || kind === 'nack') counts.naks += 1;
    else counts.acks += 1;
    if (echo) counts.cnps += 1;
  }

  marked({ kind }: Packet): void {
    this.totals.marks += 1;
    if (kind === 'data') this.totals.dataMarks += 1;
  }

  /** Packets that wait or are in flight. */
  get underWay(): number {
    const { packetsIn, packetsOut, packetsDropped } = this.totals;
    return packetsIn - packetsOut - packetsDropped;
  }

  /** Packets that wait or are in flight when a run ends. */
  inFlight(packets: Iterable<Packet>): void {
    // Like other totals of credit, it is omitted when none was sent.
    if (this.totals.credits !== undefined) this.totals.creditBytesUsed = this.#creditUsed;
    for (const { lenBytes } of packets) {
      this.totals.packetsInFlight += 1;
      this.totals.bytesInFlight += lenBytes;
    }
  }
}
