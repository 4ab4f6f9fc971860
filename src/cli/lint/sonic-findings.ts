/** Findings for a SONiC switch: those from its tables, and the linter's, explained in SONiC's terms. */
import type { LintFacts, LintFinding, QosIntent, SonicFinding, SonicPort } from '../../qos/index.js';

/** A finding in SONiC's tables, with its location. */
type PlacedSonic = SonicFinding & { readonly flow: 'port'; readonly place: string };

/** What SONiC's tables add to a finding. */
type SonicExplanation = Partial<LintFacts & { readonly source: string }>;

/** Converts a fault that only SONiC's tables reveal. */
export function shownSonic(finding: SonicFinding, place: string): PlacedSonic {
  return { flow: 'port', place, ...finding };
}

/** Explains a linter finding by the port's tables, if they contain the reason. */
export function explainBySonic(finding: LintFinding, port: SonicPort, { data }: QosIntent): SonicExplanation {
  const index = finding.rule === 'ecn-off' ?
    port.qos.priorityToTrafficClass[data.priority] :
    port.qos.priorityToGroup[data.priority];
  const reason = port.reasons.find((one) => one.rule === finding.rule && one.index === index);
  if (reason === undefined) return {};
  const { message, got, expected, source } = reason;
  return { message, got, expected, source };
}
