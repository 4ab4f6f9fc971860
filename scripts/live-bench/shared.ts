/** What both ends of the measured links agree on. */
export const RING = { blockBytes: 2 ** 17, blocks: 512, blockTimeoutMs: 1, sendFrames: 2048, sendFrameBytes: 2048 };

/** What the other end counted. */
export interface PeerCounts {
  readonly sent: number;
  /** Frames returned by the switch. */
  readonly back: number;
  /** From the call of send to the reading of the returned frame. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}
