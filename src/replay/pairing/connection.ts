/** Types of connections in a report. */

/** One end of a connection. */
export interface FlowEnd {
  /** IP address, in canonical form. */
  readonly address: string;
  /** QP number at this address, 1..2^24 - 1. */
  readonly qpn: number;
}

/** Evidence for a connection: only `cm` is stated by its ends, the others are inferred. */
export type ConnectionSource = 'cm' | 'acknowledgements' | 'responses' | 'cnps';

/** Two queue pairs that form a connection. */
export interface Connection {
  /** End that requested the connection, or whose packets came first. */
  readonly a: FlowEnd;
  /** End that received the request, or whose packets came second. */
  readonly b: FlowEnd;
  /** Evidence from which it was recognised. */
  readonly from: ConnectionSource;
  /** Whether it is inferred from the traffic rather than stated by its ends. */
  readonly inferred: boolean;
  /** Number of frames that support it; 2 for `cm`: REQ and REP. */
  readonly evidence: number;
}

/** Why no connection was found for a stream that carries data. */
export type UnpairedReason = 'no-reply' | 'several-candidates' | 'contradictions' | 'reused-qp';

/** A stream of data whose sender's queue pair is not known. */
export interface UnpairedStream {
  /** Position of the stream in `ReplayReport.streams`. */
  readonly stream: number;
  /** Why: no packet of the opposite direction shows the queue pair, or several queue pairs fit. */
  readonly reason: UnpairedReason;
  /** Number of queue pairs that fit. */
  readonly candidates: number;
}

/** Counts of connection management messages in the capture. */
export interface CmCounts {
  /** REQ: a connection is requested. */
  readonly requests: number;
  /** REP: the request is accepted. */
  readonly replies: number;
  /** RTU: both ends are ready. */
  readonly readyToUse: number;
  /** REJ: the connection is rejected, or its setup fails. */
  readonly rejections: number;
  /** Requests beyond the first 10,000, which are not tracked. */
  readonly elsewhere: number;
}
