/**
 * Counters of an emulated switch, per port, in frames. Every loss is counted:
 *
 *   at arrival   in = forwarded + ended + dropped on arrival           (flooded copies are counted as copied)
 *   at an egress port   forwarded to it + made = out + queued + dropped at the egress port
 *   in total     in + made + copied = out + ended + queued + dropped
 */

/** Why a frame was dropped. */
export const DROP_REASONS = ['noRoute', 'buffer', 'loss', 'pool', 'oversize', 'cut', 'linkDown'] as const;

/** `noRoute`: unknown address; `buffer`: packet memory; `loss`: configured; `pool`: no slot; `oversize`: longer than a slot;
 * `cut`: captured in part; `linkDown`: the port is closed. */
export type SwitchDropReason = (typeof DROP_REASONS)[number];

/** Counters of a port. */
export class PortCounters {
  /** Frames received, and their bytes as captured. */
  in = 0;
  inBytes = 0;
  /** PFC and PAUSE frames, which are consumed here. */
  ended = 0;
  /** Frames received here and queued. */
  forwarded = 0;
  /** Frames that the switch made for this egress port: PFC, Fast CNPs. */
  made = 0;
  /** Copies of flooded frames that were queued at this egress port. */
  copied = 0;
  /** Total frames from other ports queued at this egress port. */
  enqueued = 0;
  /** Frames that started to leave, and their bytes as captured. */
  out = 0;
  outBytes = 0;
  marks = 0;
  fastCnps = 0;
  pausesSent = 0;
  resumesSent = 0;
  pausesReceived = 0;
  /** Frames corrupted as configured: their ICRC is wrong from here on. */
  damaged = 0;
  /** Frames reordered as configured. */
  reordered = 0;
  /** Drops by reason: at arrival, and on egress. */
  readonly droppedIn: Record<SwitchDropReason, number> = noDrops();
  readonly droppedOut: Record<SwitchDropReason, number> = noDrops();
}

export function noDrops(): Record<SwitchDropReason, number> {
  return { noRoute: 0, buffer: 0, loss: 0, pool: 0, oversize: 0, cut: 0, linkDown: 0 };
}

/** Sum over all reasons. */
export function dropsIn(drops: Readonly<Record<SwitchDropReason, number>>): number {
  return DROP_REASONS.reduce((sum, reason) => sum + drops[reason], 0);
}
