/**
 * Validates and completes a scenario: schema, then names, then conditions that involve the network.
 *
 * Nothing is clamped or ignored: each error names the setting.
 */
import { requirePlainJson } from '../../config/json-limits.js';
import { PS_PER_US } from '../../units.js';
import { type JobPlan, serialPs } from '../features/jobs/plan.js';
import { buildNetwork, countMeshLinks, countNodes } from '../topology/build-network.js';
import type { Network } from '../topology/network.js';
import { buildFlows, type SharedContext } from '../workload/build-flows.js';
import type { WorkloadFlows } from '../workload/workload-flows.js';
import { PRESET_SETS } from '../compile/parameter-sets.js';
import { asSettings } from './setting-words.js';
import { checkBalancing } from '../features/balancing/schema.js';
import { checkWorkload } from '../workload/patterns.js';
import { checkAlgorithms, withCustom, withSourceHashes, type Substitutes, graphFinder,
  type ScenarioFiles } from './scenario-files.js';
import { checkPoints, ScenarioPoints } from '../features/points/compile.js';
import { requireUnits, withTransports, requireTransports } from '../features/transports/check.js';
import { DEFAULT_ALGORITHM, DEFAULT_CONNECTIONS, DEFAULT_DURATION_AFTER_LAST_START_PS, DEFAULT_END, DEFAULT_FIDELITY,
  DEFAULT_MARK_AT, DEFAULT_MRC, DEFAULT_RECORD, DEFAULT_SEED, DEFAULT_STRICT_CLASSES,
  QUEUE_SAMPLES_MAX } from './defaults.js';
import { rejectIssue, requireFidelity, requireStandard } from './schema-checks.js';
import { withNetworkPreset } from './network-presets.js';
import { nodeFinders, type NodeFinders, nameFinder, indexByName, rejectScenario } from './scenario-error.js';
import { checkFaults, withLinksDown } from '../features/hazards/schema.js';
import { requireLossy } from '../features/reference-lossy/compile.js';
import { requireVerbs } from '../features/verbs/compile.js';
import { NODES_MAX, TIME_MAX_US } from './schema-parts.js';
import { LINKS_MAX } from './schema-topology.js';
import { SPEC_SCHEMA } from './schema.js';
import { resolveChanges } from '../features/changes.js';
import { resolveDiscovery } from '../features/discovery/settings.js';
import { resolveBalancing, resolveFastCnp, resolveHostOverrides, resolveHosts, resolvePaths, resolvePools,
  resolveSwitches, resolveTrimming } from './resolve-settings.js';
import { resolveUet } from '../features/reference-uet/schema.js';
import { resolveWan } from '../features/wan/schema.js';
import type { ConnectionsSpec, Fidelity, HostSpec, PathSelection, QueueHistogramSpec, RecordSpec, ScenarioSpec,
  WorkloadSpec } from './spec.js';
import type { ValidAlgorithm, ValidRecord, ValidScenario } from './valid-scenario.js';

/**
 * Zod option, for internal use, that ends validation at the first issue. Only one is reported, and a list of millions of
 * invalid items has tens of millions.
 */
const FIRST_ISSUE = { abortEarly: true } as Parameters<typeof SPEC_SCHEMA.safeParse>[1];

/**
 * Validates the keys and values of data read from JSON. Names, and numbers that depend on each other, are validated when the
 * scenario is run.
 *
 * @throws RoceError `invalid-scenario`, naming the flow, node, link or key, the value and the allowed values.
 */
export function parseScenario(given: unknown): ScenarioSpec {
  requirePlainJson(given, 'invalid-scenario', '');
  const checked = SPEC_SCHEMA.safeParse(given, FIRST_ISSUE);
  return checked.success ? checked.data : rejectIssue(given, checked.error.issues);
}

/**
 * Validates a scenario, as read from JSON, and fills in all defaults.
 *
 * @param files graphs that jobs of the scenario name.
 * @throws RoceError `invalid-scenario` for the first error, naming the flow, node, link or key, the value and the allowed
 * values.
 * @example
 * const valid = validateScenario({
 *   name: 'incast', topology: { kind: 'star', hosts: 17 }, workload: { kind: 'incast', senders: 16, sizeBytes: 1e6 },
 * });
 */
