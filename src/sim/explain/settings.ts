/**
 * The settings that a result ran under, as far as its scenario says; the rest is the default.
 */
import { HEADROOM_LINK_DELAYS } from '../../analysis/pfc-headroom.js';
import type { FlowResult, PortResult, SimResult } from '../result.js';
import { DEFAULT_ALGORITHM, DEFAULT_BUFFER_BYTES, DEFAULT_HOSTS, DEFAULT_SWITCH,
  ECN_REFERENCE_RATE_BPS } from '../scenario/defaults.js';
import type { AlgorithmSpec, EcnSpec, LinkSpec, ScenarioSpec, SwitchSpec, TopologySpec } from '../scenario/spec.js';
import { DEFAULT_LINK } from '../topology/network.js';
import { DEFAULT_WAN } from '../topology/two-data-centers.js';

const BYTES_PER_KB = 1000;
const BITS_PER_BYTE = 8;
const NS_PER_SECOND = 1e9;

/** Names of hosts in every topology but `edges`. */
const HOST_NAME = /^h\d+$/;

/** Settings of a switch: those of all, and overrides in their order. */
function switchSettings({ switches = {}, overrides = [] }: ScenarioSpec, node: string): SwitchSpec {
  return overrides
    .filter(({ nodes }) => nodes.includes(node))
    .reduce<SwitchSpec>((settings, override) => mergeSettings(settings, override.switch ?? {}), switches);
}

/** Timeout of the flows of a host; 0 = none. */
export function retransmitTimeoutUs({ fidelity = 'standard', hosts, overrides = [] }: ScenarioSpec,
  node: string): number {
  const own = overrides.flatMap(({ nodes, host }) => (nodes.includes(node) ? (host?.retransmitTimeoutUs ?? []) : []));
  return own[own.length - 1] ?? hosts?.retransmitTimeoutUs ?? DEFAULT_HOSTS[fidelity].retransmitTimeoutUs;
}

export function hasPfc(scenario: ScenarioSpec, node: string): boolean {
  return switchSettings(scenario, node).pfc ?? DEFAULT_SWITCH.pfc;
}

export function hasEcn(scenario: ScenarioSpec, node: string): boolean {
  return switchSettings(scenario, node).ecn?.enabled ?? DEFAULT_SWITCH.ecn.enabled;
}

export function hasFastCnp(scenario: ScenarioSpec, node: string): boolean {
  return switchSettings(scenario, node).fastCnp?.enabled ?? DEFAULT_SWITCH.fastCnp;
}

export function bufferBytes(scenario: ScenarioSpec, node: string): number {
  return switchSettings(scenario, node).bufferBytes ?? DEFAULT_BUFFER_BYTES;
}

/** Memory set aside at a port: as given, else 3 times what its link's delay holds; of unequal delays the longest is taken. */
export function headroomBytes(scenario: ScenarioSpec, { node, rateBps }: PortResult): number {
  const { headroomBytes: given } = switchSettings(scenario, node);
  return given ?? (HEADROOM_LINK_DELAYS * rateBps * longestDelayNs(scenario.topology)) / NS_PER_SECOND / BITS_PER_BYTE;
}

function longestDelayNs(topology: TopologySpec): number {
  const links: readonly (LinkSpec | undefined)[] = [
    ...(topology.kind === 'edges' ? topology.links : [topology]),
    'bottleneck' in topology ? topology.bottleneck : undefined,
    'uplink' in topology ? topology.uplink : undefined,
    topology.kind === 'two-data-centers' ? { ...DEFAULT_WAN, ...topology.wan } : undefined,
  ];
  return links.reduce((longest, link) => Math.max(longest, link?.delayNs ?? DEFAULT_LINK.delayNs), 0);
}

/** Marking thresholds of a port: as the result tells them, else as the scenario has them. */
export function markingThresholds(scenario: ScenarioSpec, port: PortResult): { kminBytes: number; kmaxBytes: number } {
  const { kminKB, kmaxKB, scaleWithRate } = { ...DEFAULT_SWITCH.ecn, ...switchSettings(scenario, port.node).ecn };
  const factor = BYTES_PER_KB * (scaleWithRate ? port.rateBps / ECN_REFERENCE_RATE_BPS : 1);
  return { kminBytes: port.kminBytes ?? kminKB * factor, kmaxBytes: port.kmaxBytes ?? kmaxKB * factor };
}

/** Ports of switches. */
export function switchPorts({ scenario, ports }: SimResult): PortResult[] {
  const { topology } = scenario;
  if (topology.kind !== 'edges') return ports.filter(({ node }) => !HOST_NAME.test(node));
  const switches = new Set(topology.nodes.filter(({ kind }) => kind === 'switch').map(({ name }) => name));
  return ports.filter(({ node }) => switches.has(node));
}

export function switchNames(result: SimResult): string[] {
  return [...new Set(switchPorts(result).map(({ node }) => node))];
}

export type AlgorithmFamily = 'dcqcn' | 'hpcc-pint' | 'hpcc-pp' | 'hpcc' | 'timely' | 'dctcp' | 'swift' | 'other';

const FAMILIES: readonly AlgorithmFamily[] = ['dcqcn', 'hpcc-pint', 'hpcc-pp', 'hpcc', 'timely', 'dctcp', 'swift'];

export function algorithmOf({ algorithms = {} }: ScenarioSpec,
  { algorithm }: Pick<FlowResult, 'algorithm'>): AlgorithmSpec {
  return algorithms[algorithm] ?? { preset: DEFAULT_ALGORITHM.preset };
}

/** Presets are named after their algorithm. */
function familyOf(scenario: ScenarioSpec, flow: Pick<FlowResult, 'algorithm'>): AlgorithmFamily {
  const { preset } = algorithmOf(scenario, flow);
  return FAMILIES.find((family) => preset.startsWith(family)) ?? 'other';
}

export function familiesOf({ scenario, flows }: SimResult): AlgorithmFamily[] {
  return [...new Set(flows.map((flow) => familyOf(scenario, flow)))];
}

/** Notifications that senders got: packets, or under `reference` marks that ACKs repeat. */
export function notificationCount({ flows }: SimResult): number {
  return flows.reduce((sum, { cnps, fastCnps }) => sum + cnps + fastCnps, 0);
}

/** The ports of switches with the longest queue of one class; undefined without switches. */
export function longestClassQueue(ports: readonly PortResult[]): PortResult | undefined {
  return ports.reduce<PortResult | undefined>(
    (best, port) => (best && best.maxClassQueueBytes >= port.maxClassQueueBytes ? best : port),
    undefined,
  );
}

function mergeSettings(base: SwitchSpec, more: SwitchSpec): SwitchSpec {
  const ecn: EcnSpec = { ...base.ecn, ...more.ecn };
  return { ...base, ...more, ecn, fastCnp: { ...base.fastCnp, ...more.fastCnp } };
}
