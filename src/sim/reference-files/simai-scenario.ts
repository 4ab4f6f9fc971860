/**
 * Reads an experiment of SimAI's packet simulation (aliyun/SimAI) as a scenario. Its config has the format of the HPCC authors'
 * simulator, from which it descends; its topology has NVSwitches, which neither mark nor pause (docs/specs/workloads.md, 4.1
 * and 4.2).
 */
import { checkField, checkRecord, numberIn, reject, wholeIn } from '../../config/field-rules.js';
import { PS_PER_US } from '../../units.js';
import type { SimaiTopology } from '../../workloads/simai/read-topology.js';
import type { JobSpec, OverrideSpec, ScenarioSpec, EdgesSpec, FaultSpec } from '../scenario/spec.js';
import { ReferenceConfig, SIMAI_CONFIG_KEYS } from './config-file.js';
import { linkDownOf, rejectLinkDown } from './network-files.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';
import { algorithmOfConfig } from './reference-algorithm.js';
import { notesOf, hostsOf, switchesOf } from './reference-scenario.js';
import { rejectText, secondsToPs } from './reference-text.js';

/** The inputs of an experiment of SimAI. */
export interface SimaiParts {
  /** Name of the scenario. */
  readonly name: string;
  /** Its workload: a job of format `simai`. */
  readonly job: JobSpec;
  /** Topology from `readSimaiTopology`. Default: one switch with `gpus` hosts at 100 Gb/s. */
  readonly topology?: SimaiTopology;
  /** Number of hosts of the default topology, at least 2. Required without `topology`. */
  readonly gpus?: number;
  /** Text of SimAI.conf. Default: the scenario has the library's own defaults, fidelity `standard`. */
  readonly config?: string;
  /** The config's name in errors. Default `SimAI.conf`. */
  readonly configName?: string;
  /** Whether keys that SimAI does not have are ignored and listed in `notes`. Default false: they are rejected. */
  readonly ignoreUnknownKeys?: boolean;
}

/** Default of SimAI's AS_SEND_LAT: nanoseconds before each send. */
const SEND_DELAY_NS = 6000;
const GPUS_MAX = 65_534;
const NV_BUFFER_BYTES = 2 ** 32 - 1;

/**
 * Makes a scenario from SimAI's files, of fidelity `reference` if there is a config.
 *
 * `notes` states settings without effect and those that the library does not model.
 * @throws RoceError `invalid-scenario`, naming file, line and key, for text that the simulator would misread.
 */
export function simaiScenario(parts: SimaiParts): ScenarioSpec {
  checkRecord(parts, 'parts');
  const { name, job, topology, gpus, config: text, configName = 'SimAI.conf', ignoreUnknownKeys = false } = parts;
  checkParts(parts, configName);
  if (topology === undefined && gpus === undefined) reject({ got: gpus, allowed: { min: 2 }, where: 'parts.gpus' });
  const config = text === undefined ?
    undefined :
    new ReferenceConfig(text, configName, SIMAI_CONFIG_KEYS, ignoreUnknownKeys);
  const settings: Partial<ScenarioSpec> = config === undefined ?
    { notes: [referenceNote('no-config')] } :
    settingsOf(config, topology);
  const delayed = { ...job, sendOverheadNs: job.sendOverheadNs ?? SEND_DELAY_NS };
  return {
    name,
    topology: topology?.topology ?? { kind: 'star', hosts: Math.max(2, gpus ?? 0) },
    workload: delayed,
    ...settings,
    ...overridesOf(topology),
    notes: [
      ...(topology?.notes ?? [referenceNote('no-topology')]),
      ...(settings.notes ?? []),
      ...networkNotes(config, topology),
      referenceNote('send-delay', { sendOverheadNs: delayed.sendOverheadNs }),
    ],
  };
}

function checkParts({ name, job, topology, gpus, config, ignoreUnknownKeys = false }: SimaiParts,
  configName: unknown): void {
  if (typeof ignoreUnknownKeys !== 'boolean')
    reject({ got: ignoreUnknownKeys, allowed: [true, false], where: 'parts.ignoreUnknownKeys' });
  for (const [where, got] of Object.entries({ name, configName, ...(config === undefined ? {} : { config }) })) {
    if (typeof got !== 'string') reject({ got, allowed: 'a text', where: `parts.${where}` });
  }
  const { sendOverheadNs } = checkRecord(job, 'parts.job');
  if (sendOverheadNs !== undefined)
    checkField(sendOverheadNs, numberIn(0, Number.MAX_SAFE_INTEGER), 'parts.job.sendOverheadNs');
  if (gpus !== undefined) checkField(gpus, wholeIn(2, GPUS_MAX), 'parts.gpus');
  if (topology === undefined) return;
  const { notes, nvSwitches } = checkRecord(topology, 'parts.topology');
  for (const [where, got] of Object.entries({ notes, nvSwitches })) {
    if (!Array.isArray(got)) reject({ got, allowed: 'a list', where: `parts.topology.${where}` });
  }
  const { links } = checkRecord(topology.topology, 'parts.topology.topology');
  if (!Array.isArray(links)) reject({ got: links, allowed: 'a list of links', where: 'parts.topology.topology.links' });
}

