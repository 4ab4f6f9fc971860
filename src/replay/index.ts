/**
 * `roce-cc/replay`: runs captured frames through the raw path of an engine, and reports what happened: per class, per
 * flow with its rate over time, and per source, destination and QPN without a flow list.
 *
 *   capture (roce-cc/capture) -> replay(frames, { parameters, flows }) -> ReplayReport
 *
 * @packageDocumentation
 */
export type { ReplayFrames } from './captured-frames.js';
export { replay, type FlowRateChange, type ReplayOptions } from './replay.js';
export { parseFlows, type Flow } from './flows.js';
export { type FlowEnd, type CmCounts, type Connection, type ConnectionSource, type UnpairedReason, type UnpairedStream,
  REPLAY_SCHEMA, type CaptureEpoch, type CaptureSummary, type ClassSummary, type FastCnpSource, type FastCnpSummary,
  type FlowSummary, type LinkTypeCount, type NotificationSummary, type OtherKind, type OtherOptionType,
  type PauseSummary, type RateLine, type ReplayReport, type StreamSummary, type Timing, type Totals,
  type TunnelKindSummary, type TunnelSummary, type UetCount, type UetSummary,
  type UnresolvedNotifications } from './report.js';
export { foundFlows, formatFlows, type FoundFlow } from './found-flows.js';
export type { IcrcSummary } from './icrc-tally.js';
export type { FindingCode, ReplayFinding, MarkKind, MarkSummary, ValueCount } from './stream-marks.js';
export type { MrcFinding, MrcFindingCode, MrcQueuePair, MrcSummary } from './mrc/summary.js';
export type { PsnSummary } from './psn/psn.js';
export { resampleRates } from './rate-history.js';
