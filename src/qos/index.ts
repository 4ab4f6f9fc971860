/**
 * `roce-cc/qos`: maps DSCP or PCP to priority, priority group and traffic class on every hop; provides the recommended
 * settings and a linter for whole paths.
 *
 * @packageDocumentation
 */
export { classify, hostEgressMarking, hostMarkingSource, type Classification, type HostMarking, type HostMarkingValues,
  type HostTraffic, type MarkingSource, type PacketMarking } from './classify.js';
export { RECOMMENDED_INTENT, intentOf, describeFinding, type QosIntent, type TrafficIntent, type LintFinding,
  type LintFindingOf } from './lint-context.js';
export { lintPath, type LintOptions } from './lint-path.js';
export { LINT_RULES, LINT_RULE_NAMES, ruleSourceOf, type LintRule, type LintSeverity } from './lint-rules.js';
export type { LintFacts, LintFigures, LintFlow } from './lint-sentences.js';
export * from './network-profiles.js';
export type { QosNote } from './notes.js';
export * from './path.js';
export { ALL_TO_GROUP_0, DEFAULT_DSCP_TO_PRIORITY, DSCP_CLASS_SHIFT, DSCP_COUNT, IDENTITY_MAP, LOSSY_GROUP,
  PRIORITY_COUNT, QOS_DEFAULTS, type BufferGroup, type EcnMarking, type GlobalPause, type LosslessGroup,
  type LossyGroup, type PfcSettings, type PortQos, type QosMap, type Scheduler, type TrafficClassQos,
  type TrustMode } from './qos-map.js';
export * from './recommended.js';
export { validatePortQos } from './validate-qos.js';
export { importMlnxQos, type MlnxQosPort, type MlnxQosSetting } from './mlnx-qos/import-mlnx-qos.js';
export { importSonicConfig } from './sonic/import-sonic.js';
export { vendorSettingOf, type SettingVendor } from './vendor-words.js';
export type { SonicConfig, SonicPort, SonicReason, SonicSetting, SonicWatchdog } from './sonic/sonic-config.js';
export { SONIC_RULES, type SonicFinding, type SonicFindingOf, type SonicRule,
  type SonicFigures } from './sonic/sonic-rules.js';
