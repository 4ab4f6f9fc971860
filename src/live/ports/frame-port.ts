/**
 * The interface of all sources and sinks of frames: batches in, frames out, and counters for every frame; and the clock
 * of their times.
 *
 *   wire, TAP, UDP ─► receive(batch) ─► role (watch, switch, …) ─► send ─► flush ─► wire, TAP, UDP
 *
 * Frames are Ethernet frames starting at the destination address, without FCS. Only `wait` blocks; nothing is allocated
 * per frame.
 */
import { wholeIn, type FieldRules, resolveOptions } from '../../config/field-rules.js';
import { NS_PER_MS } from '../../units.js';

/** Frames received on one port, in flat memory that is reused: copy the data you keep. */
export interface FrameBatch {
  /** The bytes of all frames. */
  readonly bytes: Uint8Array;
  /** Number of frames in this batch, 0 to `offsets.length`. */
  count: number;
  /** Where each frame begins in `bytes`, ascending. */
  readonly offsets: Uint32Array;
  /** Captured length of each frame. */
  readonly lenBytes: Uint32Array;
  /** Length of each frame on the wire; larger than `lenBytes` if the frame was truncated. */
  readonly originalLenBytes: Uint32Array;
  /** Arrival time of each frame, nanoseconds since the port's `originNs`; fractions are precise to the picosecond. */
  readonly timesNs: Float64Array;
}

/** Counters of a port since it was opened. All but `queuedFrames` only increase. */
export interface FramePortStats {
  /** Frames returned by `receive`. */
  readonly receivedFrames: number;
  /** Bytes of the received frames on the wire. */
  readonly receivedBytes: number;
  /** Frames that the system accepted for transmission. */
  readonly sentFrames: number;
  /** Bytes of the sent frames. */
  readonly sentBytes: number;
  /** Frames accepted by `send` that are waiting for `flush`. */
  readonly queuedFrames: number;
  /** Calls of `send` that found the queue full; the caller still has the frame. */
  readonly rejectedFrames: number;
  /** Frames that arrived but were not returned. */
  readonly receiveDrops: Readonly<Record<ReceiveDropReason, number>>;
  /** Frames accepted by `send` that were not sent. */
  readonly sendDrops: Readonly<Record<SendDropReason, number>>;
  /** Number of times that the interface was found down, or that a UDP peer's host reported a closed port. */
  readonly linkDowns: number;
}

/**
 * Why an arriving frame was not returned: the kernel's ring or the port's own queue was full; the frame was too long
 * for a batch or for the port; it had no Ethernet header; the system failed to read it.
 */
export type ReceiveDropReason = 'kernel-ring-full' | 'queue-full' | 'too-long' | 'too-short' | 'error';

/**
 * Why a frame accepted by `send` was not sent: the interface was down or gone; the frame was too long for the
 * interface; nothing listens at the peer; the port was closed first; another system error.
 */
export type SendDropReason = 'interface-down' | 'too-long' | 'peer-gone' | 'closed' | 'error';

/** A file descriptor on which frames arrive. */
export interface PollTarget {
  /** The descriptor's number; −1 after the port is closed. */
  readonly fd: number;
  /** Receives the `revents` of poll(2); 0 if nothing is ready. */
  polled(revents: number): void;
}

/** A source and sink of frames. */
export interface FramePort {
  /** Name of the interface, or of the socket. */
  readonly name: string;
  /** Origin of the times of frames, nanoseconds since the Unix epoch. */
  readonly originNs: bigint;
  /** Descriptor for poll(2), see `openPortWaiter`; undefined if only `wait` is supported. */
  readonly poll?: PollTarget | undefined;
  /** Fills the batch with available frames without waiting; returns their number. */
  receive(batch: FrameBatch): number;
  /** Queues a copy of a frame. Returns false if the queue is full; the caller then counts the frame or waits. */
  send(bytes: Uint8Array, offset: number, lenBytes: number): boolean;
  /** Passes queued frames to the system, as many as it accepts; the others stay queued. */
  flush(): void;
  /** Resolves when frames may be available, `timeoutMs` has passed, or the port is closed. */
  wait(timeoutMs: number): Promise<void>;
  /** Returns all current counters. */
  stats(): FramePortStats;
  /** Frees all resources of the port; queued frames are counted as dropped. May be called repeatedly. */
  close(): void;
}

/** Capacity of a batch, frames and bytes. */
export interface FrameBatchSize {
  /** Number of frames, 1 to 1,048,576. Default 1,024. */
  readonly frames?: number | undefined;
  /** Bytes of all frames together, 14 to 1 GiB. Default 2 MiB, which fits any block of a ring. */
  readonly bytes?: number | undefined;
}

interface BatchSize {
  readonly frames: number;
  readonly bytes: number;
}

const DEFAULTS: BatchSize = { frames: 1024, bytes: 2 ** 21 };
const RULES: FieldRules<BatchSize> = { frames: wholeIn(1, 2 ** 20), bytes: wholeIn(14, 2 ** 30, 'bytes') };

/** Makes an empty batch. @throws RoceError `invalid-config` for sizes out of range. */
export function makeFrameBatch(size: FrameBatchSize = {}): FrameBatch {
  const { frames, bytes } = resolveOptions<BatchSize>(size, DEFAULTS, RULES, 'size');
  return {
    bytes: new Uint8Array(bytes),
    count: 0,
    offsets: new Uint32Array(frames),
    lenBytes: new Uint32Array(frames),
    originalLenBytes: new Uint32Array(frames),
    timesNs: new Float64Array(frames),
  };
}

/** The mutable counters of a port. */
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

/**
 * A monotonic clock, in nanoseconds since an origin shared by all ports of a run, so that frame times of different ports
 * are comparable. Only roles read it; algorithms receive times with frames and never query it.
 */
export interface LiveClock {
  /** Time of the origin, nanoseconds since the Unix epoch. */
  readonly originNs: bigint;
  /** Nanoseconds since the origin. */
  nowNs(): number;
}

/** End of a role's time range, picoseconds; about 2.5 h. */
export const LAST_PS = 2 ** 53 - 1e12;

/** Starts a clock at zero; changes of the system time do not affect it. */
export function startLiveClock(): LiveClock {
  const originNs = BigInt(Date.now()) * BigInt(NS_PER_MS);
  const beganMs = performance.now();
  return { originNs, nowNs: () => Math.round((performance.now() - beganMs) * NS_PER_MS) };
}
