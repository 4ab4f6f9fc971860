/**
 * An experiment of a reference simulator (alibaba-edu/High-Precision-Congestion-Control, ns-3; or its descendant
 * conweave-project/conweave-ns3, recognised by its keys) as a scenario: its config file and the topology and flow files that the
 * config names, unchanged.
 *
 * Nodes keep their numbers: host 3 is `h3`, switch 17 is `s17`. Addresses, ports and hashes follow from them.
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { BPS_PER_GBPS, BYTES_PER_MIB, NS_PER_US, PS_PER_US } from '../../units.js';
import { REFERENCE_MTU_MAX_BYTES } from '../scenario/defaults.js';
import type { EcnSpec, FaultSpec, HostSpec, QueueHistogramSpec, ScenarioSpec, SwitchSpec } from '../scenario/spec.js';
import { ReferenceConfig, type RateMap } from './config-file.js';
import { lossyStopUs, withLossySettings } from './lossy-scenario.js';
import { readFlowFile, readLossyFlowFile, linkDownOf, rejectLinkDown, edgesOf, nodeName, readTopologyFile,
  type ReferenceTopology } from './network-files.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';
import { algorithmOfConfig, modeNames, modeOf } from './reference-algorithm.js';
import { rejectText, secondsToPs, type Word } from './reference-text.js';

/** The maximum time of a scenario. */
const MAX_MONITOR_NS = 9e12;
const MAX_COUNTER = 2 ** 32 - 1;
const MAX_THRESHOLD_KB = 4_294_967;

/** The inputs of an experiment. */
export interface ReferenceExperiment {
  /** Text of the config file. */
  readonly config: string;
  /** Returns the text of a file by its name in the config, such as `mix/topology.txt`. */
  readonly readFile: (name: string) => string;
  /** Name of the config file in errors, and of the scenario. Default `config.txt`. */
  readonly configName?: string;
  /**
   * Whether the scenario records what the simulator's file of queues needs: QLEN_MON_START to QLEN_MON_END. Default false; only
   * for the HPCC authors' simulator.
   */
  readonly queues?: boolean;
  /**
   * Whether keys that neither simulator has, such as those of other descendants, are ignored and listed in `notes`. Default
   * false: they are rejected, all in one error. Keys that only concern a descendant's output files are always ignored.
   */
  readonly ignoreUnknownKeys?: boolean;
}

/**
 * Reads an experiment of a reference simulator as a scenario of fidelity `reference`, or `reference-lossy` if its config has keys
 * of ConWeave's simulator.
 *
 * `notes` states settings without effect and those that the library does not model.
 * @throws RoceError `invalid-scenario`, naming file, line and key, for text that the simulator would misread or
 * couldn't run.
 * @example
 * const spec = readReferenceExperiment({ config, readFile: (name) => files[name] });
 */
export function readReferenceExperiment(experiment: ReferenceExperiment): ScenarioSpec {
  checkRecord(experiment, 'experiment');
  const { config: text, readFile, configName = 'config.txt', queues = false, ignoreUnknownKeys = false } = experiment;
  requireText('config', text);
  requireText('configName', configName);
  if (typeof readFile !== 'function') reject({ got: readFile, allowed: 'a function', where: 'readFile' });
  for (const [where, got] of Object.entries({ queues, ignoreUnknownKeys })) {
    if (typeof got !== 'boolean') reject({ got, allowed: 'true or false', where });
  }
  const config = new ReferenceConfig(text, configName, undefined, ignoreUnknownKeys);
  const algorithm = algorithmOfConfig(config);
  const topology = fromFile(config, 'TOPOLOGY_FILE', readFile, readTopologyFile);
  const readFlows = config.isLossy ? readLossyFlowFile : readFlowFile;
  const { flows, notes } = fromFile(config, 'FLOW_FILE', readFile, (lines, file) => readFlows(lines, file, topology));
  const faults = linkDown(config, topology);
  const spec: ScenarioSpec = {
    name: configName,
    fidelity: 'reference',
    durationUs: config.isLossy ? lossyStopUs(config) : stopUs(config),
    topology: edgesOf(topology, config.number('ERROR_RATE_PER_LINK', 0, 1)),
    workload: { kind: 'flows', algorithm: algorithm.name, flows },
    algorithms: { [algorithm.name]: algorithm.spec },
    switches: switchesOf(config, ratesOfSwitches(topology)),
    hosts: hostsOf(config),
    ...(faults.length > 0 ? { faults } : {}),
    ...(queues && !config.isLossy ? { record: { queueHistogram: queueMonitorOf(config) } } : {}),
    notes: [...notesOf(config), ...topology.notes, ...notes],
  };
  return config.isLossy ? withLossySettings(spec, config, topology) : spec;
}

function queueMonitorOf(config: ReferenceConfig): QueueHistogramSpec {
  const fromNs = config.whole('QLEN_MON_START', 0, MAX_MONITOR_NS);
  const toNs = config.whole('QLEN_MON_END', fromNs, MAX_MONITOR_NS);
  return { fromUs: fromNs / NS_PER_US, toUs: toNs / NS_PER_US };
}

