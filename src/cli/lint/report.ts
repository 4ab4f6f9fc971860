/** What the linter reports on the command line. */
import type { LintFinding, LintRule, QosNote, SonicRule } from '../../qos/index.js';
import type { LintNote } from './notes.js';

/** A finding with the vendor's names. */
export interface ShownFinding extends Omit<LintFinding, 'hop' | 'port' | 'peer' | 'rule'> {
  readonly rule: LintRule | SonicRule;
  /** Node and port, or ports with the same finding: `leaf1 Ethernet0, Ethernet4`. */
  readonly place: string;
  /** Where the vendor configures it; null for settings without a vendor. */
  readonly setting: string | null;
  /** Where the rule, or the fact, is from. */
  readonly source: string;
}

/** The linter's report. */
export interface LintReport {
  readonly findings: readonly ShownFinding[];
  /** Contradictions in a vendor's file. */
  readonly warnings: readonly LintNote[];
  /** Assumptions. */
  readonly notes: readonly (LintNote | QosNote)[];
}
