/**
 * Lints a host against a recommended peer, in both directions: as the sender that reacts, and as the receiver that
 * notifies.
 */
import type { NodeQos } from '../../qos/index.js';
import { recommendedPath } from '../../qos/recommended.js';
import type { LintFlags } from './flags.js';
import type { HopSource, LoadedPath } from './hop.js';
import { hostOf } from './load-host.js';
import { optionsOf } from './path-defaults.js';
import type { HostInput } from './read-hosts.js';
import type { LintReport, ShownFinding } from './report.js';

const NO_VENDOR: HopSource = { vendor: null };

/**
 * @param lintLoaded lints a whole path.
 * @throws RoceError naming the setting.
 */
export function lintHost({ name, settings }: HostInput, flags: LintFlags,
  lintLoaded: (path: LoadedPath, flags: LintFlags) => LintReport): LintReport {
  const defaults = { profile: flags.profile, lineRateBps: flags.lineRate };
  const { node, source, notes, warnings } = hostOf({}, name, settings, defaults);
  const rules = 'rules' in settings ? settings.rules : undefined;
  const lint = (hops: readonly NodeQos[]): readonly ShownFinding[] => {
    const sources = hops.map((hop) => (hop === node ? source : NO_VENDOR));
    // The other hops are as recommended, so any mismatch that is reported for them is also found at this host.
    const only = { hop: name, rules };
    return lintLoaded({ profile: flags.profile, intent: undefined, notes, warnings, hops, sources, only }, flags)
      .findings;
  };
  const path = recommendedPath(1, optionsOf(defaults));
  const findings = firstOfEach([...lint([node, ...path.slice(1)]), ...lint([...path.slice(0, -1), node])]);
  return rules === undefined ? { findings, warnings, notes } : { findings, warnings: [], notes: [] };
}

/** Keeps the first of equal findings. */
function firstOfEach(findings: readonly ShownFinding[]): ShownFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, flow, place }) => {
    const key = `${rule}\n${flow}\n${place}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
