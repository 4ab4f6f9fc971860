/**
 * Packets of the reference, and their free lists.
 *
 * Data: payload plus 64 bytes of header; all others are headers of 64 bytes. The classes of priority at a host are:
 * high for headers, low for data of a sender that has not heard anything yet, middle for other data.
 *
 * Packets are recycled, newest first, as in the reference: there the mark `isForRts` of an ACK is set and never
 * cleared, so a recycled ACK still has it. Only ACKs share this fate, hence their separate free list.
 */

export const HEADER_BYTES = 64;

export type PacketKind = 'data' | 'ack' | 'nack' | 'pull' | 'rts' | 'probe';

/** Classes of priority at a host: the lower, the earlier. */
export const HIGH = 0;
export const MIDDLE = 1;
export const LOW = 2;
export type HostClass = typeof HIGH | typeof MIDDLE | typeof LOW;

/** What a packet is passed on to. */
export interface PacketSink {
  receive(packet: Packet): void;
}

export class Packet {
  kind: PacketKind = 'data';
  /** The sender or receiver that it ends at, and its host. */
  endpoint: PacketSink;
  destination = 0;
  /** Of the sender for data, RTS and probes, else of the receiver: part of the hash of paths. */
  flowId = 0;
  /** Entropy value, 16 bits: selects the path. */
  ev = 0;
  sizeBytes = HEADER_BYTES;
  isHeaderOnly = true;
  hostClass: HostClass = HIGH;
  isMarked = false;
  /** Of a trimmed packet: the queue that trimmed it leads to the host. */
  isTrimmedAtLastHop = false;
  /** In a switch: the queue that it goes to next. In a pipe: when it leaves. */
  output: PacketSink | undefined = undefined;
  duePs = 0;

  /** Number of the packet, or of the packet that an ACK or NACK is about. */
  seq = 0;
  isRetransmission = false;
  wantsAck = false;
  /** Data and RTS: the pull number that the sender asks for. Pulls: the pull number granted. */
  pullNumber = 0;

  /** ACK: the lowest number missing. */
  cumulative = 0;
  /** ACK: the number of the map's first bit, bits 0 to 31 and 32 to 63. */
  mapBase = 0;
  mapLow = 0;
  mapHigh = 0;
  /** ACK: bytes that the receiver has received, and packets above the lowest missing. */
  receivedBytes = 0;
  outOfOrder = 0;
  isProbe = false;
  isForRts = false;

  constructor(endpoint: PacketSink) {
    this.endpoint = endpoint;
  }

  /** As the trace names it; -1: it is not data. */
  get tracedSeq(): number {
    return this.kind === 'data' ? this.seq : -1;
  }
}

/** Where a packet goes, and who sends it. */
export interface Direction {
  readonly endpoint: PacketSink;
  readonly destination: number;
  readonly flowId: number;
}

/** Packets of a run, of all kinds, and their bytes. What is neither delivered nor dropped is in flight at the end. */
export interface UetPackets {
  /** Packets made. */
  readonly made: number;
  /** Packets that reached their host. */
  readonly delivered: number;
  /** ACKs made. */
  readonly acks: number;
  /** NACKs made, one per trimmed packet that is new to its receiver. */
  readonly nacks: number;
  /** Pulls made: credit of receivers. */
  readonly pulls: number;
  /** Trimmed packets that a switch dropped. */
  readonly trimmedDropped: number;
  /** Bytes of the packets made, headers included. */
  readonly bytesMade: number;
  /** Bytes of those that reached their host, as they arrived. */
  readonly bytesDelivered: number;
  /** Bytes of those dropped. */
  readonly bytesDropped: number;
  /** Bytes cut off packets of data. */
  readonly bytesTrimmed: number;
}

/** The free lists: one for ACKs, one for all else. */
export class PacketPool {
  readonly #acks: Packet[] = [];
  readonly #others: Packet[] = [];
  readonly counts: { -readonly [Key in keyof UetPackets]: number } = {
    made: 0,
    delivered: 0,
    acks: 0,
    nacks: 0,
    pulls: 0,
    trimmedDropped: 0,
    bytesMade: 0,
    bytesDelivered: 0,
    bytesDropped: 0,
    bytesTrimmed: 0,
  };

  /** A header of 64 bytes, without a mark. */
  take(kind: PacketKind, { endpoint, destination, flowId }: Direction, ev: number): Packet {
    const packet = (kind === 'ack' ? this.#acks : this.#others).pop() ?? new Packet(endpoint);
    packet.kind = kind;
    packet.endpoint = endpoint;
    packet.destination = destination;
    packet.flowId = flowId;
    packet.ev = ev;
    packet.sizeBytes = HEADER_BYTES;
    packet.isHeaderOnly = true;
    packet.hostClass = HIGH;
    packet.isMarked = false;
    packet.isTrimmedAtLastHop = false;
    this.counts.made += 1;
    this.counts.bytesMade += HEADER_BYTES;
    if (kind === 'ack') this.counts.acks += 1;
    else if (kind === 'nack') this.counts.nacks += 1;
    else if (kind === 'pull') this.counts.pulls += 1;
    return packet;
  }

  /** Makes a header a packet of data. */
  fill(packet: Packet, sizeBytes: number): void {
    packet.sizeBytes = sizeBytes;
    this.counts.bytesMade += sizeBytes - HEADER_BYTES;
  }

  /** Cuts a packet of data. */
  trim(packet: Packet, sizeBytes: number): void {
    this.counts.bytesTrimmed += packet.sizeBytes - sizeBytes;
    packet.sizeBytes = sizeBytes;
  }

  /** At its host, which is done with it. */
  deliver(packet: Packet): void {
    this.counts.delivered += 1;
    this.counts.bytesDelivered += packet.sizeBytes;
    this.#free(packet);
  }

  drop(packet: Packet): void {
    this.counts.bytesDropped += packet.sizeBytes;
    if (packet.kind === 'data' && packet.isHeaderOnly) this.counts.trimmedDropped += 1;
    this.#free(packet);
  }

  #free(packet: Packet): void {
    (packet.kind === 'ack' ? this.#acks : this.#others).push(packet);
  }
}