function fromFile<T>(config: ReferenceConfig, key: string, readFile: (name: string) => string,
  parse: (text: string, file: string) => T): T {
  const { text: name, place } = config.word(key);
  return parse(textOf(name, place, readFile), name);
}

function textOf(name: string, place: string, readFile: (name: string) => string): string {
  try {
    const text = readFile(name);
    requireText('readFile', text);
    return text;
  } catch (error) {
    if (error instanceof RoceError) throw error;
    const hint = error instanceof Error ? error.message : String(error);
    return rejectText({ what: 'the file', problem: 'cannot be read', got: name, where: place, cause: error, hint });
  }
}

function stopUs(config: ReferenceConfig): number {
  return secondsToPs(config.word('SIMULATOR_STOP_TIME'), 'SIMULATOR_STOP_TIME') / PS_PER_US;
}

/** Settings of hosts. */
export function hostsOf(config: ReferenceConfig): HostSpec {
  return {
    mtuBytes: config.whole('PACKET_PAYLOAD_SIZE', 1, REFERENCE_MTU_MAX_BYTES),
    paced: config.flag('RATE_BOUND'),
    acksPausable: !config.flag('ACK_HIGH_PRIO'),
    ...delayedAckOf(config),
  };
}

/**
 * Delayed ACKs. With an interval of at most 1 each packet in order is acknowledged. A chunk of 0 is rejected, as the simulator
 * would divide by it.
 */
function delayedAckOf(config: ReferenceConfig): HostSpec {
  const ackIntervalBytes = config.whole('L2_ACK_INTERVAL', 0, MAX_COUNTER);
  const ackChunkBytes = config.whole('L2_CHUNK_SIZE', 0, MAX_COUNTER);
  if (ackIntervalBytes <= 1) return {};
  if (ackChunkBytes > 0) return { ackIntervalBytes, ackChunkBytes };
  return rejectText({
    what: 'L2_CHUNK_SIZE with an L2_ACK_INTERVAL above 1',
    got: ackChunkBytes,
    allowed: { above: 0 },
    where: config.word('L2_CHUNK_SIZE').place,
  });
}

/** Settings of switches. @param rates rates of their ports, bits per second, and the position of each in its file. */
export function switchesOf(config: ReferenceConfig, rates: ReadonlyMap<number, string>): SwitchSpec {
  return {
    ...(config.isLossy ? {} : { bufferBytes: config.whole('BUFFER_SIZE', 1, 4095) * BYTES_PER_MIB, pfc: true }),
    ecn: config.flag('ENABLE_QCN') ? ecnOf(config, rates) : { enabled: false },
  };
}

/** Marking thresholds for each rate of a switch's ports; the file may list more. */
function ecnOf(config: ReferenceConfig, rates: ReadonlyMap<number, string>): EcnSpec {
  const kmin = config.byRate('KMIN_MAP', MAX_THRESHOLD_KB);
  const kmax = config.byRate('KMAX_MAP', MAX_THRESHOLD_KB);
  const pmax = config.byRate('PMAX_MAP', 1);
  const byRate = [...rates].map(([rateBps, place]) => ({
    rateGbps: rateBps / BPS_PER_GBPS,
    kminKB: ofRate(kmin, 'KMIN_MAP', rateBps, place),
    kmaxKB: ofRate(kmax, 'KMAX_MAP', rateBps, place),
    pmax: ofRate(pmax, 'PMAX_MAP', rateBps, place),
  }));
  for (const { rateGbps, kminKB, kmaxKB } of byRate) {
    if (kminKB <= kmaxKB) continue;
    rejectText({
      what: `KMIN_MAP at ${rateGbps} Gb/s`,
      problem: 'must not exceed KMAX_MAP',
      got: { kminKB, kmaxKB },
      where: config.word('KMIN_MAP').place,
    });
  }
  // Without a switch, nothing marks.
  return byRate.length === 0 ? { enabled: false } : { enabled: true, markAt: 'dequeue', byRate };
}

function ofRate(map: RateMap, key: string, rateBps: number, place: string): number {
  return map.get(rateBps) ??
    rejectText({
      what: `the rate of a link of a switch, of which ${key} needs a value,`,
      got: rateBps,
      allowed: [...map.keys()],
      where: place,
    });
}

function ratesOfSwitches({ isSwitch, links }: ReferenceTopology): ReadonlyMap<number, string> {
  const rates = new Map<number, string>();
  for (const { a, b, rateBps, place } of links) {
    if ((isSwitch[a] || isSwitch[b]) && !rates.has(rateBps)) rates.set(rateBps, place);
  }
  return rates;
}

