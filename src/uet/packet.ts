/**
 * Packets, and their free lists.
 *
 * Data packets have a payload and 64 bytes of header; all others are headers of 64 bytes. Priority classes at a host:
 * high for headers, low for data of a sender without feedback so far, middle for other data.
 *
 * As in the reference, packets are recycled, newest first, and the flag `isForRts` of an ACK is never cleared, so a recycled
 * ACK still has it. Only ACKs behave this way, hence their separate free list.
 */

export const HEADER_BYTES = 64;

export type PacketKind = 'data' | 'ack' | 'nack' | 'pull' | 'rts' | 'probe';

/** Priority classes at a host; lower numbers are served first. */
export const HIGH = 0;
export const MIDDLE = 1;
export const LOW = 2;
export type HostClass = typeof HIGH | typeof MIDDLE | typeof LOW;

/** A component that receives packets. */
export interface PacketSink {
  receive(packet: Packet): void;
}

export class Packet {
  kind: PacketKind = 'data';
  /** The sender or receiver that the packet is for, and its host. */
  endpoint: PacketSink;
  destination = 0;
  /** Flow id, part of the path hash: the sender's for data, RTS and probes, otherwise the receiver's. */
  flowId = 0;
  /** Entropy value, 16 bits: selects the path. */
  ev = 0;
  sizeBytes = HEADER_BYTES;
  isHeaderOnly = true;
  hostClass: HostClass = HIGH;
  isMarked = false;
  /** For a trimmed packet: whether the queue that trimmed it leads to a host. */
  isTrimmedAtLastHop = false;
  /** In a switch: the next queue of the packet. `duePs`: when it leaves a pipe. */
  output: PacketSink | undefined = undefined;
  duePs = 0;

  /** Number of the packet, or of the packet that an ACK or NACK is about. */
  seq = 0;
  isRetransmission = false;
  wantsAck = false;
  /** Data and RTS: the pull number that the sender requests. Pulls: the pull number granted. */
  pullNumber = 0;

  /** ACK: the lowest missing packet number. */
  cumulative = 0;
  /** ACK: packet number of the map's first bit; then map bits 0 to 31 and 32 to 63. */
  mapBase = 0;
  mapLow = 0;
  mapHigh = 0;
  /** ACK: bytes received so far, and number of packets received above the lowest missing one. */
  receivedBytes = 0;
  outOfOrder = 0;
  isProbe = false;
  isForRts = false;

  constructor(endpoint: PacketSink) {
    this.endpoint = endpoint;
  }

  /** Packet number in the trace; -1 unless it is a data packet. */
  get tracedSeq(): number {
    return this.kind === 'data' ? this.seq : -1;
  }
}

/** Destination of a packet, and the flow id of its sender. */
export interface Direction {
  readonly endpoint: PacketSink;
  readonly destination: number;
  readonly flowId: number;
}

/** Packets of all kinds in a run, and their bytes. Those neither delivered nor dropped are in flight at the end. */
export interface UetPackets {
  /** Packets created. */
  readonly made: number;
  /** Packets that reached their destination host. */
  readonly delivered: number;
  /** ACKs created. */
  readonly acks: number;
  /** NACKs created, one per trimmed packet that is new to its receiver. */
  readonly nacks: number;
  /** Pulls created, which grant a sender credit. */
  readonly pulls: number;
  /** Trimmed packets that a switch dropped. */
  readonly trimmedDropped: number;
  /** Bytes of all created packets, headers included. */
  readonly bytesMade: number;
  /** Bytes of delivered packets, with their size on arrival. */
  readonly bytesDelivered: number;
  /** Bytes of dropped packets. */
  readonly bytesDropped: number;
  /** Bytes removed from data packets by trimming. */
  readonly bytesTrimmed: number;
}

/** Free lists: one for ACKs, one for all other packets. */
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

  /** Takes a packet from the free list: an unmarked header of 64 bytes. */
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

  /** Makes a trimmed packet a data packet again. */
  fill(packet: Packet, sizeBytes: number): void {
    packet.sizeBytes = sizeBytes;
    this.counts.bytesMade += sizeBytes - HEADER_BYTES;
  }

  /** Trims a data packet. */
  trim(packet: Packet, sizeBytes: number): void {
    this.counts.bytesTrimmed += packet.sizeBytes - sizeBytes;
    packet.sizeBytes = sizeBytes;
  }

  /** Counts a packet as delivered and recycles it. */
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
