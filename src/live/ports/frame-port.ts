/**
 * The interface of every source and sink of frames: batches in, frames out, and counters that account for all.
 *
 *   wire, TAP, UDP ─► receive(batch) ─► role (watch, switch, …) ─► send ─► flush ─► wire, TAP, UDP
 *
 * Frames are Ethernet frames starting at the destination address, without frame check sequence. Only `wait` blocks; nothing is
 * allocated per frame.
 */
import { wholeIn, type FieldRules } from '../../config/field-rules.js';
import { resolve } from './resolve.js';

/** Frames received on one port, in flat memory that is reused: copy what you keep. */
export interface FrameBatch {
  /** The bytes of all frames. */
  readonly bytes: Uint8Array;
  /** Frames in this batch, 0 to `offsets.length`. */
  count: number;
  /** Where each frame begins in `bytes`, ascending. */
  readonly offsets: Uint32Array;
  /** Captured bytes of each frame. */
  readonly lenBytes: Uint32Array;
  /** Bytes of each frame on the wire; above `lenBytes` when the frame was cut. */
  readonly originalLenBytes: Uint32Array;
  /** Arrival time of each frame, nanoseconds since the port's `originNs`; fractions are kept to the picosecond. */
  readonly timesNs: Float64Array;
}

/** Counters of a port since it was opened. All but `queuedFrames` only increase. */
export interface FramePortStats {
  /** Frames returned by `receive`. */
  readonly receivedFrames: number;
  /** Bytes of these on the wire. */
  readonly receivedBytes: number;
  /** Frames that the system accepted for sending. */
  readonly sentFrames: number;
  /** Bytes of these. */
  readonly sentBytes: number;
  /** Frames accepted by `send` that wait for `flush`. */
  readonly queuedFrames: number;
  /** Calls of `send` that found a full queue; the caller keeps the frame. */
  readonly rejectedFrames: number;
  /** Frames that arrived but were not returned. */
  readonly receiveDrops: Readonly<Record<ReceiveDropReason, number>>;
  /** Frames accepted by `send` that were not sent. */
  readonly sendDrops: Readonly<Record<SendDropReason, number>>;
  /** Times that the interface was found down, or that the host of a UDP peer reported a closed port. */
  readonly linkDowns: number;
}

/**
 * Why an arriving frame was not returned: the ring of the kernel was full; the port's own queue was; it is longer than
 * a batch or the port's frames; it holds no Ethernet header; the system did not read it.
 */
export type ReceiveDropReason = 'kernel-ring-full' | 'queue-full' | 'too-long' | 'too-short' | 'error';

/**
 * Why a frame that `send` accepted was not sent: the interface is down or gone; the frame is longer than the interface
 * allows; nothing listens at the peer; the port was closed before; any other error of the system.
 */
export type SendDropReason = 'interface-down' | 'too-long' | 'peer-gone' | 'closed' | 'error';

/** A descriptor of the system on which frames arrive. */
export interface PollTarget {
  /** Its number; −1 once the port is closed. */
  readonly fd: number;
  /** Takes the `revents` of poll(2); 0: nothing yet. */
  polled(revents: number): void;
}

/** A source and sink of frames. */
export interface FramePort {
  /** Name of the interface, or of the socket. */
  readonly name: string;
  /** Origin of the times of frames, nanoseconds since the Unix epoch. */
  readonly originNs: bigint;
  /** Descriptor for poll(2), see `openPortWaiter`; undefined: only `wait`. */
  readonly poll?: PollTarget | undefined;
  /** Fills the batch with available frames, without waiting; returns their number. */
  receive(batch: FrameBatch): number;
  /** Queues a copy of a frame. False: the queue is full; the caller counts the frame or waits. */
  send(bytes: Uint8Array, offset: number, lenBytes: number): boolean;
  /** Passes queued frames to the system, as many as it accepts; the others stay queued. */
  flush(): void;
  /** Resolves as soon as frames may be available, `timeoutMs` has passed, or the port is closed. */
  wait(timeoutMs: number): Promise<void>;
  /** All current counters. */
  stats(): FramePortStats;
  /** Frees all resources of the port; queued frames are counted as dropped. May be called twice. */
  close(): void;
}

/** Capacity of a batch, frames and bytes. */
export interface FrameBatchSize {
  /** Frames, 1 to 1,048,576. Default 1,024. */
  readonly frames?: number | undefined;
  /** Bytes of all frames together, 14 to 1 GiB. Default 2 MiB: one block of a ring always fits. */
  readonly bytes?: number | undefined;
}

interface BatchSize {
  readonly frames: number;
  readonly bytes: number;
}

const DEFAULTS: BatchSize = { frames: 1024, bytes: 2 ** 21 };
const RULES: FieldRules<BatchSize> = { frames: wholeIn(1, 2 ** 20), bytes: wholeIn(14, 2 ** 30, 'bytes') };

/** An empty batch. @throws RoceError `invalid-config` for sizes out of range. */
export function makeFrameBatch(size: FrameBatchSize = {}): FrameBatch {
  const { frames, bytes } = resolve<BatchSize>(size, DEFAULTS, RULES, 'size');
  return {
    bytes: new Uint8Array(bytes),
    count: 0,
    offsets: new Uint32Array(frames),
    lenBytes: new Uint32Array(frames),
    originalLenBytes: new Uint32Array(frames),
    timesNs: new Float64Array(frames),
  };
}
