/** Findings for an input: a whole path, or a single switch or host between recommended ones. */
import { RECOMMENDED_INTENT, type QosIntent } from '../../qos/lint-context.js';
import { lintPath } from '../../qos/lint-path.js';
import { recommendedHost } from '../../qos/recommended.js';
import { vendorSettingOf } from '../../qos/vendor-setting.js';
import type { LintFinding, NetworkProfileName, SonicConfig, SonicPort, SwitchQos } from '../../qos/index.js';
import { omit } from '../../config/omit.js';
import type { LintFlags } from './flags.js';
import type { HopSource, LoadedPath } from './hop.js';
import { lintHost } from './lint-host.js';
import { loadPath } from './load-path.js';
import type { LintReport, ShownFinding } from './report.js';
import type { LintInput } from './read-input.js';

/** @throws RoceError naming the hop and the setting; errors of the system for files that a path names. */
export async function lintInput(input: LintInput, flags: LintFlags): Promise<LintReport> {
  if (input.kind === 'sonic') return lintSonic(input.config, flags);
  const defaults = { profile: flags.profile, lineRateBps: flags.lineRate };
  if (input.kind === 'path') return lintLoaded(await loadPath(input.json, input.folder, defaults), flags);
  const reports = input.hosts.map((host) => lintHost(host, flags, lintLoaded));
  return {
    findings: reports.flatMap(({ findings }) => findings),
    warnings: reports.flatMap(({ warnings }) => warnings),
    notes: reports.flatMap(({ notes }) => notes),
  };
}

const SONIC_WORDS = 'What SONiC calls a traffic class (TC) is a priority here, and its queue is a traffic class.';
const NO_VENDOR: HopSource = { vendor: null };

function lintLoaded({ profile, intent, hops, sources, notes, warnings, only }: LoadedPath,
  flags: LintFlags): LintReport {
  const findings = lintPath(hops, {
    ...(profile === undefined ? {} : { profile }),
    intent: intentOf(flags, intent ?? RECOMMENDED_INTENT),
  });
  const byName = new Map(hops.map(({ name }, index) => [name, sources[index]]));
  const shown = findings.flatMap((finding): ShownFinding[] => {
    if (only !== undefined && (finding.hop !== only.hop || only.rules?.includes(finding.rule) === false)) return [];
    return shownOf(finding, byName.get(finding.hop) ?? NO_VENDOR);
  });
  return { findings: shown, notes, warnings };
}

/** None where the settings say too little for the rule. */
function shownOf(finding: LintFinding, source: HopSource): ShownFinding[] {
  const port = finding.port === 'port' ? undefined : source.ports?.[finding.port];
  if ((port?.notTold ?? source.notTold)?.includes(finding.rule) === true) return [];
  const place = `${finding.hop} ${port?.name ?? finding.port}, link to ${finding.peer}`;
  const shown = shownAt(finding, place, source.vendor);
  const stated = source.settings?.[finding.rule];
  return [stated === undefined ? shown : { ...shown, got: `${shown.got} (${stated.found})`, setting: stated.name }];
}

/** Ports with equal settings are merged: each is linted as the port by which RoCE enters and leaves. */
function lintSonic(config: SonicConfig, flags: LintFlags): LintReport {
  const groups = groupPorts(config.ports);
  const found = groups.flatMap((ports) => {
    const [{ qos, rateBps, notTold }] = ports;
    const options = { ...profileOf(flags), linkRateBps: rateBps ?? flags.lineRate };
    const node: SwitchQos = { kind: 'switch', name: config.name, upstream: qos, downstream: qos };
    const [sender, receiver] = outsideNames(config.name).map((name) => recommendedHost(name, options));
    return lintPath([sender, node, receiver], { ...profileOf(flags), intent: intentOf(flags, RECOMMENDED_INTENT) })
      .filter(({ hop, rule }) => hop === config.name && !notTold.includes(rule))
      .map((finding) => shownAt(finding, `${config.name} ${namesOf(ports)}`, 'sonic'));
  });
  const all = (kind: 'notes' | 'warnings'): string[] =>
    groups.flatMap((ports) => ports[0][kind].map((sentence) => `${namesOf(ports)}: ${sentence}`));
  return {
    findings: withAllPlaces(found),
    warnings: all('warnings'),
    notes: ['The hosts on both sides are taken as recommended.', SONIC_WORDS, ...all('notes')],
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
  return { ...finding, place, setting };
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

/** Options override the file. */
function intentOf({ dataDscp, cnpDscp, dataPriority, cnpPriority }: LintFlags, base: QosIntent): QosIntent {
  const change = (kind: 'data' | 'cnp', dscp: number | undefined, priority: number | undefined) => ({
    ...base[kind],
    ...(dscp === undefined ? {} : { dscp }),
    ...(priority === undefined ? {} : { priority, group: priority, trafficClass: priority, pcp: priority }),
  });
  return { data: change('data', dataDscp, dataPriority), cnp: change('cnp', cnpDscp, cnpPriority) };
}
