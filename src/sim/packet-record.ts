/** A packet that left a captured port, as the kernel traces it. */

/** One packet as it left a captured port. */
export interface PacketRecord {
  /** When its first bit left, picoseconds. */
  readonly timePs: number;
  /** Index of the port. */
  readonly port: number;
  /** Kind of packet. `control`: a response of ConWeave's last leaf, only under fidelity `reference-lossy`. */
  readonly kind: 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume' | 'control' | 'arn' | 'discovery'
    | 'read-request' | 'rnr-nak' | 'nack' | 'credit' | 'probe';
  /** Index of the flow, for discovery that of the probed path; -1 for pause frames and ARNs. */
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
  /** Discovery: the packet from its IP header on. */
  readonly ipPacket?: Uint8Array;
  /** Its outer header. Absent: not in a tunnel. */
  readonly tunnel?: TunnelRecord;
  /** ARN: what it pauses. */
  readonly arn?: ArnRecord;
  /** Fields of MRC's data packets, probes, SACKs (`ack`) and NACKs. Absent: another transport. */
  readonly mrc?: MrcRecord;
  /** Its position in the messages of its QP. Absent: the flow is the only message of its QP. */
  readonly message?: MessagePlace;
}

/** Fields of an MRC packet. */
export interface MrcRecord {
  /** When the data packet left its sender, picoseconds; SACKs and NACKs repeat the time of the packet that caused them. */
  readonly sentPs: number;
  /** Data: whether it requests an immediate SACK. */
  readonly asks: boolean;
  /** Whether the data packet is a retransmission. */
  readonly again: boolean;
  /** SACK: whether the packet that caused it was marked. */
  readonly echo: boolean;
  /** SACK: true if it carries ALWAYS_SKIP. */
  readonly alwaysSkip?: boolean;
  /** Where a switch trimmed the data packet. Absent: not trimmed. */
  readonly trimmed?: 'transit' | 'last-hop';
  /** Trimmed data: its original payload, bytes. */
  readonly wholePayloadBytes?: number;
  /**
   * NACK of an untrimmed packet: why the receiver rejected it. `out-of-range`: beyond its range. Absent: the packet was
   * trimmed.
   */
  readonly rejected?: 'out-of-range';
  /** SACK: number of the map's first packet; bit i is packet `mapFirst` + i. */
  readonly mapFirst: number;
  /** SACK: bitmap of received packets, 64 bits. */
  readonly map: bigint;
  /** SACK: low 32 bits of the number of the packet that caused it. Probe and its SACK: number of the probe. */
  readonly cause: number;
  /** SACK: bytes received, in units of 256, modulo 2^24. */
  readonly received: number;
  /** Present for a probe and for the SACK of a probe. */
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
  /** Number of segments that it has reached. */
  readonly segmentsVisited: number;
}

/** What an ARN pauses, and for how long. */
export interface ArnRecord {
  /** Index of the service or flow, or the class, depending on the level of the WAN's flow control. */
  readonly key: number;
  /** Duration of the pause, picoseconds; 0: resume. */
  readonly timePs: number;
}

/** The position of a packet in the messages of its QP. */
export interface MessagePlace {
  /** Whether it is the first packet of its message. */
  readonly isFirst: boolean;
  /** Whether it is the last packet of its message. */
  readonly isLast: boolean;
  /** Number of messages of the QP before it. */
  readonly before: number;
}
