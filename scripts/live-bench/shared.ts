/** Shared by both ends of the measured links. */
export const RING = { blockBytes: 2 ** 17, blocks: 512, blockTimeoutMs: 1, sendFrames: 2048, sendFrameBytes: 2048 };

/** Counters of the other end. */
export interface PeerCounts {
  readonly sent: number;
  /** Frames returned by the switch. */
  readonly back: number;
  /** From the call of send to the reading of the returned frame. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}
