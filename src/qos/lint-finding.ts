/**
 * A finding of the linter: a rule, its place, its figures, and the sentences made from them.
 */
import { checkField, checkRecord, TEXT_RULE } from '../config/field-rules.js';
import type { LintRule, LintSeverity } from './lint-rules.js';
import type { LintFacts, LintFigures, LintFlow } from './lint-sentences.js';
import type { PortName } from './path.js';

/** Fields common to the findings of all rules. */
export interface LintFindingBase extends LintFacts {
  /** Severity of the finding. */
  readonly severity: LintSeverity;
  /** Name of the node. */
  readonly hop: string;
  /** The port concerned. */
  readonly port: PortName;
  /** Node at the other end of the port's link. */
  readonly peer: string;
  /** The traffic concerned. */
  readonly flow: LintFlow;
  /** How to fix it. */
  readonly advice: string;
}

/** A finding of a rule. */
export interface LintFindingOf<Rule extends LintRule> extends LintFindingBase {
  /** The violated rule. */
  readonly rule: Rule;
  /** The figures that the sentences are made from, by name, with units. */
  readonly figures: LintFigures<Rule>;
}

/** A finding of any rule. */
export type LintFinding = { [Rule in LintRule]: LintFindingOf<Rule> }[LintRule];

/** Fields that are strings. */
const WORDS = ['severity', 'rule', 'hop', 'port', 'peer', 'flow', 'message', 'got', 'expected', 'advice'] as const;

/**
 * Formats a finding as one line: `error pause-one-sided at switch1.upstream (link to hostA, data): ...`.
 * @throws RoceError `invalid-config` if the value is not a finding.
 */
export function describeFinding(finding: LintFinding): string {
  const given = checkRecord(finding, 'finding');
  for (const key of WORDS) checkField(given[key], TEXT_RULE, `finding.${key}`);
  const { severity, rule, hop, port, peer, flow, message, got, expected, advice } = finding;
  const place = `${hop}.${port} (link to ${peer}, ${flow})`;
  return `${severity} ${rule} at ${place}: ${message}; got ${got}, expected ${expected}. ${advice}`;
}
