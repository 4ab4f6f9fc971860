/**
 * Settings of SimAI.conf on the links of a SimAI topology: loss rates, the link that goes down, and the rates that need marking
 * thresholds (docs/specs/workloads.md, 4.1).
 */
import { PS_PER_US } from '../../unit-sizes.js';
import type { SimaiTopology } from '../../workloads/simai/read-topology.js';
import type { EdgesSpec, FaultSpec } from '../scenario/spec.js';
import type { ReferenceConfig } from './config-file.js';
import { linkDownOf, rejectLinkDown } from './link-down.js';
import { referenceNote, type ReferenceNote } from './reader-notes.js';
import { rejectText, secondsToPs } from './reference-text.js';

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
