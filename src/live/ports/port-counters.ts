/** The mutable counters of a port. */
import type { FramePortStats, ReceiveDropReason, SendDropReason } from './frame-port.js';

export class PortCounters {
  receivedFrames = 0;
  receivedBytes = 0;
  sentFrames = 0;
  sentBytes = 0;
  rejectedFrames = 0;
  linkDowns = 0;
  readonly receiveDrops: Record<ReceiveDropReason, number> = {
    'kernel-ring-full': 0,
    'queue-full': 0,
    'too-long': 0,
    'too-short': 0,
    error: 0,
  };
  readonly sendDrops: Record<SendDropReason, number> = {
    'interface-down': 0,
    'too-long': 0,
    'peer-gone': 0,
    closed: 0,
    error: 0,
  };

  /** Returns a copy with the port's own values added. */
  stats(queuedFrames: number): FramePortStats {
    const { receivedFrames, receivedBytes, sentFrames, sentBytes, rejectedFrames, linkDowns } = this;
    return {
      receivedFrames,
      receivedBytes,
      sentFrames,
      sentBytes,
      queuedFrames,
      rejectedFrames,
      linkDowns,
      receiveDrops: { ...this.receiveDrops },
      sendDrops: { ...this.sendDrops },
    };
  }
}
