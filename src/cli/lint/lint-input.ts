/**
 * Lints an input: a whole path, or a single switch or host between recommended ones. A switch's findings are those
 * from its tables, and the linter's, explained in SONiC's terms.
 */
import { omit } from '../../config/field-rules.js';
import type { NetworkProfileName, LintFinding, QosIntent, SonicConfig, SonicPort, SwitchQos, NodeQos, LintFacts,
  SonicFinding, LintFigures, LintFlow, LintRule, LintSeverity, QosNote, SonicFigures,
  SonicRule } from '../../qos/index.js';
import { RECOMMENDED_INTENT } from '../../qos/lint-context.js';
import { lintPath } from '../../qos/lint-path.js';
import { recommendedHost, recommendedPath } from '../../qos/recommended.js';
import { ruleSourceOf } from '../../qos/lint-rules.js';
import { vendorSettingOf } from '../../qos/vendor-words.js';
import { type HopSource, type LoadedPath, hostOf, optionsOf, type HostInput } from './load-host.js';
import { loadPath, type LintInput } from './read-input.js';
import { lintNote, portsWords, type LintNote } from './notes.js';

/** Options of `roce-cc lint`, as commander passes them. */
export interface LintFlags {
  readonly json?: boolean;
  readonly profile?: NetworkProfileName;
  readonly lineRate: number;
  readonly device?: number;
  readonly port?: number;
  readonly dataDscp?: number;
  readonly cnpDscp?: number;
  readonly dataPriority?: number;
  readonly cnpPriority?: number;
}

const NO_VENDOR: HopSource = { vendor: null };

/** @throws RoceError naming the hop and the setting; system errors for files that a path names. */
export async function lintInput(input: LintInput, flags: LintFlags): Promise<LintReport> {
  if (input.kind === 'sonic') return lintSonic(input.config, flags);
  const defaults = { profile: flags.profile, lineRateBps: flags.lineRate };
  if (input.kind === 'path') return lintLoaded(await loadPath(input.json, input.folder, defaults), flags);
  const reports = input.hosts.map((host) => lintHost(host, flags));
  return {
    findings: reports.flatMap(({ findings }) => findings),
    warnings: reports.flatMap(({ warnings }) => warnings),
    notes: reports.flatMap(({ notes }) => notes),
  };
}

function lintLoaded({ profile, intent, hops, sources, notes, warnings, only }: LoadedPath,
  flags: LintFlags): LintReport {
  const chosen = intentOf(flags, intent ?? RECOMMENDED_INTENT);
  const findings = lintPath(hops, {
    ...(profile === undefined ? {} : { profile }),
    intent: chosen,
    vendors: Object.fromEntries(hops.map(({ name }, index) => [name, sources[index].vendor ?? undefined])),
  });
  const byName = new Map(hops.map(({ name }, index) => [name, sources[index]]));
  const shown = findings.flatMap((finding): ShownFinding[] => {
    if (only !== undefined && (finding.hop !== only.hop || only.rules?.includes(finding.rule) === false)) return [];
    return shownOf(finding, byName.get(finding.hop) ?? NO_VENDOR, chosen);
  });
  const ofPorts = hops.flatMap(({ name }, index) => findingsOfPorts(name, sources[index]));
  return { findings: [...shown, ...ofPorts], notes, warnings };
}

/** Faults of the two ports of a SONiC switch on a path. */
function findingsOfPorts(name: string, { ports }: HopSource): ShownFinding[] {
  const both = ports === undefined ? [] : [...new Set([ports.upstream, ports.downstream])];
  return withAllPlaces(
    both.flatMap((port) => port.findings.map((finding) => shownSonic(finding, `${name} ${port.name}`))),
  );
}

/** A finding with the vendor's names; none if the settings lack the information for its rule. */
function shownOf(finding: LintFinding, source: HopSource, intent: QosIntent): ShownFinding[] {
  const port = finding.port === 'port' ? undefined : source.ports?.[finding.port];
  if ((port?.notStated ?? source.notStated)?.includes(finding.rule) === true) return [];
  const place = `${finding.hop} ${port?.name ?? finding.port}, link to ${finding.peer}`;
  const facts = port === undefined ? {} : explainBySonic(finding, port, intent);
  const shown = { ...shownAt(finding, place, source.vendor), ...facts };
  const stated = source.settings?.[finding.rule];
  return [stated === undefined ? shown : { ...shown, got: `${shown.got} (${stated.found})`, setting: stated.name }];
}

/**
 * Lints a SONiC switch. Ports with equal settings are merged; each is linted as both the ingress and the egress port of
 * RoCE.
 */
