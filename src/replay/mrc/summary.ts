/**
 * Results of a replay about MRC, and the findings in them: codes and figures, no text.
 *
 *   mrc-trimmed           a switch before the last one trimmed: paths are loaded unevenly
 *   mrc-trimmed-last-hop  the last switch trimmed: several senders to one receiver
 *   mrc-fatal-nack        a NACK that ends the connection
 *   mrc-open-holes        the newest SACK still has holes
 *   mrc-one-entropy       all data of a queue pair on one path
 *   mrc-malformed, mrc-wrong-icrc
 */
import type { MrcPacketKind } from '../../wire/mrc/bth.js';

/** A sender that sprays uses a second path well before it has sent this many data frames. */
const SPRAYED_FROM = 16;
const FATAL = 'UNEXP_EVENT';

/** Data from one requester to one queue pair, and the SACKs and NACKs in response. */
export interface MrcQueuePair {
  /** Address of the requester. */
  readonly source: string;
  /** Address of the responder. */
  readonly destination: string;
  /** QP of the responder; undefined if only SACKs and NACKs were captured, not their data. */
  readonly destQpn: number | undefined;
  /** QP of the requester, the destination of SACKs and NACKs; undefined if there are none. */
  readonly requesterQpn: number | undefined;
  /** Data frames, including trimmed ones. */
  readonly dataFrames: number;
  /** Bytes of the data frames on the wire. */
  readonly dataBytes: number;
  /** Data frames with the bit `rtx`. */
  readonly retransmissions: number;
  /** Data frames with CE in either IP header. */
  readonly markedFrames: number;
  /** Data frames trimmed by a switch other than the last one. */
  readonly trimmed: number;
  /** Data frames that the last switch trimmed. */
  readonly trimmedAtLastHop: number;
  /** Number of distinct entropy values in the data, at most 4,096. */
  readonly entropies: number;
  /** Data frames whose entropy value differs from that of the frame before. */
  readonly sprayedFrames: number;
  /** Largest number of frames with one entropy value. */
  readonly busiestEntropyFrames: number;
  /** Data frames that came after one with a higher PSN, excluding retransmissions. */
  readonly outOfOrderFrames: number;
  /** Largest distance, in PSNs, of an out-of-order frame below the highest PSN. */
  readonly reorderingDepth: number;
  /** PSNs below the highest that did not arrive whole: in flight, trimmed, lost, or not captured. */
  readonly missingPsns: number;
  /** SACKs, including responses to probes. */
  readonly sacks: number;
  /** SACKs with holes: PSNs that had not arrived, below one that had. */
  readonly sacksWithHoles: number;
  /** Largest number of holes in one SACK. */
  readonly mostHoles: number;
  /** Holes of the SACK with the highest PSNs, in order. */
  readonly openHoles: readonly number[];
  /** SACKs that ask to skip an entropy value once: its packet was CE-marked. */
  readonly skipOnce: number;
  /** SACKs that ask the sender to stop using an entropy value. */
  readonly alwaysSkip: number;
  /** NACKs by reason; unknown reasons as `0x42`. */
  readonly nacks: Readonly<Record<string, number>>;
  /** ACKs for complete messages. */
  readonly acks: number;
  /** NAKs for messages. */
  readonly naks: number;
  /** Probes sent by the requester. */
  readonly probes: number;
  /**
   * Shortest time from a data frame to the SACK that it caused, picoseconds, for PSNs sent once; undefined if none was
   * measured.
   */
  readonly rttMinPs: number | undefined;
  /** Median of the newest 4,096 round trips. */
  readonly rttMedianPs: number | undefined;
  /** Number of round trips measured. */
  readonly rttSamples: number;
  /**
   * Data frames that repeat an earlier PSN without the bit `rtx`: the sender does not mark retransmissions, or the
   * frame was captured twice.
   */
  readonly repeatsWithoutRtx: number;
}

/** Kind of a finding about MRC. */
export type MrcFindingCode = 'mrc-trimmed' | 'mrc-trimmed-last-hop' | 'mrc-fatal-nack' | 'mrc-open-holes'
  | 'mrc-one-entropy' | 'mrc-malformed' | 'mrc-wrong-icrc';

/** A fault, or something worth checking, that the frames show. */
export interface MrcFinding {
  /** Kind of the finding. */
  readonly code: MrcFindingCode;
  /** Position in `MrcSummary.queuePairs`; undefined if it concerns all frames. */
  readonly queuePair: number | undefined;
  /** Number of frames concerned; of PSNs for `mrc-open-holes`. */
  readonly count: number;
}

/** Summary of the MRC frames in a capture. */
export interface MrcSummary {
  /** Number of MRC frames. */
  readonly frames: number;
  /** Frames by kind; kinds without frames are left out. */
  readonly kinds: Readonly<Partial<Record<MrcPacketKind, number>>>;
  /** Frames trimmed by any switch. */
  readonly trimmed: number;
  /** Frames carried in SRv6. */
  readonly routed: number;
  /** Malformed frames. */
  readonly malformed: number;
  /** Numbers of the first malformed frames in the capture, from 1; at most 100. */
  readonly malformedFrames: readonly number[];
  /** Frames whose ICRC was computed. */
  readonly icrcChecked: number;
  /** Frames whose ICRC differs from the computed one. */
  readonly icrcWrong: number;
  /** Queue pairs in order of appearance, at most 1,000. */
  readonly queuePairs: readonly MrcQueuePair[];
  /** Frames of further queue pairs. */
  readonly queuePairsElsewhere: number;
  /** Problems, and what is worth checking. */
  readonly findings: readonly MrcFinding[];
}

/** Returns findings in queue pair order, then those about all frames. */
export function mrcFindings({ queuePairs, malformed, icrcWrong }: Omit<MrcSummary, 'findings'>): MrcFinding[] {
  const found = queuePairs.flatMap((one, queuePair) =>
    countsOf(one).filter(([, count]) => count > 0).map(([code, count]): MrcFinding => ({ code, queuePair, count }))
  );
  if (malformed > 0) found.push({ code: 'mrc-malformed', queuePair: undefined, count: malformed });
  if (icrcWrong > 0) found.push({ code: 'mrc-wrong-icrc', queuePair: undefined, count: icrcWrong });
  return found;
}

function countsOf(one: MrcQueuePair): (readonly [MrcFindingCode, number])[] {
  const isOnePath = one.entropies === 1 && one.dataFrames >= SPRAYED_FROM;
  return [
    ['mrc-trimmed', one.trimmed],
    ['mrc-trimmed-last-hop', one.trimmedAtLastHop],
    ['mrc-fatal-nack', one.nacks[FATAL] ?? 0],
    ['mrc-open-holes', one.openHoles.length],
    ['mrc-one-entropy', isOnePath ? one.dataFrames : 0],
  ];
}
