/**
 * A path as JSON: `{"profile": ..., "intent": ..., "hops": [...]}`, or the list of hops alone. A hop is what `lintPath` takes,
 * or names where its settings are: `"settings": "recommended"`, a config_db.json with the names of two ports, or an
 * adapter's settings. Files are named from the folder of the path.
 */
import path from 'node:path';
import { checkField, checkKeys, checkRecord, oneOf } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { recommendedHost, recommendedPath } from '../../qos/recommended.js';
import type { HostQos, NetworkProfileName, NodeQos, QosIntent, SonicConfig, SonicPort,
  SwitchQos } from '../../qos/index.js';
import type { ImportedSettings } from '../../config/importers/index.js';
import { at, readLintInput } from './read-input.js';

/** Whose names a hop's settings have. */
export interface HopSource {
  readonly vendor: 'sonic' | 'nvidia' | null;
  /** Of a switch that SONiC runs on: its two ports. */
  readonly ports?: Readonly<Record<'upstream' | 'downstream', SonicPort>>;
}

/** A path, and where its hops are from. */
export interface LoadedPath {
  readonly profile: NetworkProfileName | undefined;
  readonly intent: QosIntent | undefined;
  readonly hops: readonly NodeQos[];
  readonly sources: readonly HopSource[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** What a path takes where its files say nothing. */
export interface PathDefaults {
  readonly profile: NetworkProfileName | undefined;
  readonly lineRateBps: number;
}

interface LoadedHop {
  readonly node: NodeQos;
  readonly source: HopSource;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

const HOPS_MAX = 66;
const RECOMMENDED = 'recommended';
const PROFILES = oneOf(undefined, 'lossless', 'semi-lossless', 'lossy-1', 'lossy-2');

/** @throws RoceError naming the hop; errors of the system for its files. */
export async function loadPath(json: unknown, folder: string, defaults: PathDefaults): Promise<LoadedPath> {
  const file = Array.isArray(json) ? { hops: json as unknown[] } : checkRecord(json, 'the path');
  checkKeys(file, ['$schema', 'name', 'profile', 'intent', 'hops'], 'path');
  const { profile, intent, hops } = file;
  checkField(profile, PROFILES, 'path.profile');
  if (intent !== undefined) checkRecord(intent, 'path.intent');
  if (!Array.isArray(hops) || hops.length < 2 || hops.length > HOPS_MAX) {
    const got = Array.isArray(hops) ? hops.length : hops;
    const allowed = `a list of 2 to ${HOPS_MAX} hops`;
    throw new RoceError('invalid-config', { what: 'hops of the path', got, allowed, where: 'path.hops' });
  }
  const chosen = { ...defaults, profile: defaults.profile ?? profile as NetworkProfileName | undefined };
  const loaded: LoadedHop[] = [];
  for (const [index, hop] of hops.entries()) loaded.push(await loadHop(hop, `hops[${index}]`, folder, chosen));
  return {
    profile: chosen.profile,
    intent: intent as QosIntent | undefined,
    hops: loaded.map(({ node }) => node),
    sources: loaded.map(({ source }) => source),
    notes: loaded.flatMap(({ notes }) => notes),
    warnings: loaded.flatMap(({ warnings }) => warnings),
  };
}

async function loadHop(hop: unknown, where: string, folder: string, defaults: PathDefaults): Promise<LoadedHop> {
  const { settings, ...rest } = checkRecord(hop, where);
  if (settings === undefined)
    return { node: rest as unknown as NodeQos, source: { vendor: null }, notes: [], warnings: [] };
  if (typeof settings !== 'string') {
    throw new RoceError('invalid-config', { got: settings, allowed: `${RECOMMENDED}, or the name of a file`, where });
  }
  checkField(rest.kind, oneOf('host', 'switch'), `${where}.kind`);
  checkField(rest.name, { allowed: 'a name', accepts: (name) => typeof name === 'string' && name !== '' },
    `${where}.name`);
  const name = rest.name as string;
  if (settings === RECOMMENDED) return recommendedHop(rest, name, defaults);
  const file = path.resolve(folder, settings);
  const input = await readLintInput(file, defaults.lineRateBps);
  if (rest.kind === 'switch' && input.kind === 'sonic') {
    return at(settings, () => switchOf(rest, name, input.config, where));
  }
  if (rest.kind === 'host' && input.kind === 'host') return hostOf(rest, name, input.settings, defaults);
  throw new RoceError('invalid-config', {
    what: `the settings of ${name}`,
    got: settings,
    allowed: rest.kind === 'switch' ? 'the config_db.json of a SONiC switch' : "an adapter's settings",
    where: `${where}.settings`,
  });
}

function recommendedHop(hop: Record<string, unknown>, name: string, defaults: PathDefaults): LoadedHop {
  const options = optionsOf(defaults);
  const node = hop.kind === 'host' ? recommendedHost(name, options) : recommendedPath(1, options)[1];
  return { node: { ...node, ...hop, name }, source: { vendor: null }, notes: [], warnings: [] };
}

function optionsOf({ profile, lineRateBps }: PathDefaults): { profile?: NetworkProfileName; linkRateBps: number } {
  return { linkRateBps: lineRateBps, ...(profile === undefined ? {} : { profile }) };
}

function switchOf(hop: Record<string, unknown>, name: string, config: SonicConfig, where: string): LoadedHop {
  checkKeys(hop, ['kind', 'name', 'upstream', 'downstream'], where);
  const ports = {
    upstream: portOf(config, hop.upstream, `${where}.upstream`),
    downstream: portOf(config, hop.downstream, `${where}.downstream`),
  };
  const node: SwitchQos = { kind: 'switch', name, upstream: ports.upstream.qos, downstream: ports.downstream.qos };
  const both = [...new Set([ports.upstream, ports.downstream])];
  const notes = both.flatMap((port) => port.notes.map((sentence) => `${name}, ${port.name}: ${sentence}`));
  const ofFile = config.notes.map((sentence) => `${name}: ${sentence}`);
  return { node, source: { vendor: 'sonic', ports }, notes: [...ofFile, ...notes], warnings: [] };
}

function portOf({ ports }: SonicConfig, wanted: unknown, where: string): SonicPort {
  const found = ports.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const allowed = ports.length === 0 ?
    'in a config_db.json that has PORT_QOS_MAP, QUEUE or BUFFER_PG' :
    ports.slice(0, 8).map(({ name }) => name);
  throw new RoceError('invalid-config', { what: 'the port', got: wanted, allowed, where });
}

/** A host whose adapter says when it sends CNPs and where it reacts; all else is as recommended, or as the hop has it. */
export function hostOf(hop: Record<string, unknown>, name: string, settings: ImportedSettings,
  defaults: PathDefaults): LoadedHop {
  const base = recommendedHost(name, optionsOf(defaults));
  const { enabledPriorities: { reactionPoint, notificationPoint }, notificationPoint: { cnp }, warnings } = settings;
  const node: HostQos = {
    ...base,
    cnp: { dscp: cnp.dscp },
    reactionPriorities: reactionPoint ?? base.reactionPriorities,
    notificationPriorities: notificationPoint ?? base.notificationPriorities,
    ...hop as Partial<HostQos>,
    kind: 'host',
    name,
  };
  const notes = [`${name}: trust, maps, buffers and PFC are not among these settings: taken as recommended.`];
  if (reactionPoint === null || notificationPoint === null) {
    notes.push(`${name}: the settings do not say where roce_rp and roce_np are enabled: taken as recommended.`);
  }
  return {
    node,
    source: { vendor: 'nvidia' },
    notes,
    warnings: warnings.map((sentence) => `${name}: ${sentence}`),
  };
}