function linkDown(config: ReferenceConfig, topology: ReferenceTopology): readonly FaultSpec[] {
  const down = linkDownOf(config);
  if (down === undefined) return [];
  const { fromUs, a, b } = down;
  if (!topology.links.some((link) => (link.a === a && link.b === b) || (link.a === b && link.b === a)))
    rejectLinkDown(config, down);
  const toUs = Math.max(fromUs + 1, stopUs(config));
  return [{ kind: 'link-down', between: [nodeName(topology, a), nodeName(topology, b)], fromUs, toUs }];
}

function requireText(where: string, got: unknown): void {
  if (typeof got !== 'string') reject({ got, allowed: 'a text', where });
}

/** Keys of the config file without effect in this run, and why: one note per reason, in the order of the file. */
export function notesOf(config: ReferenceConfig): readonly ReferenceNote[] {
  const mode = modeOf(config);
  const name = modeNames(config).get(mode) ?? '';
  const otherModes = config.keys(({ effect }) => typeof effect !== 'string' && !effect.includes(mode));
  const missing = Object.keys(config.table).filter((key) => assumed(config, key, mode))
    .map((key) => ({ key, value: config.table[key].missing ?? '' }));
  const [foreign, ignored] = [config.foreignOutputs, config.ignored].map(withPlaces);
  return [
    ...ofKeys(otherModes, (keys) => referenceNote('keys-of-other-modes', { keys, mode, name })),
    ...ofKeys(config.keys(({ effect }) => effect === 'nowhere'),
      (keys) => referenceNote('keys-without-effect', { keys })),
    ...ofKeys(config.keys(({ effect }) => effect === 'output'), (keys) => referenceNote('keys-of-output', { keys })),
    ...ofKeys(missing, (keys) => referenceNote('defaults-assumed', { keys })),
    ...ofKeys(foreign, (keys) => referenceNote('output-of-other-simulators', { keys })),
    ...ofKeys(ignored, (keys) => referenceNote('unknown-keys', { keys })),
    ...repeatedRates(config),
    ...ackNote(config),
    ...windowNote(config),
    ...markingNote(config),
    ...backToZeroNote(config),
    ...cutIntervals(config, mode),
  ];
}

function withPlaces(words: readonly Word[]): { key: string; where: string }[] {
  return words.map(({ text, place }) => ({ key: text, where: place }));
}

/** A note on keys; none if there are no keys. */
function ofKeys<Key>(keys: readonly Key[], make: (keys: readonly Key[]) => ReferenceNote): readonly ReferenceNote[] {
  return keys.length === 0 ? [] : [make(keys)];
}

/** Whether a key that has an effect in this run is missing. */
function assumed(config: ReferenceConfig, key: string, mode: number): boolean {
  const { effect, missing } = config.table[key];
  if (config.has(key) || missing === undefined) return false;
  return effect === 'run' || (typeof effect !== 'string' && effect.includes(mode));
}

/** Notes on rates that a map contains twice. */
function repeatedRates(config: ReferenceConfig): readonly ReferenceNote[] {
  return ['KMAX_MAP', 'KMIN_MAP', 'PMAX_MAP'].filter((key) => config.has(key)).flatMap((key) => {
    const rates = config.words(key).slice(1).filter((_, index) => index % 2 === 0).map(({ text }) => text);
    const repeated = [...new Set(rates.filter((rate, index) => rates.indexOf(rate) < index))];
    return ofKeys(repeated, (ratesBps) => referenceNote('rates-given-twice', { key, ratesBps }));
  });
}

function ackNote(config: ReferenceConfig): readonly ReferenceNote[] {
  const intervalBytes = config.whole('L2_ACK_INTERVAL', 0, 2 ** 32 - 1);
  if (intervalBytes <= 1) return [];
  return [referenceNote('ack-interval', { intervalBytes, chunkBytes: config.word('L2_CHUNK_SIZE').text })];
}

function windowNote(config: ReferenceConfig): readonly ReferenceNote[] {
  return config.flag('HAS_WIN') || !config.flag('VAR_WIN') ? [] : [referenceNote('window-off')];
}

function markingNote(config: ReferenceConfig): readonly ReferenceNote[] {
  if (config.flag('ENABLE_QCN')) return [];
  return ofKeys(['KMAX_MAP', 'KMIN_MAP', 'PMAX_MAP'].filter((key) => config.has(key)),
    (keys) => referenceNote('marking-off', { keys }));
}

function backToZeroNote(config: ReferenceConfig): readonly ReferenceNote[] {
  return config.isLossy || !config.flag('L2_BACK_TO_ZERO') ? [] : [referenceNote('back-to-zero')];
}

function cutIntervals(config: ReferenceConfig, mode: number): readonly ReferenceNote[] {
  const cut = ['ALPHA_RESUME_INTERVAL', 'RATE_DECREASE_INTERVAL', 'RP_TIMER']
    .filter((key) => config.table[key].effect instanceof Array && config.has(key) && mode === 1)
    .filter((key) => !Number.isInteger(Number(config.word(key).text)));
  return ofKeys(cut, (keys) => referenceNote('intervals-truncated', { keys }));
}
