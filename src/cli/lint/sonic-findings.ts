/** Findings of a SONiC switch: its own, and those of the linter in SONiC's names. */
import type { LintFacts, LintFinding, QosIntent, SonicFinding, SonicPort } from '../../qos/index.js';

/** A finding of SONiC's tables, at its place. */
type PlacedSonic = SonicFinding & { readonly flow: 'port'; readonly place: string };

/** What SONiC's tables say of a finding. */
type SonicExplanation = Partial<LintFacts & { readonly source: string }>;

/** A fault that SONiC's tables alone show. */
export function shownSonic(finding: SonicFinding, place: string): PlacedSonic {
  return { flow: 'port', place, ...finding };
}

/** The linter's finding, explained by the port's tables where they have the reason. */
export function explainBySonic(finding: LintFinding, port: SonicPort, { data }: QosIntent): SonicExplanation {
  const index = finding.rule === 'ecn-off' ?
    port.qos.priorityToTrafficClass[data.priority] :
    port.qos.priorityToGroup[data.priority];
  const reason = port.reasons.find((one) => one.rule === finding.rule && one.index === index);
  if (reason === undefined) return {};
  const { message, got, expected, source } = reason;
  return { message, got, expected, source };
}
