/**
 * The linter: compares the QoS settings of host, switches and host along a path, and explains each mismatch.
 *
 * Such mismatches are silent: traffic flows, but badly. The path is checked for data from the first host and the CNPs
 * that return to it; {@link reversePath} gives the path for the other direction, including its links.
 *
 * Input: settings as plain data; a network profile, since a link without PFC is a fault only in a lossless network; and
 * an intent, the numbers that all hops should agree on. Output: findings in path order, and per port in the order of
 * the rules. A path with the recommended settings has none.
 *
 * The rules are in lint-rules.ts, their sentences in lint-sentences.ts; their checks in lint-classification.ts and
 * lint-congestion.ts.
 */
import { checkField, oneOf, checkRecord } from '../config/field-rules.js';
import { checkGroups, checkMarking, checkPriority, checkTrafficClasses, checkTrust } from './lint-classification.js';
import { checkCnpQueue, checkEcn, checkEcnBelowXoff, checkEndpoints, checkEtsSum, checkRecovery, checkCnpPause,
  checkGlobalPause, checkPause } from './lint-congestion.js';
import { RECOMMENDED_INTENT, layOut, validateIntent, type LintCheck, type PlacedFinding, type QosIntent,
  type LintFinding } from './lint-context.js';
import { LINT_RULE_NAMES } from './lint-rules.js';
import { NETWORK_PROFILES, type NetworkProfileName } from './network-profiles.js';
import { validatePath, type NodeQos } from './path.js';
import type { SettingVendor } from './vendor-words.js';

/** Settings that the path is compared with. */
export interface LintOptions {
  /**
   * Network profile. Default 'lossless', the configuration that RoCE is designed for (IBTA annex A17, section A17.9.1).
   */
  readonly profile?: NetworkProfileName;
  /** Intended settings. Default: the recommended DSCPs, priorities, groups and classes. */
  readonly intent?: QosIntent;
  /** Vendor whose names findings use, by name of the hop; default: this library's names. */
  readonly vendors?: Readonly<Record<string, SettingVendor | undefined>>;
}

const CHECKS: readonly LintCheck[] = [
  checkTrust,
  checkMarking,
  checkPriority,
  checkGroups,
  checkTrafficClasses,
  checkPause,
  checkGlobalPause,
  checkCnpPause,
  checkEcn,
  checkEcnBelowXoff,
  checkEndpoints,
  checkCnpQueue,
  checkEtsSum,
  checkRecovery,
];

/**
 * Compares the settings along a path.
 *
 * @param hops sending host, switches, receiving host.
 * @returns findings, ordered by hop, port, rule and flow; empty when all settings agree.
 * @throws RoceError `invalid-config` for invalid settings: `hops[1].upstream.pcpToPriority[3]`.
 */
export function lintPath(hops: readonly NodeQos[], options: LintOptions = {}): LintFinding[] {
  checkRecord(options, 'options');
  const path = validatePath(hops);
  const { profile = 'lossless', intent = RECOMMENDED_INTENT, vendors = {} } = options;
  for (const [hop, vendor] of Object.entries(checkRecord(vendors, 'vendors'))) {
    checkField(vendor, oneOf('sonic', 'nvidia', undefined), `vendors.${hop}`);
  }
  checkField(profile, oneOf(...Object.keys(NETWORK_PROFILES)), 'profile');
  const context = layOut(path, NETWORK_PROFILES[profile], validateIntent(intent), vendors);
  return CHECKS.flatMap((check) => check(context)).toSorted(byPlace).map(({ finding }) => finding);
}

// Upstream ports come first on a switch, because data passes them first.
function byPlace(a: PlacedFinding, b: PlacedFinding): number {
  return (a.hop - b.hop ||
    Number(a.finding.port === 'downstream') - Number(b.finding.port === 'downstream') ||
    LINT_RULE_NAMES.indexOf(a.finding.rule) - LINT_RULE_NAMES.indexOf(b.finding.rule) ||
    Number(a.finding.flow === 'cnp') - Number(b.finding.flow === 'cnp'));
}
