/**
 * roce-cc: congestion control for RoCEv2 over batches of packet events or raw frames.
 *
 * @packageDocumentation
 */
export { RoceError, type Allowed, type AllowedRange, type AllowedValue, type RoceErrorCode,
  type RoceErrorFields } from './errors.js';
export { gbps, kB, MB, mbps, ms, ns, seconds, us } from './units.js';

export { createEngine, createEngineSync, restoreEngineSync } from './engine/create.js';
export type { Backend } from './abi/engine-abi.js';
export { Engine } from './engine/engine.js';
export type { QpOptions } from './engine/qps.js';
export type { Capacity, EngineBackend, EngineConfig, EngineOptions, TraceOptions } from './config/engine-config.js';
export { EventBatch, type FastCnpFields, type LossFound } from './engine/event-batch.js';
export type { AckFields, AckTelemetry, ExactAckTelemetry, ExactHop, Int64AckTelemetry, Int64Hop,
  NackFields } from './engine/ack-records.js';
export { PacketBatch, type FrameLink, type PacketReport, isBarredAtBorder } from './engine/packet-batch.js';
export type { FrameLocator, TunnelReport } from './abi/frame-locator.js';
export { Actions, type Action, type CnpAction, type FastCnpAcceptedAction, type FastCnpRejectedAction,
  type RateAction } from './engine/actions.js';
export { RateTrace } from './engine/rate-trace.js';
export { formatTrace, formatTraceLine, type LostChanges } from './engine/rate-changes.js';
export type { CutChange, DctcpChange, FirstCnpChange, HopInputs, HpccChange, HpccPintChange, IncreaseChange, NsccChange,
  OtherChange, RateChange, RateChangeReason, RecoveryChange, ReleaseChange, SwiftAckChange, SwiftLossChange,
  TimelyChange } from './engine/rate-changes.js';
export { createCongestionPointSync, type CongestionPointOptions } from './engine/congestion-point.js';
export type { CongestionDecision, CongestionEvent, CongestionPoint, CongestionPointBackend, CongestionReason,
  SenderCapability } from './config/congestion-decision.js';
export { congestionPointDefaults, productionMarkingProfile,
  type CongestionPointConfig } from './config/congestion-point.js';
export type { QpFlow } from './engine/actions.js';
export type { AlgorithmState } from './engine/algorithm-state.js';
export { QpView } from './engine/qps.js';
export type { Stats } from './engine/stats.js';
export type { CauseName, ClassName, OutcomeName, WhyName } from './abi/names.js';

export type { AckParameters, AlgorithmName, AlgorithmParameters } from './config/algorithms/registry.js';
export type { DcqcnParameters, PresetOptions } from './config/algorithms/dcqcn.js';
export { validateParameters } from './config/algorithms/registry.js';
export { validateDcqcn } from './config/algorithms/dcqcn.js';
export type { DctcpParameters } from './config/algorithms/dctcp.js';
export type { HpccParameters } from './config/algorithms/hpcc.js';
export type { HpccPpParameters, HpccPpSource } from './config/algorithms/hpcc-pp.js';
export type { HpccPintParameters } from './config/algorithms/hpcc-pint.js';
export type { NsccParameters, NsccPresetOptions } from './config/algorithms/nscc.js';
export type { RcccParameters } from './config/algorithms/rccc.js';
export type { SwiftParameters } from './config/algorithms/swift.js';
export type { TimelyParameters } from './config/algorithms/timely.js';
export { ineffectiveSettings } from './config/algorithms/dcqcn/ineffective-settings.js';
export { dcqcnSigcomm15 } from './config/algorithms/dcqcn/preset-sigcomm15.js';
export { DCQCN_NS3_SETS, dcqcnNs3, dcqcnNs3Custom, type DcqcnNs3Knobs,
  type DcqcnNs3Set } from './config/algorithms/dcqcn/preset-ns3.js';
export { dcqcnConnectx, type ConnectxOptions } from './config/algorithms/dcqcn/preset-connectx.js';
export { dcqcnIrdma, type IrdmaOptions } from './config/algorithms/dcqcn/preset-irdma.js';
export { dctcpNs3 } from './config/algorithms/dctcp.js';
export { HPCC_NS3_SETS, hpccNs3, type HpccNs3Set, hpccSigcomm19,
  type HpccPresetOptions } from './config/algorithms/hpcc-presets.js';
export { hpccPintNs3 } from './config/algorithms/hpcc-pint.js';
export { hpccPpDraft, type HpccPpPresetOptions } from './config/algorithms/hpcc-pp.js';
export { nsccMrc, nsccUet } from './config/algorithms/nscc.js';
export { rcccUet, type RcccPresetOptions } from './config/algorithms/rccc.js';
export { swiftSigcomm20 } from './config/algorithms/swift.js';
export { timelyNs3, timelySigcomm15, type TimelyPresetOptions } from './config/algorithms/timely.js';
export { DEFAULT_NOTIFICATION_POINT, type CnpSettings, type NotificationPointOptions, type NotificationPointSettings,
  type NotificationScope } from './config/notification-point.js';
export { DEFAULT_FAST_CNP, type AccessRule, type FastCnpSettings } from './config/fast-cnp.js';
export { DEFAULT_PARSER, type ParserSettings } from './config/engine-config.js';
export { DEFAULT_TELEMETRY, type KnownPort, type TelemetrySettings, type TraceNumber } from './config/telemetry.js';
