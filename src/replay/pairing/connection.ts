/** Connections, as a report has them. */
import type { FlowEnd } from '../flow-end.js';

/** What a connection was recognised by: only `cm` is a statement of its ends, the others are inferred. */
export type ConnectionSource = 'cm' | 'acknowledgements' | 'responses' | 'cnps';

/** Two queue pairs that belong together. */
export interface Connection {
  /** End that asked for the connection, or whose packets came first. */
  readonly a: FlowEnd;
  /** The other end. */
  readonly b: FlowEnd;
  /** What it was recognised by. */
  readonly from: ConnectionSource;
  /** Whether it follows from the traffic, not from a statement of its ends. */
  readonly inferred: boolean;
  /** Frames that are evidence for it; 2 for `cm`: REQ and REP. */
  readonly evidence: number;
}

/** Why no connection was found for a stream of data. */
export type UnpairedReason = 'no-reply' | 'several-candidates' | 'contradictions' | 'reused-qp';

/** Data whose sender's queue pair is not known. */
export interface UnpairedStream {
  /** Position of the stream in `ReplayReport.streams`. */
  readonly stream: number;
  /** Why: no packet of the opposite direction shows it, or several queue pairs fit. */
  readonly reason: UnpairedReason;
  /** Number of queue pairs that fit. */
  readonly candidates: number;
}

/** Messages of connection management in the capture. */
export interface CmCounts {
  /** REQ: a connection is requested. */
  readonly requests: number;
  /** REP: it is accepted. */
  readonly replies: number;
  /** RTU: both ends are ready. */
  readonly readyToUse: number;
  /** REJ: it is rejected, or fails. */
  readonly rejections: number;
  /** Requests beyond the 10,000 that are kept. */
  readonly elsewhere: number;
}
