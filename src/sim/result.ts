/** The result of a run, the progress reported during it, and the packets that it captured. */
import type { DiscoveryPathResult, FlowResult, Totals } from './result-types.js';
import type { DiscardReason } from './scenario/spec.js';

export type * from './result-types.js';

/** Why a packet was dropped. */
export type DropReason = keyof Totals['drops'];

/** Verdict on a path: see `reportPath` of `roce-cc/discovery`. */
export type DiscoveryVerdict = DiscoveryPathResult['verdict'];

/** Progress of a run. */
export interface Progress {
  /** Simulated time, picoseconds. */
  readonly nowPs: number;
  /** Number of flows that are done. */
  readonly flowsDone: number;
  /** Number of all flows. */
  readonly flowsTotal: number;
  /** Payload received in order so far, bytes. */
  readonly bytesDelivered: number;
  /** Payload of all flows, bytes. */
  readonly bytesTotal: number;
  /** Transmissions by any port so far. */
  readonly packetHops: number;
  /** Events handled so far. */
  readonly events: number;
}

/** The members of a flow's result on losses and packet order. */
export type LossFigures = Required<
  Pick<
    FlowResult,
    'outOfOrderPackets' | 'reorderingDepthPackets' | 'duplicatePackets' | 'naks' | 'retransmittedBytes'
      | 'sackedPackets' | 'beyondWindowPackets' | 'discardedPackets'
  >
>;

/** One packet as it left a captured port. */
export interface PacketRecord {
  /** When its first bit left, picoseconds. */
  readonly timePs: number;
  /** Index of the port. */
  readonly port: number;
  /** Kind of packet. `control`: a response of ConWeave's last leaf, only under fidelity `reference-lossy`. */
  readonly kind: 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume' | 'control' | 'arn' | 'discovery'
    | 'read-request' | 'rnr-nak' | 'nack' | 'credit' | 'probe' | 'endpoint-request' | 'endpoint-response';
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
  /** Discovery: the packet from its IP header on. */
  readonly ipPacket?: Uint8Array;
  /** Its outer header. Absent: not in a tunnel. */
  readonly tunnel?: TunnelRecord;
  /** ARN: what it pauses. */
  readonly arn?: ArnRecord;
  /** What packets of MRC say: data, probes, SACKs (`ack`), NACKs and endpoint packets. Absent: it is of another transport. */
  readonly mrc?: MrcRecord;
  /** Its position in the messages of its QP. Absent: the flow is the only message of its QP. */
  readonly message?: MessagePlace;
}

/** Why a receiver of MRC rejects an untrimmed packet. */
export type NackReason = 'out-of-range' | DiscardReason;

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
   * NACK of an untrimmed packet: why the receiver rejected it. `out-of-range`: beyond its range; others: the reason of a
   * `receiver-discards` fault. Absent: the packet was trimmed.
   */
  readonly rejected?: NackReason;
  /** SACK: number of the map's first packet; bit i is packet `mapFirst` + i. */
  readonly mapFirst: number;
  /** Of a SACK: packets that have arrived, 64 bits. Of an endpoint packet: bit i set, the port into plane i works. */
  readonly map: bigint;
  /** Of a SACK: the low 32 bits of the number of the packet that caused it; of a probe and its SACK the number of the probe, of endpoint packets that of the update. */
  readonly cause: number;
  /** SACK: bytes received, in units of 256, modulo 2^24. */
  readonly received: number;
  /** Of a SACK: the range that its receiver announces, in units of 128 packets. Absent: it announces none. */
  readonly rangeUnits?: number;
  /** SACK: penalty that its receiver demands of the window, 1 to 127. Absent: none. */
  readonly windowPenalty?: number;
  /** SACK: true if the sender is to restore its window. */
  readonly restoresWindow?: true;
  /** Present: it is a probe, a SACK of one, or an endpoint packet. */
  readonly probe?: true;
  /** Of an endpoint packet. Present: it leads to the destination of its flow; absent: to its source. */
  readonly towardsDestination?: true;
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
