/**
 * Input and output of the linter's rules: ports in the order in which data or CNPs pass them, links, and the intent; and
 * findings, each with its place, its figures, and the sentences made from them.
 */
import { checkFields, wholeIn, type FieldRules, checkRecord, checkField, TEXT_RULE } from '../config/field-rules.js';
import { classify } from './classify.js';
import { LINT_RULES, type LintRule, type LintSeverity } from './lint-rules.js';
import { lintFacts, type LintFigures, type LintFlow, type LintFacts } from './lint-sentences.js';
import type { NetworkProfile } from './network-profiles.js';
import type { HostQos, NodeQos, PortName, QosPath } from './path.js';
import { DSCP_COUNT, type PortQos } from './qos-map.js';
import { CNP_DSCP, CNP_PCP, CNP_PRIORITY, ROCE_DSCP, ROCE_PCP, ROCE_PRIORITY } from './recommended.js';
import { ANYTHING, PRIORITY_RULE } from './validate-qos.js';
import { type SettingVendor, wordsOf, type VendorWords } from './vendor-words.js';

/** Intended marking and treatment along the path of data or of CNPs. */
export interface TrafficIntent {
  /** DSCP of the packets, 0 to 63. */
  readonly dscp: number;
  /** PCP of the packets' VLAN tags, 0 to 7. */
  readonly pcp: number;
  /** Priority, 0 to 7. */
  readonly priority: number;
  /** Priority group, 0 to 7. */
  readonly group: number;
  /** Traffic class, 0 to 7. */
  readonly trafficClass: number;
}

/** Intended treatment of data and CNPs. */
export interface QosIntent {
  /** Intended treatment of RoCEv2 data. */
  readonly data: TrafficIntent;
  /** Intended treatment of CNPs. */
  readonly cnp: TrafficIntent;
}

/** The intent of the recommended settings (RoCE network proposal, slide "Recommended Classification"). */
export const RECOMMENDED_INTENT: QosIntent = Object.freeze({
  data: Object.freeze({
    dscp: ROCE_DSCP,
    pcp: ROCE_PCP,
    priority: ROCE_PRIORITY,
    group: ROCE_PRIORITY,
    trafficClass: ROCE_PRIORITY,
  }),
  cnp: Object.freeze({
    dscp: CNP_DSCP,
    pcp: CNP_PCP,
    priority: CNP_PRIORITY,
    group: CNP_PRIORITY,
    trafficClass: CNP_PRIORITY,
  }),
});

/** Fields that are strings. */
const WORDS = ['severity', 'rule', 'hop', 'port', 'peer', 'flow', 'message', 'got', 'expected', 'advice'] as const;

/** The intent derived from a host's settings, for networks whose numbers differ from the recommended ones. */
export function intentOf(host: HostQos): QosIntent {
  checkRecord(host, 'host');
  const intent = (kind: 'data' | 'cnp'): TrafficIntent => {
    const { priority, group, trafficClass } = classify(host.port, host[kind]);
    return { ...RECOMMENDED_INTENT[kind], ...host[kind], priority, group, trafficClass };
  };
  return { data: intent('data'), cnp: intent('cnp') };
}

/** Vendor of each hop, by name; a hop without one uses this library's names. */
type VendorsByHop = Readonly<Record<string, SettingVendor | undefined>>;

/** A port of the path. */
export interface PortView {
  /** Index of the node on the path. */
  readonly hop: number;
  readonly node: NodeQos;
  readonly name: PortName;
  readonly port: PortQos;
  readonly peer: NodeQos;
  /** Names used in texts about this port. */
  readonly words: VendorWords;
}

/** A link in the direction of the data. */
export interface LinkView {
  readonly transmitter: PortView;
  readonly receiver: PortView;
}

/** Input of each rule. */
export interface LintContext {
  readonly path: QosPath;
  readonly profile: NetworkProfile;
  readonly intent: QosIntent;
  readonly links: readonly LinkView[];
  /** Ports in the order in which packets pass them, for data and CNPs. */
  readonly ingress: Readonly<Record<'data' | 'cnp', readonly PortView[]>>;
  readonly egress: Readonly<Record<'data' | 'cnp', readonly PortView[]>>;
  /** Every port once, in the order in which data passes them. */
  readonly ports: readonly PortView[];
}

/** A finding, and the position of its port on the path. */
export interface PlacedFinding {
  readonly hop: number;
  readonly finding: LintFinding;
}

/** A function that checks one rule, or several related ones. */
export type LintCheck = (context: LintContext) => readonly PlacedFinding[];

const TRAFFIC_RULES: FieldRules<TrafficIntent> = {
  dscp: wholeIn(0, DSCP_COUNT - 1, 'DSCP'),
  pcp: PRIORITY_RULE,
  priority: PRIORITY_RULE,
  group: PRIORITY_RULE,
  trafficClass: PRIORITY_RULE,
};

/**
 * Checks an intent.
 * @throws RoceError `invalid-config` naming the field.
 */
export function validateIntent(value: QosIntent): QosIntent {
  const intent = checkFields<QosIntent>(value, { data: ANYTHING, cnp: ANYTHING }, 'intent');
  checkFields(intent.data, TRAFFIC_RULES, 'intent.data');
  checkFields(intent.cnp, TRAFFIC_RULES, 'intent.cnp');
  return intent;
}

/** Prepares the path for the rules. */
export function layOut(path: QosPath, profile: NetworkProfile, intent: QosIntent, vendors: VendorsByHop): LintContext {
  const nodes: readonly NodeQos[] = [path.sender, ...path.switches, path.receiver];
  const view = (hop: number, side: 'upstream' | 'downstream', peer: number): PortView => {
    const node = nodes[hop];
    const [name, port] = node.kind === 'host' ? (['port', node.port] as const) : ([side, node[side]] as const);
    return { hop, node, name, port, peer: nodes[peer], words: wordsOf(vendors[node.name]) };
  };
  const links = nodes.slice(1).map((_node, index): LinkView => ({
    transmitter: view(index, 'downstream', index + 1),
    receiver: view(index + 1, 'upstream', index),
  }));
  const towards = links.map(({ receiver }) => receiver);
  const from = links.map(({ transmitter }) => transmitter);
  return {
    path,
    profile,
    intent,
    links,
    ingress: { data: towards, cnp: from.toReversed() },
    egress: { data: from, cnp: towards.toReversed() },
    ports: links.flatMap(({ transmitter, receiver }) => [transmitter, receiver]),
  };
}

/** Makes a finding at a port; severity, sentences and advice follow from the rule. */
export function findAt<Rule extends LintRule>(view: PortView, rule: Rule, flow: LintFlow,
  figures: LintFigures<Rule>): PlacedFinding {
  const { severity, advice } = LINT_RULES[rule];
  const { words } = view;
  const finding: LintFindingOf<Rule> = {
    rule,
    severity,
    hop: view.node.name,
    port: view.name,
    peer: view.peer.name,
    flow,
    figures,
    ...lintFacts(rule, figures, { words, flow }),
    advice: words.advice[rule] ?? advice,
  };
  // The compiler cannot see that a generic rule is one of the union's members.
  return { hop: view.hop, finding: finding as LintFinding };
}

/** Fields common to the findings of all rules. */
interface LintFindingBase extends LintFacts {
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
