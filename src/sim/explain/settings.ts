/**
 * The settings that a result ran under, as far as its scenario says; the rest is the documented default (spec.ts).
 */
import type { FlowResult, PortResult, SimResult } from '../result.js';
import type { AlgorithmSpec, EcnSpec, LinkSpec, ScenarioSpec, SwitchSpec, TopologySpec } from '../scenario/spec.js';

/** Defaults of spec.ts. */
const DEFAULT_BUFFER_BYTES = 32 * 2 ** 20;
const DEFAULT_KMIN_KB = 100;
const DEFAULT_KMAX_KB = 400;
const DEFAULT_PRESET = 'dcqcn-sigcomm15';
const THRESHOLD_RATE_BPS = 100e9;
const DEFAULT_DELAY_NS = 1000;
const DEFAULT_WAN_DELAY_NS = 1e6;
const HEADROOM_DELAYS = 3;
const BYTES_PER_KB = 1000;
const BITS_PER_BYTE = 8;
const NS_PER_SECOND = 1e9;

/** Names of hosts in every topology but `edges`. */
const HOST_NAME = /^h\d+$/;

/** Settings of a switch: those of all, and overrides in their order. */
export function switchSettings({ switches = {}, overrides = [] }: ScenarioSpec, node: string): SwitchSpec {
  return overrides
    .filter(({ nodes }) => nodes.includes(node))
    .reduce<SwitchSpec>((settings, override) => mergeSettings(settings, override.switch ?? {}), switches);
}

export function hasPfc(scenario: ScenarioSpec, node: string): boolean {
  return switchSettings(scenario, node).pfc ?? true;
}

export function hasEcn(scenario: ScenarioSpec, node: string): boolean {
  return switchSettings(scenario, node).ecn?.enabled ?? true;
}

export function hasFastCnp(scenario: ScenarioSpec, node: string): boolean {
  return switchSettings(scenario, node).fastCnp?.enabled ?? false;
}

export function bufferBytes(scenario: ScenarioSpec, node: string): number {
  return switchSettings(scenario, node).bufferBytes ?? DEFAULT_BUFFER_BYTES;
}

/** Memory set aside at a port: as given, else 3 times what its link's delay holds; of unequal delays the longest is taken. */
export function headroomBytes(scenario: ScenarioSpec, { node, rateBps }: PortResult): number {
  const { headroomBytes: given } = switchSettings(scenario, node);
  return given ?? (HEADROOM_DELAYS * rateBps * longestDelayNs(scenario.topology)) / NS_PER_SECOND / BITS_PER_BYTE;
}

function longestDelayNs(topology: TopologySpec): number {
  const links: readonly (LinkSpec | undefined)[] = [
    ...(topology.kind === 'edges' ? topology.links : [topology]),
    'bottleneck' in topology ? topology.bottleneck : undefined,
    'uplink' in topology ? topology.uplink : undefined,
    topology.kind === 'two-data-centers' ? { delayNs: DEFAULT_WAN_DELAY_NS, ...topology.wan } : undefined,
  ];
  return links.reduce((longest, link) => Math.max(longest, link?.delayNs ?? DEFAULT_DELAY_NS), 0);
}

/** Marking thresholds of a port: as the result tells them, else as the scenario has them. */
export function markingThresholds(scenario: ScenarioSpec, port: PortResult): { kminBytes: number; kmaxBytes: number } {
  const { kminKB = DEFAULT_KMIN_KB, kmaxKB = DEFAULT_KMAX_KB, scaleWithRate = true } = switchSettings(scenario, port.node).ecn ?? {};
  const factor = BYTES_PER_KB * (scaleWithRate ? port.rateBps / THRESHOLD_RATE_BPS : 1);
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

export type AlgorithmFamily = 'dcqcn' | 'hpcc-pint' | 'hpcc' | 'timely' | 'dctcp' | 'swift' | 'other';

const FAMILIES: readonly AlgorithmFamily[] = ['dcqcn', 'hpcc-pint', 'hpcc', 'timely', 'dctcp', 'swift'];

export function algorithmOf({ algorithms = {} }: ScenarioSpec, { algorithm }: Pick<FlowResult, 'algorithm'>): AlgorithmSpec {
  return algorithms[algorithm] ?? { preset: DEFAULT_PRESET };
}

/** Presets are named after their algorithm. */
export function familyOf(scenario: ScenarioSpec, flow: Pick<FlowResult, 'algorithm'>): AlgorithmFamily {
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
  return ports.reduce<PortResult | undefined>((best, port) => (best && best.maxClassQueueBytes >= port.maxClassQueueBytes ? best : port), undefined);
}

function mergeSettings(base: SwitchSpec, more: SwitchSpec): SwitchSpec {
  const ecn: EcnSpec = { ...base.ecn, ...more.ecn };
  return { ...base, ...more, ecn, fastCnp: { ...base.fastCnp, ...more.fastCnp } };
}
