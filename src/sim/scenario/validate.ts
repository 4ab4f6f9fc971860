/**
 * Checks a scenario and completes it: schema, then names, then what needs the network.
 *
 * Nothing is clamped or passed over: what is wrong is refused, by name.
 */
import { buildNetwork, countNodes } from '../topology/build-network.js';
import type { Network } from '../topology/network.js';
import { buildFlows } from '../workload/build-flows.js';
import { PS_PER_US, type WorkloadFlow } from '../workload/workload-flow.js';
import { checkWorkload } from './check-workloads.js';
import { DEFAULT_ALGORITHM, DEFAULT_DURATION_AFTER_LAST_START_PS, DEFAULT_RECORD, DEFAULT_SEED } from './defaults.js';
import { refuseIssue } from './explain-issue.js';
import { listNames, refuseScenario } from './scenario-error.js';
import { NODES_MAX } from './schema-parts.js';
import { SPEC_SCHEMA } from './schema.js';
import { settleFastCnp, settleHostOverrides, settleHosts, settleSwitches } from './settle-settings.js';
import type { FaultSpec, Fidelity, RecordSpec, ScenarioSpec, WorkloadSpec } from './spec.js';
import type { ValidAlgorithm, ValidRecord, ValidScenario } from './valid-scenario.js';

/**
 * Checks that data, as read from JSON, are a scenario by their keys and values; names and numbers that belong together are
 * checked when it is run.
 *
 * @throws RoceError `invalid-scenario`, naming the flow, node, link or key, what was got and what is allowed.
 */
export function parseScenario(given: unknown): ScenarioSpec {
  const checked = SPEC_SCHEMA.safeParse(given);
  return checked.success ? checked.data : refuseIssue(given, checked.error.issues);
}

/**
 * Checks a scenario, as read from JSON, and fills in every default.
 *
 * @throws RoceError `invalid-scenario`, naming the flow, node, link or key, what was got and what is allowed; the first that is wrong.
 * @example
 * const valid = validateScenario({
 *   name: 'incast', topology: { kind: 'star', hosts: 17 }, workload: { kind: 'incast', senders: 16, sizeBytes: 1e6 },
 * });
 */
export function validateScenario(given: unknown): ValidScenario {
  const spec = parseScenario(given);
  const fidelity = spec.fidelity ?? 'standard';
  const seed = spec.seed ?? DEFAULT_SEED;
  const network = networkOf(spec);
  const nodeNamed = finder(network.nodes.map(({ name }) => name), 'node');
  const algorithms = algorithmsOf(spec);
  const flows = flowsOf(spec, network, algorithms, nodeNamed, seed);
  (spec.faults ?? []).forEach((fault, i) => checkFault(fault, network, nodeNamed, `faults[${i}]`));
  return {
    spec,
    name: spec.name,
    description: spec.description ?? '',
    fidelity,
    seed,
    endPs: endPs(spec, flows),
    network,
    flows,
    algorithms,
    ...settingsOf(spec, network, fidelity, nodeNamed),
    faults: spec.faults ?? [],
    record: recordOf(spec.record ?? {}, flows.length),
  };
}

/** Settings of switches and hosts. */
function settingsOf({ switches: ofAll = {}, hosts = {}, overrides = [] }: ScenarioSpec, network: Network,
  fidelity: Fidelity,
  nodeNamed: (name: string, where: string) => number
): Pick<ValidScenario, 'switches' | 'fastCnp' | 'hosts' | 'hostOverrides' | 'markAt'> {
  const switches = settleSwitches(network, ofAll, overrides, nodeNamed);
  const anyFastCnp = switches.some((settings) => settings?.fastCnp === true);
  return {
    switches,
    fastCnp: settleFastCnp(ofAll),
    hosts: settleHosts(hosts, fidelity, anyFastCnp),
    hostOverrides: settleHostOverrides(network, overrides, fidelity),
    markAt: ofAll.ecn?.markAt ?? 'dequeue',
  };
}

