/**
 * roce-cc: congestion control for RoCEv2 over batches of packet events or raw frames.
 */
export { RoceError, type RoceErrorCode, type RoceErrorDetails } from './errors.js';
export { gbps, kB, MB, mbps, ms, ns, seconds, us } from './units.js';

export { createEngine, createEngineSync, restoreEngineSync } from './engine/create.js';
export { Engine, type QpOptions } from './engine/engine.js';
export type { Capacity, EngineConfig, EngineOptions } from './config/engine-config.js';
export { EventBatch, type FastCnpFields } from './engine/event-batch.js';
export { PacketBatch, type FrameLink, type PacketReport } from './engine/packet-batch.js';
export {
  Actions,
  type Action,
  type CnpAction,
  type FastCnpAcceptedAction,
  type FastCnpRefusedAction,
  type RateAction,
} from './engine/actions.js';
export {
  createCongestionPointSync,
  type CongestionPoint,
  type CongestionPointOptions,
} from './engine/congestion-point.js';
export type { CongestionDecision, CongestionEvent, CongestionReason, SenderCapability } from './reference/congestion-point.js';
export { congestionPointDefaults, productionMarkingProfile, type CongestionPointConfig } from './config/congestion-point.js';
export { isBarredAtBorder } from './engine/border.js';
export type { QpFlow } from './engine/cnp-fields.js';
export { QpView } from './engine/qp-view.js';
export type { Stats } from './engine/stats.js';
export type { CauseName, ClassName, OutcomeName, WhyName } from './abi/names.js';

export type { DcqcnParameters } from './config/dcqcn-parameters.js';
export {
  importCcParams,
  importIrdma,
  importMlxconfig,
  importRoceSysfs,
  type AlphaConvention,
  type ImportedSettings,
} from './config/index.js';
export { validateDcqcn } from './config/validate-dcqcn.js';
export { ineffectiveSettings } from './config/ineffective-settings.js';
export { dcqcnSigcomm15 } from './config/presets/dcqcn-sigcomm15.js';
export { DCQCN_NS3_SETS, dcqcnNs3, dcqcnNs3Custom, type DcqcnNs3Knobs, type DcqcnNs3Set } from './config/presets/dcqcn-ns3.js';
export { dcqcnConnectx, type ConnectxOptions } from './config/presets/dcqcn-connectx.js';
export { dcqcnIrdma, type IrdmaOptions } from './config/presets/dcqcn-irdma.js';
export type { PresetOptions } from './config/presets/preset-options.js';
export {
  DEFAULT_NOTIFICATION_POINT,
  type CnpSettings,
  type NotificationPointOptions,
  type NotificationPointSettings,
  type NotificationScope,
} from './config/notification-point.js';
export { DEFAULT_FAST_CNP, type AccessRule, type FastCnpSettings } from './config/fast-cnp.js';
export { DEFAULT_PARSER, type ParserSettings } from './config/parser.js';
