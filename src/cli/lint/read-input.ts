/**
 * Reads the input of `roce-cc lint`, recognised by content: a path, a SONiC switch or a host's settings.
 *
 * A path is JSON: `{"profile": ..., "intent": ..., "hops": [...]}`, or the list of hops alone. A hop is either an
 * object as `lintPath` takes it, or names the source of its settings: `"settings": "recommended"`, a config_db.json
 * with the names of two ports, or an adapter's settings file. File names are relative to the path's own file.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { checkField, checkKeys, checkRecord, oneOf, orValue, wholeIn } from '../../config/field-rules.js';
import { importRoceSysfsFolder } from '../../config/importers/node-sysfs-folder.js';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import type { SonicConfig, NetworkProfileName, NodeQos, QosIntent, SonicPort, SwitchQos } from '../../qos/index.js';
import { recommendedHost, recommendedPath } from '../../qos/recommended.js';
import { importSonicConfig, isSonicConfig } from '../../qos/sonic/import-sonic.js';
import { readText } from '../read-text.js';
import { inputFile } from '../shipped-files.js';
import { readHosts, type HostInput, type HostOptions, type LoadedHop, type LoadedPath, hostOf, optionsOf,
  type PathDefaults, type HostSettings } from './load-host.js';
import { lintNote } from './notes.js';

/** Maximum size of a config_db.json: large switches have several megabytes. */
export const CONFIG_BYTES_MAX = 16 * 1024 * 1024;

/** Content of a file or folder. */
export type LintInput = { readonly kind: 'path'; readonly json: unknown; readonly folder: string } | {
  readonly kind: 'sonic';
  readonly config: SonicConfig;
} | { readonly kind: 'hosts'; readonly hosts: readonly HostInput[] };

/** @throws RoceError; system errors, which name the file. */
export async function readLintInput(given: string, options: HostOptions): Promise<LintInput> {
  const file = inputFile(given);
  if (file !== '-' && (await stat(file)).isDirectory()) {
    const adapter = await importRoceSysfsFolder(file, { lineRateBps: options.lineRateBps });
    return { kind: 'hosts', hosts: [{ name: 'host', settings: { adapter, vendor: 'nvidia' } }] };
  }
  const text = await readText(file, CONFIG_BYTES_MAX);
  if (!isJson(text)) return { kind: 'hosts', hosts: at(file, () => readHosts(text, file, options)) };
  const json = parse(text, file);
  if (isSonicConfig(json)) return { kind: 'sonic', config: at(file, () => importSonicConfig(text)) };
  return { kind: 'path', json, folder: path.dirname(file) };
}

/** Whether a text begins like JSON, and not with a prompt such as `[root@h1 ~]#`. */
function isJson(text: string): boolean {
  return /^\s*(?:\{|\[(?!\w+@))/.test(text);
}

/** Adds the file's name to errors that lack it. */
export function at<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RoceError) || error.where.includes(file)) throw error;
    throw error.at(`${file}, ${error.where}`);
  }
}

function parse(text: string, file: string): unknown {
  requireShallowText(text, 'invalid-settings', file);
  let json: unknown;
  try {
    json = JSON.parse(text) as unknown;
  } catch (error) {
    throw new RoceError('invalid-settings', { what: 'the file', problem: 'is not JSON', cause: error, where: file });
  }
  requirePlainJson(json, 'invalid-settings', file);
  return json;
}

const HOPS_MAX = 66;
const RECOMMENDED = 'recommended';
const PART = orValue(undefined, wholeIn(1, 99));
const PROFILES = oneOf(undefined, 'lossless', 'semi-lossless', 'lossy-1', 'lossy-2');

/** @throws RoceError naming the hop; system errors for its files. */
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
  const { device, port, ...own } = rest;
  const chosen = rest.kind === 'host' ?
    { device: partOf(device, `${where}.device`), port: partOf(port, `${where}.port`) } :
    {};
  const input = await readLintInput(file, { lineRateBps: defaults.lineRateBps, ...chosen });
  if (rest.kind === 'switch' && input.kind === 'sonic') {
    return at(settings, () => switchOf(rest, name, input.config, where));
  }
  if (rest.kind === 'host' && input.kind === 'hosts') {
    return hostOf(own, name, onlyHost(input.hosts, `${where}.settings`), defaults);
  }
  throw new RoceError('invalid-config', {
    what: `the settings of ${name}`,
    got: settings,
    allowed: rest.kind === 'switch' ? 'the config_db.json of a SONiC switch' : "an adapter's settings",
    where: `${where}.settings`,
  });
}

/** Reads the number of a device or port of a host's file. */
function partOf(value: unknown, where: string): number | undefined {
  checkField(value, PART, where);
  return value as number | undefined;
}

/** The settings of a hop's only host. A hop is one port of one adapter, so masks of its other ports are left out. */
function onlyHost(hosts: readonly HostInput[], where: string): HostSettings {
  const whole = hosts.filter(({ settings }) => !('rules' in settings));
  if (whole.length === 1) return whole[0].settings;
  const hint = 'Choose with "device" and "port" of the hop';
  throw new RoceError('invalid-config', {
    what: 'the number of adapters in the settings',
    got: whole.length,
    allowed: 1,
    hint,
    where,
  });
}

function recommendedHop(hop: Record<string, unknown>, name: string, defaults: PathDefaults): LoadedHop {
  const options = optionsOf(defaults);
  const node = hop.kind === 'host' ? recommendedHost(name, options) : recommendedPath(1, options)[1];
  return { node: { ...node, ...hop, name }, source: { vendor: null }, notes: [], warnings: [] };
}

function switchOf(hop: Record<string, unknown>, name: string, config: SonicConfig, where: string): LoadedHop {
  checkKeys(hop, ['kind', 'name', 'upstream', 'downstream'], where);
  const ports = {
    upstream: portOf(config, hop.upstream, `${where}.upstream`),
    downstream: portOf(config, hop.downstream, `${where}.downstream`),
  };
  const node: SwitchQos = { kind: 'switch', name, upstream: ports.upstream.qos, downstream: ports.downstream.qos };
  const both = [...new Set([ports.upstream, ports.downstream])];
  const notes = both.flatMap((port) =>
    port.notes.map((note) => lintNote('of-port', { node: name, port: port.name, note }))
  );
  const ofFile = config.notes.map((note) => lintNote('of-node', { node: name, note }));
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
