/** The linter's report on the command line. */
import type { LintFacts, LintFigures, LintFlow, LintRule, LintSeverity, QosNote, SonicFigures,
  SonicRule } from '../../qos/index.js';
import type { LintNote } from './notes.js';

/** A finding with the vendor's names. */
export interface ShownFinding extends LintFacts {
  readonly rule: LintRule | SonicRule;
  readonly severity: LintSeverity;
  /** Its values by name, with units. */
  readonly figures: LintFigures<LintRule> | SonicFigures<SonicRule>;
  readonly flow: LintFlow;
  /** How to fix it. */
  readonly advice: string;
  /** Node and port, or all ports with the same finding: `leaf1 Ethernet0, Ethernet4`. */
  readonly place: string;
  /** Where the vendor configures it; null for settings without a vendor. */
  readonly setting: string | null;
  /** Source of the rule or fact. */
  readonly source: string;
}

/** The linter's report. */
export interface LintReport {
  readonly findings: readonly ShownFinding[];
  /** Contradictions in a vendor's file. */
  readonly warnings: readonly LintNote[];
  /** Assumptions that the linter made. */
  readonly notes: readonly (LintNote | QosNote)[];
}
