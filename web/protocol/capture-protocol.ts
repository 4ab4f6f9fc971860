/** Messages between the page and the worker of captures. Nothing leaves the browser. */

/** A frame in the list. */
export interface FrameLine {
  /** Since the first frame, picoseconds; NaN: without a time. */
  readonly sincePs: number;
  readonly lenBytes: number;
  readonly linkType: number;
  /** Description, in one line. */
  readonly text: string;
}

/** Frames of one connection: its data in one direction, their ACKs, and the notifications that their sender got. */
export interface ConnectionLine {
  /** `source > destination QP number`, of the data. */
  readonly name: string;
  readonly frames: number;
  readonly bytes: number;
  /** Data frames with CE. */
  readonly marked: number;
  readonly cnps: number;
  readonly fastCnps: number;
  /** PSNs that were left out. */
  readonly missing: number;
}

/** Data to one QP over time. */
export interface QpLine {
  /** As that of its connection. */
  readonly name: string;
  /** Rate on the wire over `timesPs`, bits per second. */
  readonly rateBps: Float64Array;
}

/** Rate that the engine gives a listed flow, by the notifications of the capture. */
export interface EngineLine {
  /** As that of its connection. */
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
  /** The first frames. */
  readonly lines: readonly FrameLine[];
  readonly timesPs: Float64Array;
  /** Those with the most bytes. */
  readonly qps: readonly QpLine[];
  /** The largest first. */
  readonly connections: readonly ConnectionLine[];
  /** RoCEv2 frames that belong to none of them. */
  readonly others: Omit<ConnectionLine, 'name'>;
  readonly engine: readonly EngineLine[];
  /** Parameters of that engine. */
  readonly engineOf: { readonly preset: string; readonly lineRateBps: number };
  /** The reason for which not all could be read; empty: it could. */
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
