/** A packet that left a captured port, as the kernel traces it. */

/** One packet as it left a captured port: the content of a capture. */
export interface PacketRecord {
  /** When its first bit left, picoseconds. */
  readonly timePs: number;
  /** Index of the port. */
  readonly port: number;
  /** Kind of packet. `control`: a response of ConWeave's last leaf, only under fidelity `reference-lossy`. */
  readonly kind: 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume' | 'control' | 'arn' | 'discovery'
    | 'read-request' | 'rnr-nak' | 'nack' | 'credit' | 'probe';
  /** Index of the flow, for discovery the one whose path is probed; -1 for pause frames and ARNs. */
  readonly flow: number;
  /** First payload byte (data), byte expected next (ACK, NAK), or pull number (credit). */
  readonly sequence: number;
  /** Length of the frame, bytes. */
  readonly lenBytes: number;
  /** Payload within, bytes. */
  readonly payloadBytes: number;
  /** Pause class, or traffic class. */
  readonly trafficClass: number;
  /** Whether it carries a mark (CE). */
  readonly marked: boolean;
  /** Index of the switch that made a Fast CNP. Default: the node of `port`. */
  readonly origin?: number;
  /** UDP source port, if hosts change it on Fast CNPs or choose it for each packet. Default: the flow's. */
  readonly sourcePort?: number;
  /** Of discovery: the packet from its IP header on. */
  readonly ipPacket?: Uint8Array;
  /** Its outer header. Absent: it is in no tunnel. */
  readonly tunnel?: TunnelRecord;
  /** Of an ARN: what it holds. */
  readonly arn?: ArnRecord;
  /** What packets of MRC say: data, probes, SACKs (`ack`) and NACKs. Absent: it is of another transport. */
  readonly mrc?: MrcRecord;
  /** Its place in the messages of its QP. Absent: the flow is the only message of its QP. */
  readonly message?: MessagePlace;
}

/** What a packet of MRC says. */
export interface MrcRecord {
  /** When the data packet left its sender, picoseconds; SACKs and NACKs repeat that of the packet that caused them. */
  readonly sentPs: number;
  /** Of data: whether it asks for a SACK at once. */
  readonly asks: boolean;
  /** Whether the data packet is a retransmission. */
  readonly again: boolean;
  /** Of a SACK: whether the packet that caused it was marked. */
  readonly echo: boolean;
  /** Of a SACK: true if it says ALWAYS_SKIP. */
  readonly alwaysSkip?: boolean;
  /** Where a switch trimmed the data packet. Absent: it is whole. */
  readonly trimmed?: 'transit' | 'last-hop';
  /** Of a trimmed data packet: the payload that it had, bytes. */
  readonly wholePayloadBytes?: number;
  /** Of a NACK of a whole packet: why its receiver rejected it; out-of-range, it was beyond its range. Absent: it was trimmed. */
  readonly rejected?: 'out-of-range';
  /** Of a SACK: number of the first packet of the map, of which bit i is packet `mapFirst` + i. */
  readonly mapFirst: number;
  /** Of a SACK: packets that have arrived, 64 bits. */
  readonly map: bigint;
  /** Of a SACK: the low 32 bits of the number of the packet that caused it; of a probe and its SACK the number of the probe. */
  readonly cause: number;
  /** Of a SACK: bytes received, in units of 256, modulo 2^24. */
  readonly received: number;
  /** Present: it is a probe, or a SACK of one. */
  readonly probe?: true;
}

/** The outer header of a packet in a tunnel of a WAN. */
export interface TunnelRecord {
  /** ECN field of the inner header, 0 to 3. */
  readonly innerEcn: number;
  /** ECN field of the outer header, 0 to 3. */
  readonly outerEcn: number;
  /** Whether it is a Fast CNP on its way to an END.CON SID. */
  readonly endCon: boolean;
  /** Segments that it has reached. */
  readonly segmentsVisited: number;
}

/** What an ARN holds, and for how long. */
export interface ArnRecord {
  /** Index of the service, of the flow, or the class, by the level of the WAN's flow control. */
  readonly key: number;
  /** Picoseconds; 0: it may resume. */
  readonly timePs: number;
}

/** The place of a packet in the messages of its QP. */
export interface MessagePlace {
  /** Whether it is the first packet of its message. */
  readonly isFirst: boolean;
  /** Whether it is the last packet of its message. */
  readonly isLast: boolean;
  /** Messages of the QP before its sequence number. */
  readonly before: number;
}