function settingsOf(config: ReferenceConfig, topology: SimaiTopology | undefined): Partial<ScenarioSpec> {
  const algorithm = algorithmOfConfig(config);
  const network = withErrorRate(config, topology);
  const faults = simaiFaults(config, topology);
  const durationUs = simaiStopUs(config);
  return {
    fidelity: 'reference',
    ...(network === undefined ? {} : { topology: network }),
    ...(durationUs === undefined ? {} : { durationUs }),
    algorithms: { [algorithm.name]: algorithm.spec },
    switches: switchesOf(config, markingRates(topology, config.file)),
    hosts: hostsOf(config),
    ...(faults.length > 0 ? { faults } : {}),
    notes: [...notesOf(config), ...linkDownNotes(config, faults)],
  };
}

/** Notes on the topology: NVSwitches and losses. */
function networkNotes(config: ReferenceConfig | undefined, topology: SimaiTopology | undefined): ReferenceNote[] {
  if (topology === undefined) return [];
  return [
    ...lossNotes(config, topology),
    ...(topology.nvSwitches.length > 0 ? [referenceNote('nvswitch-settings')] : []),
  ];
}

/** Notes on messages that lose their last packet. */
function lossNotes(config: ReferenceConfig | undefined, topology: SimaiTopology): ReferenceNote[] {
  if (config === undefined) return [];
  const isLossy = config.number('ERROR_RATE_PER_LINK', 0, 1) > 0 ||
    topology.topology.links.some(({ errorRate = 0 }) => errorRate > 0);
  return isLossy ? [referenceNote('loss-without-timeout')] : [];
}

/** Overrides for NVSwitches: a large buffer, no marks, no pauses. */
function overridesOf(topology: SimaiTopology | undefined): { readonly overrides?: readonly OverrideSpec[] } {
  const nodes = topology?.nvSwitches ?? [];
  if (nodes.length === 0) return {};
  return { overrides: [{ nodes, switch: { ecn: { enabled: false }, pfc: false, bufferBytes: NV_BUFFER_BYTES } }] };
}

/*
 * Settings of SimAI.conf on the links of a SimAI topology: loss rates, the link that goes down, and the rates that need marking
 * thresholds (docs/specs/workloads.md, 4.1).
 */

/** Latest end that a run may reach, s. */
const STOP_MAX_S = 1000;
/** The maximum time of a scenario. */
const LATEST_US = 9_000_000_000;

/** Latest end of the run; undefined if no run gets that far. */
export function simaiStopUs(config: ReferenceConfig): number | undefined {
  const seconds = config.number('SIMULATOR_STOP_TIME', 0, Number.MAX_VALUE);
  return seconds > STOP_MAX_S ?
    undefined :
    secondsToPs(config.word('SIMULATOR_STOP_TIME'), 'SIMULATOR_STOP_TIME') / PS_PER_US;
}

/** The topology, with ERROR_RATE_PER_LINK for links without an error rate. */
export function withErrorRate(config: ReferenceConfig, topology: SimaiTopology | undefined): EdgesSpec | undefined {
  const errorRate = config.number('ERROR_RATE_PER_LINK', 0, 1);
  if (errorRate === 0) return topology?.topology;
  if (topology === undefined) rejectWithoutTopology(config, 'ERROR_RATE_PER_LINK');
  return { ...topology.topology, errorRate };
}

/** The fault that LINK_DOWN describes, if it is set. @throws RoceError `invalid-scenario` for nodes without a link. */
export function simaiFaults(config: ReferenceConfig, topology: SimaiTopology | undefined): readonly FaultSpec[] {
  const down = linkDownOf(config);
  if (down === undefined) return [];
  if (topology === undefined) rejectWithoutTopology(config, 'LINK_DOWN');
  const { nodes, links } = topology.topology;
  const [a, b] = [nodes[down.a]?.name, nodes[down.b]?.name];
  if (!links.some(({ from, to }) => (from === a && to === b) || (from === b && to === a))) rejectLinkDown(config, down);
  const { fromUs } = down;
  return [{ kind: 'link-down', between: [a, b], fromUs, toUs: Math.max(fromUs + 1, simaiStopUs(config) ?? LATEST_US) }];
}

/** A note on when the link goes down: jobs of SimAI begin at 0 s, but this time counts from 2 s. */
export function linkDownNotes(config: ReferenceConfig, faults: readonly FaultSpec[]): readonly ReferenceNote[] {
  if (faults.length === 0) return [];
  return [referenceNote('link-down-from', { value: config.words('LINK_DOWN').map(({ text }) => text).join(' ') })];
}

/** Port rates of switches that mark, bits per second, with a position for errors. NVSwitches do not mark. */
export function markingRates(topology: SimaiTopology | undefined, place: string): ReadonlyMap<number, string> {
  if (topology === undefined) return new Map([[100e9, place]]);
  const { nodes, links } = topology.topology;
  const silent = new Set(topology.nvSwitches);
  const marking = new Set(
    nodes.filter(({ kind, name }) => kind === 'switch' && !silent.has(name)).map(({ name }) => name),
  );
  return new Map(links.filter(({ from, to }) => marking.has(from) || marking.has(to))
    .map(({ rateGbps }) => [Math.round(rateGbps * 1e9), place]));
}

function rejectWithoutTopology(config: ReferenceConfig, key: string): never {
  const { text, place } = config.word(key);
  return rejectText({ what: key, problem: 'needs a topology file with the links', got: text, where: place });
}
