/** Messages between the page and the worker of captures. Nothing leaves the browser. */

/** A frame in the list. */
export interface FrameLine {
  /** Time since the first frame, picoseconds; NaN if the frame has no time. */
  readonly sincePs: number;
  readonly lenBytes: number;
  readonly linkType: number;
  /** Description, in one line. */
  readonly text: string;
}

/** Frames of one connection: data in one direction, ACKs, and the notifications that the sender received. */
export interface ConnectionLine {
  /** Name of the data stream: `source > destination QP number`. */
  readonly name: string;
  readonly frames: number;
  readonly bytes: number;
  /** Data frames with a CE mark. */
  readonly marked: number;
  readonly cnps: number;
  readonly fastCnps: number;
  /** Missing PSNs. */
  readonly missing: number;
}

/** Data to one QP over time. */
export interface QpLine {
  /** Name of its connection. */
  readonly name: string;
  /** Rate on the wire over `timesPs`, bits per second. */
  readonly rateBps: Float64Array;
}

/** Rate that the engine computes for a listed flow from the notifications in the capture. */
export interface EngineLine {
  /** Name of its connection. */
  readonly name: string;
  readonly timesPs: Float64Array;
  readonly rateBps: Float64Array;
}

export interface CaptureReport {
  readonly name: string;
  readonly frames: number;
  readonly durationPs: number;
  /** Number of frames of each class, the most frequent first. */
  readonly classes: readonly (readonly [name: string, frames: number])[];
  /** The first frames of the capture. */
  readonly lines: readonly FrameLine[];
  readonly timesPs: Float64Array;
  /** The streams with the most bytes. */
  readonly qps: readonly QpLine[];
  /** Connections, the largest first. */
  readonly connections: readonly ConnectionLine[];
  /** RoCEv2 frames that belong to no connection. */
  readonly others: Omit<ConnectionLine, 'name'>;
  readonly engine: readonly EngineLine[];
  /** Preset and line rate of the engine that computed these rates. */
  readonly engineOf: { readonly preset: string; readonly lineRateBps: number };
  /** Why the capture could not be read completely; empty if it could. */
  readonly trouble: string;
}

/** A layer of a frame. */
export interface LayerPlace {
  readonly kind: string;
  readonly offset: number;
  readonly lenBytes: number;
}

export interface FrameDetails {
  readonly tree: string;
  readonly bytes: Uint8Array;
  readonly layers: readonly LayerPlace[];
}

export type ToCaptureWorker = {
  readonly type: 'read';
  readonly id: number;
  readonly file: File;
  readonly flows?: string;
} | { readonly type: 'frame'; readonly id: number; readonly index: number };

export type FromCaptureWorker = { readonly type: 'report'; readonly id: number; readonly report: CaptureReport } | {
  readonly type: 'frame';
  readonly id: number;
  readonly details: FrameDetails;
} | { readonly type: 'failed'; readonly id: number; readonly message: string };