export function validateScenario(given: unknown, files: ScenarioFiles = {}): ValidScenario {
  const stated = parseScenario(given);
  const fidelity = stated.fidelity ?? DEFAULT_FIDELITY;
  requireFidelity(stated, fidelity);
  const spec = withNetworkPreset(withTransports(stated));
  const graphOf = graphFinder(files);
  const seed = spec.seed ?? DEFAULT_SEED;
  const network = networkOf(spec);
  const named = nodeFinders(network.nodes);
  const substitutes = checkAlgorithms(files, 'options');
  const algorithms = algorithmsOf(spec, files, substitutes);
  checkPoints(files, 'options');
  const points = new ScenarioPoints(spec, files, substitutes.point, fidelity);
  const jobs: JobPlan[] = [];
  const flows = flowsOf(spec, network, algorithms, named, {
    seed,
    jobs: { graphOf, all: jobs },
    connectionsOfJobs: connectionsOfJobs(fidelity),
  });
  requireLossy(spec, fidelity);
  requireStandard(spec, fidelity);
  requireTransports(spec, fidelity);
  requireUnits({ ...DEFAULT_MRC, ...spec.hosts?.mrc });
  requireVerbs(spec, fidelity);
  checkBalancing(spec, fidelity);
  checkFaults(spec.faults ?? [], { fidelity, flows: flows.length, network, named });
  return {
    spec: points.withSourceHashes(withSourceHashes(stated, algorithms)),
    name: spec.name,
    description: spec.description ?? '',
    fidelity,
    seed,
    endsWithJobs: endsWithJobs(spec, jobs),
    endPs: endPs(spec, flows, jobs, network),
    network,
    flows,
    jobs,
    algorithms,
    ...settingsOf(spec, network, { fidelity, hasMessagesAlone: hasMessagesAlone(flows, jobs), points }, named),
    discovery: resolveDiscovery(spec, network.wan !== undefined, named),
    wan: resolveWan(spec, network, fidelity, named),
    uet: fidelity === 'reference-uet' ? resolveUet(spec, flows) : null,
    faults: withLinksDown(spec.faults ?? [], network),
    changes: resolveChanges(stated, algorithms, (changed) => {
      const { switches, overrides = [], ...others } = withNetworkPreset(withTransports(parseScenario(changed)));
      requireUnits({ ...DEFAULT_MRC, ...others.hosts?.mrc });
      return {
        switches: resolveSwitches(network, switches ?? {}, overrides, {
          named,
          pathSelection: selectionOf(others.hosts),
        }),
        algorithms: algorithmsOf(others, files, substitutes),
      };
    }),
    record: recordOf(spec.record ?? {}, flows.length),
  };
}

/** Settings of switches and hosts. */
function settingsOf({ switches: ofAll = {}, hosts = {}, overrides = [] }: ScenarioSpec, network: Network,
  { fidelity, hasMessagesAlone, points }: {
    readonly fidelity: Fidelity;
    readonly hasMessagesAlone: boolean;
    readonly points: ScenarioPoints;
  }, named: NodeFinders
): Pick<
  ValidScenario,
  'switches' | 'points' | 'fastCnp' | 'hosts' | 'hostOverrides' | 'markAt' | 'strictClasses' | 'paths' | 'balancing'
    | 'pools' | 'trimming'
> {
  const switches = resolveSwitches(network, ofAll, overrides, {
    named,
    pathSelection: selectionOf(hosts),
  });
  const anyFastCnp = points.isAnyNamed || switches.some((settings) => settings?.fastCnp === true);
  return {
    switches,
    points: switches.map((settings) => settings && points.of(settings.congestionPoint)),
    fastCnp: resolveFastCnp(ofAll),
    hosts: resolveHosts(hosts, { fidelity, anyFastCnp, hasMessagesAlone }),
    hostOverrides: resolveHostOverrides(network, overrides, fidelity),
    markAt: asSettings(ofAll.ecn)?.markAt ?? DEFAULT_MARK_AT,
    strictClasses: ofAll.strictClasses ?? DEFAULT_STRICT_CLASSES,
    paths: resolvePaths(ofAll),
    balancing: resolveBalancing(ofAll),
    pools: resolvePools(ofAll),
    trimming: resolveTrimming(ofAll),
  };
}

const selectionOf = ({ pathSelection = 'flow' }: HostSpec = {}): PathSelection => pathSelection;

function networkOf({ topology }: ScenarioSpec): Network {
  const where = 'topology';
  const got = countNodes(topology);
  if (got > NODES_MAX) {
    const key = topology.kind === 'star' ? '.hosts' : '';
    rejectScenario({
      what: `the number of nodes of a ${topology.kind}`,
      got,
      allowed: { max: NODES_MAX },
      where: `${where}${key}`,
    });
  }
  checkLinks(topology);
  const network = buildNetwork(topology);
  const hosts = network.hosts.length;
  if (hosts < 2) rejectScenario({ what: 'the number of hosts', got: hosts, allowed: { min: 2 }, where });
  return network;
}

function checkLinks(topology: ScenarioSpec['topology']): void {
  const got = countMeshLinks(topology);
  if (got <= LINKS_MAX) return;
  const what = 'the number of links between leaves and spines';
  rejectScenario({ what, got, allowed: { max: LINKS_MAX }, where: 'topology.spines' });
}

function algorithmsOf({ algorithms }: ScenarioSpec, files: ScenarioFiles, checked: Substitutes): ValidAlgorithm[] {
  const { name: defaultName, ...byDefault } = DEFAULT_ALGORITHM;
  const entries = Object.entries(algorithms ?? {});
  const all = entries.length === 0 ? [[defaultName, byDefault] as const] : entries;
  return all.map(([name, algorithm]) =>
    withCustom(name, algorithm, { ...files, checked }, Object.keys(PRESET_SETS), files.withoutFiles)
  );
}