function lintSonic(config: SonicConfig, flags: LintFlags): LintReport {
  const groups = groupPorts(config.ports);
  const intent = intentOf(flags, RECOMMENDED_INTENT);
  const found = groups.flatMap((ports) => {
    const [first] = ports;
    const { qos, rateBps, notStated } = first;
    const place = `${config.name} ${namesOf(ports)}`;
    const options = { ...profileOf(flags), linkRateBps: rateBps ?? flags.lineRate };
    const node: SwitchQos = { kind: 'switch', name: config.name, upstream: qos, downstream: qos };
    const [sender, receiver] = outsideNames(config.name).map((name) => recommendedHost(name, options));
    const findings = lintPath([sender, node, receiver], {
      ...profileOf(flags),
      intent,
      vendors: { [config.name]: 'sonic' },
    })
      .filter(({ hop, rule }) => hop === config.name && !notStated.includes(rule))
      .map((finding) => ({ ...shownAt(finding, place, 'sonic'), ...explainBySonic(finding, first, intent) }));
    return [...findings, ...first.findings.map((finding) => shownSonic(finding, place))];
  });
  const ofPorts = groups.flatMap((ports) =>
    ports[0].notes.map((note) => lintNote('of-ports', { ports: ports.map(({ name }) => name), note }))
  );
  const assumed = groups.length === 0 ? [] : [lintNote('hosts-as-recommended'), lintNote('traffic-class-is-priority')];
  return {
    findings: withAllPlaces([...config.findings.map((finding) => shownSonic(finding, config.name)), ...found]),
    warnings: [],
    notes: [...assumed, ...config.notes, ...ofPorts],
  };
}

/** Names for the sender and receiver, different from the switch's name. */
function outsideNames(name: string): readonly string[] {
  return [`sender of ${name}`, `receiver of ${name}`];
}

/** Groups ports that differ only in their names, in order of appearance. */
export function groupPorts(ports: readonly SonicPort[]): readonly (readonly SonicPort[])[] {
  const groups = new Map<string, SonicPort[]>();
  for (const port of ports) {
    const key = JSON.stringify(omit(port, 'name', 'settings'));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [port]);
    else group.push(port);
  }
  return [...groups.values()];
}

/** Names of ports; of many, only the first few. */
export function namesOf(ports: readonly SonicPort[]): string {
  return portsWords(ports.map(({ name }) => name));
}

function shownAt(finding: LintFinding, place: string, vendor: HopSource['vendor']): ShownFinding {
  const setting = vendor === null ? null : vendorSettingOf(finding, vendor);
  return { ...omit(finding, 'hop', 'port', 'peer'), place, setting, source: ruleSourceOf(finding.rule) };
}

/** Merges findings that differ only in their place. */
function withAllPlaces(findings: readonly ShownFinding[]): ShownFinding[] {
  const byFacts = new Map<string, ShownFinding>();
  for (const finding of findings) {
    const key = [finding.rule, finding.flow, finding.message, finding.got].join('\n');
    const first = byFacts.get(key);
    if (first === undefined) byFacts.set(key, finding);
    else if (first.place !== finding.place) byFacts.set(key, { ...first, place: `${first.place}; ${finding.place}` });
  }
  return [...byFacts.values()];
}

function profileOf({ profile }: LintFlags): { profile?: NetworkProfileName } {
  return profile === undefined ? {} : { profile };
}

/** The intent of the file, overridden by options. */
function intentOf({ dataDscp, cnpDscp, dataPriority, cnpPriority }: LintFlags, base: QosIntent): QosIntent {
  const change = (kind: 'data' | 'cnp', dscp: number | undefined, priority: number | undefined) => ({
    ...base[kind],
    ...(dscp === undefined ? {} : { dscp }),
    ...(priority === undefined ? {} : { priority, group: priority, trafficClass: priority, pcp: priority }),
  });
  return { data: change('data', dataDscp, dataPriority), cnp: change('cnp', cnpDscp, cnpPriority) };
}

/**
 * Lints a host against a recommended peer, in both directions: as the sender that reacts, and as the receiver that
 * notifies.
 *
 * @throws RoceError naming the setting.
 */
function lintHost({ name, settings }: HostInput, flags: LintFlags): LintReport {
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

/** A finding in SONiC's tables, with its location. */
type PlacedSonic = SonicFinding & { readonly flow: 'port'; readonly place: string };

/** What SONiC's tables add to a finding. */
type SonicExplanation = Partial<LintFacts & { readonly source: string }>;

/** Converts a fault that only SONiC's tables reveal. */
function shownSonic(finding: SonicFinding, place: string): PlacedSonic {
  return { flow: 'port', place, ...finding };
}

/** Explains a linter finding by the port's tables, if they contain the reason. */
function explainBySonic(finding: LintFinding, port: SonicPort, { data }: QosIntent): SonicExplanation {
  const index = finding.rule === 'ecn-off' ?
    port.qos.priorityToTrafficClass[data.priority] :
    port.qos.priorityToGroup[data.priority];
  const reason = port.reasons.find((one) => one.rule === finding.rule && one.index === index);
  if (reason === undefined) return {};
  const { message, got, expected, source } = reason;
  return { message, got, expected, source };
}

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
