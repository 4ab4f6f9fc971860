/** The settings under which a result was obtained: those of its scenario, and defaults for the others. */
import { PRESET_ALGORITHMS, isPresetName, type AlgorithmName } from '../../config/algorithms/registry.js';
import { BUILT_IN_POINT } from '../../config/custom-congestion-point.js';
import { HEADROOM_LINK_DELAYS } from '../../analysis/headroom.js';
import { BITS_PER_BYTE, BYTES_PER_KB, NS_PER_SECOND, PS_PER_NS } from '../../units.js';
import type { FlowResult, PortResult, SimResult } from '../result.js';
import { isOfMarking } from '../features/changes.js';
import { DEFAULT_ALGORITHM, DEFAULT_HOSTS, DEFAULT_SWITCH, DEFAULT_TRAFFIC_CLASS,
  ECN_REFERENCE_RATE_BPS } from '../scenario/defaults.js';
import { withNetworkPreset } from '../scenario/network-presets.js';
import { resolveSwitch } from '../scenario/resolve-settings.js';
import type { AlgorithmSpec, ScenarioSpec, TopologySpec, WorkloadSpec } from '../scenario/spec.js';
import type { ValidSwitch } from '../scenario/valid-scenario.js';
import { buildNetwork } from '../topology/build-network.js';
import type { Network } from '../topology/network.js';

/** Settings of a switch: defaults, then those of all switches, then overrides in order. */
export function switchSettings(scenario: ScenarioSpec, node: string): ValidSwitch {
  const { switches = {}, overrides = [] } = withNetworkPreset(scenario);
  const own = overrides.flatMap((override) => (override.nodes.includes(node) ? (override.switch ?? []) : []));
  return [switches, ...own].reduce((settings, spec) => resolveSwitch(spec, settings, 'switches'), DEFAULT_SWITCH);
}

/** Name or file of a switch's custom congestion point; undefined: it has the built-in rule. */
export function customPointOf(scenario: ScenarioSpec, node: string): string | undefined {
  const { preset, file } = switchSettings(scenario, node).congestionPoint ?? {};
  return preset === BUILT_IN_POINT ? undefined : preset ?? file;
}

/** Retransmission timeout of a host's flows; 0: none. */
export function retransmitTimeoutUs({ fidelity = 'standard', hosts, overrides = [] }: ScenarioSpec,
  node: string): number {
  const own = overrides.flatMap(({ nodes, host }) => (nodes.includes(node) ? (host?.retransmitTimeoutUs ?? []) : []));
  return own[own.length - 1] ?? hosts?.retransmitTimeoutUs ?? DEFAULT_HOSTS[fidelity].retransmitTimeoutUs;
}

/**
 * Headroom of a port: as the scenario states it, else 3 times the bytes in flight on its link. If link delays differ, the
 * longest is used.
 */
export function headroomBytes(scenario: ScenarioSpec, { node, rateBps }: PortResult): number {
  const { headroomBytes: given } = switchSettings(scenario, node);
  return given ?? (HEADROOM_LINK_DELAYS * rateBps * longestDelayNs(scenario.topology)) / NS_PER_SECOND / BITS_PER_BYTE;
}

function longestDelayNs(topology: TopologySpec): number {
  return networkOf(topology).links.reduce((longest, { delayPs }) => Math.max(longest, delayPs), 0) / PS_PER_NS;
}

/** Marking thresholds of a port: as the result states them, else from the scenario. */
export function markingThresholds(scenario: ScenarioSpec, port: PortResult): { kminBytes: number; kmaxBytes: number } {
  const { kminKB, kmaxKB, scaleWithRate } = switchSettings(scenario, port.node).ecn;
  const factor = BYTES_PER_KB * (scaleWithRate ? port.rateBps / ECN_REFERENCE_RATE_BPS : 1);
  return { kminBytes: port.kminBytes ?? kminKB * factor, kmaxBytes: port.kmaxBytes ?? kmaxKB * factor };
}

/**
 * Networks of the results being explained, cached because several explanations need them. A result's topology names no file, as
 * files are read before the run.
 */
const networks = new WeakMap<TopologySpec, Network>();

function networkOf(topology: TopologySpec): Network {
  const network = networks.get(topology) ?? buildNetwork(topology);
  networks.set(topology, network);
  return network;
}

function namesOfSwitches(topology: TopologySpec): ReadonlySet<string> {
  return new Set(networkOf(topology).nodes.flatMap(({ name, kind }) => (kind === 'switch' ? [name] : [])));
}

/** Ports of switches and of adapters, which the simulator treats as switches. */
export function switchPorts({ scenario, ports }: SimResult): PortResult[] {
  const switches = namesOfSwitches(scenario.topology);
  return ports.filter(({ node }) => switches.has(node));
}

export function switchNames(result: SimResult): string[] {
  return [...new Set(switchPorts(result).map(({ node }) => node))];
}

/** `other`: custom algorithms, and none. */
export type AlgorithmFamily = AlgorithmName | 'other';

export function algorithmOf({ algorithms = {} }: ScenarioSpec,
  { algorithm }: Pick<FlowResult, 'algorithm'>): AlgorithmSpec {
  return algorithms[algorithm] ?? { preset: DEFAULT_ALGORITHM.preset };
}

/** The algorithm of a preset. */
export function familyOf(preset: string | undefined): AlgorithmFamily {
  return preset === undefined || preset === 'none' || !isPresetName(preset) ? 'other' : PRESET_ALGORITHMS[preset];
}

/** Algorithms of the flows, by their presets. */
export function familiesOf({ scenario, flows }: SimResult): AlgorithmFamily[] {
  const presets = new Set(flows.map((flow) => algorithmOf(scenario, flow).preset));
  return [...new Set([...presets].map(familyOf))];
}

/** Notifications that senders received: packets, or under `reference` marks that ACKs repeat. */
export function notificationCount({ flows }: SimResult): number {
  return flows.reduce((sum, { cnps, fastCnps }) => sum + cnps + fastCnps, 0);
}

/** Classes of the scenario's data. */
export function dataClasses({ workload }: ScenarioSpec): ReadonlySet<number> {
  const workloads = [workload].flat() as readonly WorkloadSpec[];
  return new Set(workloads.flatMap((one) => {
    const own = one.trafficClass ?? DEFAULT_TRAFFIC_CLASS;
    return one.kind === 'flows' ? one.flows.map(({ trafficClass }) => trafficClass ?? own) : [own];
  }));
}

/** Whether marking thresholds change during the run; the result states those at its start. */
export function changesMarking({ changes = [] }: ScenarioSpec): boolean {
  return changes.some(({ set }) => Object.keys(set).some(isOfMarking));
}
