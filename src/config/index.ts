/**
 * Configuration: parameters, presets with their sources, checks, importers of vendor settings.
 *
 * The importer that reads folders is not here, as it needs Node: importers/node-sysfs-folder.ts.
 */

export type { DcqcnParameters } from './algorithms/dcqcn/parameters.js';
export { DCQCN_FIELD_RULES, validateDcqcn } from './algorithms/dcqcn/validate.js';
export { ineffectiveSettings } from './algorithms/dcqcn/ineffective-settings.js';
export type { FieldRule } from './field-rules.js';
export type { PresetOptions } from './algorithms/preset-options.js';
export { dcqcnSigcomm15 } from './algorithms/dcqcn/preset-sigcomm15.js';
export { DCQCN_NS3_SETS, dcqcnNs3, dcqcnNs3Custom, type DcqcnNs3Knobs,
  type DcqcnNs3Set } from './algorithms/dcqcn/preset-ns3.js';
export { dcqcnConnectx, type ByteResetUnitBytes, type ConnectxOptions } from './algorithms/dcqcn/preset-connectx.js';
export { dcqcnIrdma, type IrdmaOptions } from './algorithms/dcqcn/preset-irdma.js';
export { DEFAULT_NOTIFICATION_POINT, notificationPoint, validateNotificationPoint, type CnpSettings,
  type NotificationPointOptions, type NotificationPointSettings,
  type NotificationScope } from './notification-point.js';
export { DEFAULT_FAST_CNP, fastCnp, validateFastCnp, type AccessRule, type FastCnpSettings } from './fast-cnp.js';
export { DEFAULT_PARSER, parser, validateParser, type ParserSettings } from './parser.js';
export type { AlphaConvention, ImportedSettings } from './importers/imported-settings.js';
export type { NvidiaImportOptions } from './importers/nvidia.js';
export { importMlxconfig, type MlxconfigColumn, type MlxconfigImportOptions } from './importers/mlxconfig.js';
export { importCcParams, importRoceSysfs } from './importers/nvidia-runtime.js';
export { importIrdma, type IrdmaImportOptions } from './importers/irdma.js';
