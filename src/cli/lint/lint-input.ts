/** Findings for an input: a whole path, or a single switch or host between recommended ones. */
import { RECOMMENDED_INTENT, type QosIntent } from '../../qos/lint-context.js';
import { lintPath } from '../../qos/lint-path.js';
import { recommendedHost, recommendedPath } from '../../qos/recommended.js';
import { ruleSourceOf } from '../../qos/rule-sources.js';
import { vendorSettingOf } from '../../qos/vendor-setting.js';
import type { LintFinding, LintRule, NetworkProfileName, SonicConfig, SonicPort, SonicRule,
  SwitchQos } from '../../qos/index.js';
import { omit } from '../../config/omit.js';
import type { LintFlags } from './flags.js';
import { hostOf, loadPath, type HopSource, type LoadedPath } from './load-path.js';
import type { LintInput } from './read-input.js';
import { explainBySonic, shownSonic } from './sonic-findings.js';

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
  readonly warnings: readonly string[];
  /** Assumptions. */
  readonly notes: readonly string[];
}

/** @throws RoceError naming the hop and the setting; errors of the system for files that a path names. */
export async function lintInput(input: LintInput, flags: LintFlags): Promise<LintReport> {
  if (input.kind === 'sonic') return lintSonic(input.config, flags);
  const defaults = { profile: flags.profile, lineRateBps: flags.lineRate };
  if (input.kind === 'path') return lintLoaded(await loadPath(input.json, input.folder, defaults), flags);
  const { node, source, notes, warnings } = hostOf({}, 'host', input.settings, defaults);
  const [, ...others] = recommendedPath(1, { ...profileOf(flags), linkRateBps: flags.lineRate });
  const loaded = { profile: flags.profile, intent: undefined, notes, warnings };
  // Both directions: as a sender it reacts, as a receiver it notifies.
  const sending = lintLoaded({ ...loaded, hops: [node, ...others], sources: [source, NO_VENDOR, NO_VENDOR] }, flags);
  const [first, middle] = recommendedPath(1, { ...profileOf(flags), linkRateBps: flags.lineRate });
  const receiving = lintLoaded({ ...loaded, hops: [first, middle, node], sources: [NO_VENDOR, NO_VENDOR, source] },
    flags);
  return { ...sending, findings: merge([...sending.findings, ...receiving.findings], ({ place }) => place) };
}

const SONIC_WORDS = 'What SONiC calls a traffic class (TC) is a priority here.';
const NO_VENDOR: HopSource = { vendor: null };

function lintLoaded({ profile, intent, hops, sources, notes, warnings }: LoadedPath, flags: LintFlags): LintReport {
  const chosen = intentOf(flags, intent ?? RECOMMENDED_INTENT);
  const findings = lintPath(hops, {
    ...(profile === undefined ? {} : { profile }),
    intent: chosen,
    vendors: Object.fromEntries(hops.map(({ name }, index) => [name, sources[index].vendor ?? undefined])),
  });
  const byName = new Map(hops.map(({ name }, index) => [name, sources[index]]));
  const shown = findings.flatMap((finding): ShownFinding[] => {
    const { vendor, ports } = byName.get(finding.hop) ?? NO_VENDOR;
    const port = finding.port === 'port' ? undefined : ports?.[finding.port];
    if (port?.notTold.includes(finding.rule) === true) return [];
    const place = `${finding.hop} ${port?.name ?? finding.port}, link to ${finding.peer}`;
    const facts = port === undefined ? {} : explainBySonic(finding, port, chosen);
    return [{ ...shownAt(finding, place, vendor), ...facts }];
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

/** Ports with equal settings are merged: each is linted as the port by which RoCE enters and leaves. */
function lintSonic(config: SonicConfig, flags: LintFlags): LintReport {
  const groups = groupPorts(config.ports);
  const intent = intentOf(flags, RECOMMENDED_INTENT);
  const found = groups.flatMap((ports) => {
    const [first] = ports;
    const { qos, rateBps, notTold } = first;
    const place = `${config.name} ${namesOf(ports)}`;
    const options = { ...profileOf(flags), linkRateBps: rateBps ?? flags.lineRate };
    const node: SwitchQos = { kind: 'switch', name: config.name, upstream: qos, downstream: qos };
    const [sender, receiver] = outsideNames(config.name).map((name) => recommendedHost(name, options));
    const findings = lintPath([sender, node, receiver], {
      ...profileOf(flags),
      intent,
      vendors: { [config.name]: 'sonic' },
    })
      .filter(({ hop, rule }) => hop === config.name && !notTold.includes(rule))
      .map((finding) => ({ ...shownAt(finding, place, 'sonic'), ...explainBySonic(finding, first, intent) }));
    return [...findings, ...first.findings.map((finding) => shownSonic(finding, place))];
  });
  const ofPorts = groups.flatMap((ports) => ports[0].notes.map((sentence) => `${namesOf(ports)}: ${sentence}`));
  const assumed = groups.length === 0 ? [] : ['The hosts on both sides are taken as recommended.', SONIC_WORDS];
  return {
    findings: withAllPlaces([...config.findings.map((finding) => shownSonic(finding, config.name)), ...found]),
    warnings: [],
    notes: [...assumed, ...config.notes, ...ofPorts],
  };
}

/** Names that the switch does not have. */
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

const NAMES_SHOWN = 4;

/** The names of ports, the first few of many. */
export function namesOf(ports: readonly SonicPort[]): string {
  const names = ports.slice(0, NAMES_SHOWN).map(({ name }) => name).join(', ');
  return ports.length > NAMES_SHOWN ? `${names} and ${ports.length - NAMES_SHOWN} more` : names;
}

function shownAt({ hop: _hop, port: _port, peer: _peer, ...finding }: LintFinding, place: string,
  vendor: HopSource['vendor']): ShownFinding {
  const setting = vendor === null ? null : vendorSettingOf({ hop: _hop, port: _port, peer: _peer, ...finding }, vendor);
  return { ...finding, place, setting, source: ruleSourceOf(finding.rule) };
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

/** The first of equal findings. */
function merge(findings: readonly ShownFinding[], keyOf: (finding: ShownFinding) => string): ShownFinding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const key = `${finding.rule}\n${finding.flow}\n${keyOf(finding)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function profileOf({ profile }: LintFlags): { profile?: NetworkProfileName } {
  return profile === undefined ? {} : { profile };
}

/** Options override the file. */
function intentOf({ dataDscp, cnpDscp, dataPriority, cnpPriority }: LintFlags, base: QosIntent): QosIntent {
  const change = (kind: 'data' | 'cnp', dscp: number | undefined, priority: number | undefined) => ({
    ...base[kind],
    ...(dscp === undefined ? {} : { dscp }),
    ...(priority === undefined ? {} : { priority, group: priority, trafficClass: priority, pcp: priority }),
  });
  return { data: change('data', dataDscp, dataPriority), cnp: change('cnp', cnpDscp, cnpPriority) };
}
