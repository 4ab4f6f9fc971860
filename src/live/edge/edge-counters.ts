/** Counters of an emulated edge, per side, in frames: in = forwarded + ended + dropped. */

/** Why a frame was dropped. */
export const EDGE_DROP_REASONS = [
  'cut',
  'notIp',
  'noRoute',
  'malformed',
  'hopLimit',
  'tooBig',
  'accessList',
  'ecn',
  'endCon',
] as const;

/**
 * `cut`: captured in part; `notIp`: not IPv6; `noRoute`: no such host on the other side, nor an address of the edge;
 * `malformed`: an incomplete IPv6 packet, or a tunnel without a packet; `hopLimit`: expired; `tooBig`: too long for the
 * WAN with its outer header; `accessList`: a Fast CNP of a switch that is on no list; `ecn`: outer CE over inner
 * Not-ECT (RFC 6040); `endCon`: rejected by END.CON for another reason.
 */
export type EdgeDropReason = (typeof EDGE_DROP_REASONS)[number];

/** Counters of a side. */
export interface EdgeSideCounters {
  /** Frames received. */
  in: number;
  /** Received frames that the other side forwarded. */
  forwarded: number;
  /**
   * Received frames for the edge itself: pause frames and ARNs, which have no effect because the edge has no queues.
   */
  ended: number;
  /** Received frames that were dropped, by reason. */
  readonly dropped: Record<EdgeDropReason, number>;
}

export function emptySide(): EdgeSideCounters {
  const dropped = Object.fromEntries(EDGE_DROP_REASONS.map((reason) => [reason, 0])) as Record<EdgeDropReason, number>;
  return { in: 0, forwarded: 0, ended: 0, dropped };
}

/** Sum over all reasons. */
export function droppedBy({ dropped }: EdgeSideCounters): number {
  return EDGE_DROP_REASONS.reduce((sum, reason) => sum + dropped[reason], 0);
}