function networkOf({ topology }: ScenarioSpec): Network {
  const nodes = countNodes(topology);
  if (nodes > NODES_MAX) {
    refuseScenario(`a ${topology.kind} of this size has too many nodes`, nodes, `at most ${NODES_MAX}`, 'topology');
  }
  const network = buildNetwork(topology);
  if (network.hosts.length < 2) {
    refuseScenario('a network has too few hosts', network.hosts.length, 'at least 2', 'topology');
  }
  return network;
}

function algorithmsOf({ algorithms }: ScenarioSpec): ValidAlgorithm[] {
  const entries = Object.entries(algorithms ?? {});
  return entries.length === 0 ? [DEFAULT_ALGORITHM] : entries.map(([name, algorithm]) => ({ ...algorithm, name }));
}

/** Finds the number of a name. */
function finder(names: readonly string[], kind: string): (name: string, where: string) => number {
  const numbers = new Map(names.map((name, i) => [name, i]));
  return (name, where) =>
    numbers.get(name) ??
      refuseScenario(`there is no ${kind} ${name}`, name, `names of ${kind}s: ${listNames(names)}`, where);
}

function flowsOf(spec: ScenarioSpec, network: Network, algorithms: readonly ValidAlgorithm[],
  nodeNamed: (name: string, where: string) => number, seed: number): WorkloadFlow[] {
  const { workload } = spec;
  const isList = Array.isArray(workload);
  const workloads = (isList ? workload : [workload]) as readonly WorkloadSpec[];
  const places = workloads.map((_, i) => (isList ? `workload[${i}]` : 'workload'));
  workloads.forEach((one, i) => checkWorkload(one, places[i]));
  const hostNamed = (name: string, where: string): number => {
    const node = nodeNamed(name, where);
    if (network.nodes[node].kind === 'host') return node;
    return refuseScenario(`${name} is a switch`, name,
      `names of hosts: ${listNames(network.hosts.map((host) => network.nodes[host].name))}`, where);
  };
  const algorithmNamed = finder(algorithms.map(({ name }) => name), 'algorithm');
  return buildFlows(workloads, {
    hosts: network.hosts,
    hostRatesBps: hostRates(network),
    hostNamed,
    algorithmNamed,
    seed,
  }, places);
}

function hostRates({ nodes, links, hosts }: Network): number[] {
  const rates = nodes.map(() => 0);
  for (const { from, to, rateBps } of links) {
    rates[from] += rateBps;
    rates[to] += rateBps;
  }
  return hosts.map((host) => rates[host]);
}

function checkFault(fault: FaultSpec, network: Network, nodeNamed: (name: string, where: string) => number,
  where: string): void {
  const [a, b] = fault.between.map((name, i) => nodeNamed(name, `${where}.between[${i}]`));
  const linked = network.links.some(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  if (!linked) {
    refuseScenario(`no link between ${fault.between.join(' and ')}`, fault.between,
      'two nodes with a link between them', `${where}.between`);
  }
  if (fault.kind === 'link-down' && fault.toUs <= fault.fromUs) {
    refuseScenario(`the link between ${fault.between.join(' and ')} comes up before it goes down`, fault.toUs,
      `above fromUs, ${fault.fromUs}`, `${where}.toUs`);
  }
}

function endPs({ durationUs }: ScenarioSpec, flows: readonly WorkloadFlow[]): number {
  if (durationUs !== undefined) return Math.max(1, Math.round(durationUs * PS_PER_US));
  return flows.reduce((last, { startPs }) => Math.max(last, startPs), 0) + DEFAULT_DURATION_AFTER_LAST_START_PS;
}

function recordOf(spec: RecordSpec, flowCount: number): ValidRecord {
  const {
    intervalUs = null,
    maxSamples = DEFAULT_RECORD.maxSamples,
    ports = DEFAULT_RECORD.ports,
    flows = DEFAULT_RECORD.flows,
    capture = [],
  } = spec;
  return { intervalUs, maxSamples, ports, flows: flows === 'all' ? flowCount : Math.min(flows, flowCount), capture };
}
