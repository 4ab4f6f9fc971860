/** What a replay reports about MRC. */
import type { MrcPacketKind } from '../../wire/mrc/opcodes.js';

/** Data from one requester to one queue pair, and the SACKs and NACKs in response. */
export interface MrcQueuePair {
  /** Address of the requester. */
  readonly source: string;
  /** Address of the responder. */
  readonly destination: string;
  /** QP of the responder; undefined for SACKs and NACKs whose data were not captured. */
  readonly destQpn: number | undefined;
  /** QP of the requester, to which SACKs and NACKs go; undefined without any. */
  readonly requesterQpn: number | undefined;
  /** Data frames, trimmed ones among them. */
  readonly dataFrames: number;
  /** Their lengths on the wire. */
  readonly dataBytes: number;
  /** Data frames with the bit `rtx`. */
  readonly retransmissions: number;
  /** Data frames with CE, of either IP header. */
  readonly markedFrames: number;
  /** Data frames that a switch trimmed, other than the last one. */
  readonly trimmed: number;
  /** Data frames that the last switch trimmed. */
  readonly trimmedAtLastHop: number;
  /** Different entropy values of the data, at most 4,096. */
  readonly entropies: number;
  /** Data frames whose entropy value is another than that of the frame before. */
  readonly sprayedFrames: number;
  /** Most frames with one entropy value. */
  readonly busiestEntropyFrames: number;
  /** Data frames that came after one with a higher PSN, without retransmissions. */
  readonly outOfOrderFrames: number;
  /** Most PSNs that one of these came behind the highest. */
  readonly reorderingDepth: number;
  /** PSNs below the highest that did not arrive whole: in flight, trimmed, lost, or not captured. */
  readonly missingPsns: number;
  /** SACKs, answers to probes among them. */
  readonly sacks: number;
  /** SACKs with holes: PSNs that had not come, below one that had. */
  readonly sacksWithHoles: number;
  /** Most holes in one SACK. */
  readonly mostHoles: number;
  /** Holes of the SACK with the highest PSNs, in order. */
  readonly openHoles: readonly number[];
  /** SACKs that ask to skip an entropy value once: its packet was CE-marked. */
  readonly skipOnce: number;
  /** SACKs that ask not to use an entropy value any more. */
  readonly alwaysSkip: number;
  /** NACKs by reason; unknown reasons as `0x42`. */
  readonly nacks: Readonly<Record<string, number>>;
  /** ACKs of messages. */
  readonly acks: number;
  /** NAKs of messages. */
  readonly naks: number;
  /** Probes that the requester sent. */
  readonly probes: number;
  /** Shortest time from a data frame to the SACK that it caused, picoseconds, of PSNs that were sent once; undefined without any. */
  readonly rttMinPs: number | undefined;
  /** Median of the newest 4,096 of these. */
  readonly rttMedianPs: number | undefined;
  /** Number of these. */
  readonly rttSamples: number;
  /** Data frames whose PSN had come before, without the bit `rtx`: a sender that does not mark retransmissions, or a frame captured twice. */
  readonly repeatsWithoutRtx: number;
}

/** Kind of a finding about MRC. */
export type MrcFindingCode = 'mrc-trimmed' | 'mrc-trimmed-last-hop' | 'mrc-fatal-nack' | 'mrc-open-holes'
  | 'mrc-one-entropy' | 'mrc-malformed' | 'mrc-wrong-icrc';

/** A fault, or something to look at, that the frames show. */
export interface MrcFinding {
  /** Kind. */
  readonly code: MrcFindingCode;
  /** Position in `MrcSummary.queuePairs`; undefined for what concerns all frames. */
  readonly queuePair: number | undefined;
  /** Frames, or PSNs for `mrc-open-holes`, concerned. */
  readonly count: number;
}

/** MRC in a capture. */
export interface MrcSummary {
  /** Frames of MRC. */
  readonly frames: number;
  /** By kind; kinds without frames are left out. */
  readonly kinds: Readonly<Partial<Record<MrcPacketKind, number>>>;
  /** Frames that a switch trimmed, the last one or another. */
  readonly trimmed: number;
  /** Frames inside of an SRv6 carrier. */
  readonly routed: number;
  /** Frames that are malformed. */
  readonly malformed: number;
  /** Numbers of the first of these in the capture, from 1; at most 100. */
  readonly malformedFrames: readonly number[];
  /** Frames whose ICRC was computed. */
  readonly icrcChecked: number;
  /** Those whose ICRC is another. */
  readonly icrcWrong: number;
  /** In order of appearance, at most 1,000. */
  readonly queuePairs: readonly MrcQueuePair[];
  /** Frames of further ones. */
  readonly queuePairsElsewhere: number;
  /** What is wrong or worth a look. */
  readonly findings: readonly MrcFinding[];
}