function flowsOf(spec: ScenarioSpec, network: Network, algorithms: readonly ValidAlgorithm[], named: NodeFinders,
  own: Pick<SharedContext, 'seed' | 'jobs' | 'connectionsOfJobs'>): WorkloadFlows {
  const { workload } = spec;
  const isList = Array.isArray(workload);
  const workloads = (isList ? workload : [workload]) as readonly WorkloadSpec[];
  const places = workloads.map((_, i) => (isList ? `workload[${i}]` : 'workload'));
  workloads.forEach((one, i) => checkWorkload(one, places[i]));
  return buildFlows(workloads, {
    hosts: network.hosts,
    leafOf: leavesOf(network),
    hostRatesBps: hostRates(network),
    durationPs: spec.durationUs === undefined ? undefined : durationPs(spec.durationUs),
    hostNamed: named.host,
    algorithmNamed: nameFinder(indexByName(algorithms.map(({ name }) => name)), 'an algorithm'),
    ...own,
  }, places);
}

/** How jobs assign QPs by default. The reference simulators open a QP for each message. */
function connectionsOfJobs(fidelity: Fidelity): ConnectionsSpec {
  return fidelity === 'standard' ? DEFAULT_CONNECTIONS.ofJobs : DEFAULT_CONNECTIONS.ofOthers;
}

function hostRates({ nodes, links, hosts }: Network): number[] {
  const rates = nodes.map(() => 0);
  for (const { from, to, rateBps } of links) {
    rates[from] += rateBps;
    rates[to] += rateBps;
  }
  return hosts.map((host) => rates[host]);
}

function leavesOf({ nodes, links, hosts, planes }: Network): number[] {
  const leaves = nodes.map(() => -1);
  // An adapter's link to its host comes first, then the links to its leaves.
  for (const { from, to } of links) {
    if (leaves[from] < 0 || planes?.isAdapter[from] === true) leaves[from] = to;
    if (leaves[to] < 0) leaves[to] = from;
  }
  return hosts.map((host) => (planes === undefined ? leaves[host] : leaves[leaves[host]]));
}

/** Whether all flows are messages of jobs, each with its own QP. Other flows, and QPs that stay open, would be delayed. */
function hasMessagesAlone(flows: WorkloadFlows, jobs: readonly JobPlan[]): boolean {
  return jobs.length > 0 && jobs.reduce((sum, job) => sum + job.flows, 0) === flows.length && !flows.areQpsShared;
}

function endsWithJobs({ end = DEFAULT_END }: ScenarioSpec, jobs: readonly JobPlan[]): boolean {
  if (end === 'all' || jobs.length > 0) return end === 'jobs';
  return rejectScenario({ what: 'end', problem: 'needs jobs, and there are none', got: end, where: 'end' });
}

function endPs({ durationUs }: ScenarioSpec, flows: WorkloadFlows, jobs: readonly JobPlan[], network: Network): number {
  if (durationUs !== undefined) return durationPs(durationUs);
  const lastPs = flows.lastStartPs + DEFAULT_DURATION_AFTER_LAST_START_PS;
  return jobs.length === 0 ? lastPs : Math.min(TIME_MAX_US * PS_PER_US, lastPs + serialPs(jobs, network));
}

function durationPs(durationUs: number): number {
  return Math.max(1, Math.round(durationUs * PS_PER_US));
}

function recordOf(spec: RecordSpec, flowCount: number): ValidRecord {
  const {
    intervalUs = null,
    maxSamples = DEFAULT_RECORD.maxSamples,
    ports = DEFAULT_RECORD.ports,
    flows = DEFAULT_RECORD.flows,
    operations = DEFAULT_RECORD.operations,
    messages = DEFAULT_RECORD.messages,
    messageRecords = DEFAULT_RECORD.messageRecords,
    capture = [],
    pauses = DEFAULT_RECORD.pauses,
    queueHistogram,
    victims = null,
  } = spec;
  return {
    intervalUs,
    maxSamples,
    ports,
    flows: messages === 'sums' ? 0 : flows === 'all' ? flowCount : Math.min(flows, flowCount),
    operations,
    messages,
    messageRecords,
    capture,
    pauses,
    queueHistogram: queueHistogram === undefined ? null : histogramOf(queueHistogram),
    victims,
  };
}

function histogramOf(
  { fromUs, toUs, everyUs = DEFAULT_RECORD.queueEveryUs }: QueueHistogramSpec,
): Required<QueueHistogramSpec> {
  const where = 'record.queueHistogram';
  if (toUs < fromUs) {
    rejectScenario({
      what: 'the end of the polls',
      got: toUs,
      allowed: { min: fromUs, unit: 'us' },
      where: `${where}.toUs`,
    });
  }
  const polls = Math.floor((toUs - fromUs) / everyUs) + 1;
  if (polls <= QUEUE_SAMPLES_MAX) return { fromUs, toUs, everyUs };
  return rejectScenario({ what: 'the number of polls', got: polls, allowed: { max: QUEUE_SAMPLES_MAX }, where });
}
