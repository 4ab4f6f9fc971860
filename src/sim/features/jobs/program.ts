/** Validates programs of ranks and converts them to graphs. */
import { BPS_PER_GBPS, PS_PER_NS, PS_PER_US } from '../../../units.js';
import { ALGORITHMS_OF, CHUNKED, defaultAlgorithm, messagesOf, OF_POWERS,
  type CollectiveAlgorithm } from '../../../workloads/collectives/algorithms.js';
import { collectiveGraph, type CollectiveRun } from '../../../workloads/collectives/collective-graph.js';
import { MOST_OPERATIONS } from '../../../workloads/graph/workload-graph.js';
import { programGraph, type ProgramStep } from '../../../workloads/program-graph.js';
import { DEFAULT_COLLECTIVE, DEFAULT_RANKS_PER_HOST, DEFAULT_SERVERS } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { CollectiveStepSpec, ProgramSpec, StepSpec, CollectiveSpec } from '../../scenario/spec.js';
import { type WorkloadContext, type WorkloadFlow, checkFlowCount } from '../../workload/workload-flows.js';
import { jobFlows, repeated } from './job.js';

/** The flows of a program. */
export function* program(spec: ProgramSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { where } = context;
  const {
    hosts,
    ranks = (hosts?.length ?? context.hosts.length) * (spec.ranksPerHost ?? DEFAULT_RANKS_PER_HOST),
    steps,
  } = spec;
  if (ranks < 2)
    rejectScenario({ what: 'the number of ranks', got: ranks, allowed: { min: 2 }, where: `${where}.ranks` });
  const places = new Map<string, number>();
  const checked = steps.map((step, place) => {
    const made = checkedStep(step, ranks, places, `${where}.steps[${place}]`);
    if (step.name !== undefined) places.set(step.name, place);
    return made;
  });
  requireRoom(checked, ranks, where);
  const name = spec.name ?? `program ${context.jobs.all.length}`;
  yield* jobFlows(spec, repeated(spec, programGraph(checked, ranks, name), where), context, name);
}

function checkedStep(step: StepSpec, ranks: number, places: ReadonlyMap<string, number>, where: string): ProgramStep {
  const { name = '' } = step;
  if (places.has(name)) {
    rejectScenario({
      what: 'the name of the step',
      problem: 'is already in use',
      got: name,
      where: `${where}.name`,
    });
  }
  const after = step.after?.map((one, place) => placeOf(one, places, `${where}.after[${place}]`));
  if (step.kind === 'collective') return collectiveStep(step, ranks, { name, after }, where);
  if (step.kind === 'compute') {
    const own = step.ranks;
    if (own !== undefined) requireRanks(own, ranks, `${where}.ranks`);
    return { kind: 'compute', name, after, durationPs: Math.round(step.us * PS_PER_US), ranks: own };
  }
  const { from, to, sizeBytes } = step;
  requireRanks([from], ranks, `${where}.from`);
  requireRanks([to], ranks, `${where}.to`);
  if (from === to)
    rejectScenario({ what: 'the message', problem: 'goes from a rank to itself', got: to, where: `${where}.to` });
  return { kind: 'message', name, after, from, to, sizeBytes };
}

function collectiveStep(step: CollectiveStepSpec, ranks: number, common: Pick<ProgramStep, 'name' | 'after'>,
  where: string): ProgramStep {
  const { collective, chunks = DEFAULT_COLLECTIVE.chunks, groups } = step;
  const sizes = new Set(groups?.map((group) => group.length) ?? [ranks]);
  if (groups !== undefined) requireRanks(groups.flat(), ranks, `${where}.groups`);
  if (sizes.size > 1) {
    rejectScenario({ what: 'the groups', problem: 'are not of one size', got: [...sizes], where: `${where}.groups` });
  }
  const [n] = [...sizes];
  const by = algorithmOf(step, n, where);
  if (by === 'hierarchical')
    rejectScenario({ what: 'by of a step', got: by, allowed: 'one without servers', where: `${where}.by` });
  const sizeBytes = sizeOf(step, where) * (collective === 'all-gather' ? n : 1);
  return { ...common, kind: 'collective', collective, by, sizeBytes, chunks, groups };
}

function placeOf(name: string, places: ReadonlyMap<string, number>, where: string): number {
  const place = places.get(name);
  if (place !== undefined) return place;
  return rejectScenario({
    what: 'the step',
    got: name,
    allowed: [...places.keys()],
    where,
    hint: 'Only steps before it',
  });
}

/** Requires that ranks exist and that none is listed twice. */
function requireRanks(own: readonly number[], ranks: number, where: string): void {
  const wrong = own.find((rank) => rank >= ranks);
  if (wrong !== undefined) rejectScenario({ what: 'the rank', got: wrong, allowed: { below: ranks }, where });
  if (new Set(own).size < own.length) rejectScenario({ what: 'a rank', problem: 'is listed twice', got: own, where });
}

/** Rejects programs that are too large, by an upper bound, before the graph is built. */
function requireRoom(steps: readonly ProgramStep[], ranks: number, where: string): void {
  const operations = steps.reduce((sum, step) => {
    if (step.kind !== 'collective') return sum + (step.kind === 'compute' ? (step.ranks?.length ?? ranks) : 2);
    const n = step.groups?.[0]?.length ?? ranks;
    return sum + 2 * ranks + 2 * (step.groups?.length ?? 1) * mostMessages(step.by, n, step.chunks);
  }, 0);
  if (operations <= 2 * MOST_OPERATIONS) return;
  rejectScenario({ what: 'the number of operations', got: operations, allowed: { max: MOST_OPERATIONS }, where });
}

/* Validates collectives among hosts and converts them to graphs of messages. */

/** The flows of a collective. */
export function* collective(spec: CollectiveSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { where } = context;
  const n = spec.ranks ?? spec.hosts?.length ?? context.hosts.length;
  if (n < 2) rejectScenario({ what: 'the number of hosts', got: n, allowed: { min: 2 }, where: `${where}.hosts` });
  const algorithm = algorithmOf(spec, n, where);
  const { chunks, repeat, servers } = { ...DEFAULT_COLLECTIVE, ...spec };
  const sizeBytes = sizeOf(spec, where) * (spec.collective === 'all-gather' ? n : 1);
  checkFlowCount(mostMessages(algorithm, n, chunks) * repeat, `a collective of ${n} ranks`, where);
  const list = messagesOf(spec.collective, algorithm, { n, sizeBytes, chunks, perServer: servers?.ranks ?? 1 });
  const operations = (2 * list.length + n) * repeat;
  if (operations > MOST_OPERATIONS) {
    rejectScenario({ what: 'the number of operations', got: operations, allowed: { max: MOST_OPERATIONS }, where });
  }
  const name = spec.name ?? `${spec.collective} ${context.jobs.all.length}`;
  const graph = collectiveGraph(list, { name, kind: spec.collective, sizeBytes, ranks: n, repeat, ...timesOf(spec) });
  yield* jobFlows(spec, graph, context, name);
}

function timesOf(
  { computeUs = DEFAULT_COLLECTIVE.computeUs, servers }: CollectiveSpec,
): Pick<CollectiveRun, 'computePs' | 'localBps' | 'localLatencyPs'> {
  const { rateGbps, latencyNs } = { ...DEFAULT_SERVERS, ...servers };
  return {
    computePs: Math.round(computeUs * PS_PER_US),
    localBps: rateGbps * BPS_PER_GBPS,
    localLatencyPs: Math.round(latencyNs * PS_PER_NS),
  };
}

/** Settings of a collective. */
export type CollectiveHow = Pick<CollectiveSpec, 'collective' | 'by' | 'sizeBytes' | 'chunks' | 'servers'>;

/** Upper bound on the number of messages, computed before the graph is built. */
export function mostMessages(algorithm: CollectiveAlgorithm, n: number, chunks: number): number {
  if (algorithm === 'chain') return n * chunks;
  if (algorithm === 'double-tree') return 4 * n * chunks;
  if (algorithm === 'ring' || algorithm === 'two-rings') return 2 * n * n * chunks;
  return algorithm === 'direct' || algorithm === 'pairwise' || algorithm === 'hierarchical' ?
    n * n :
    2 * n * Math.log2(n);
}

/** The validated algorithm of a collective. */
export function algorithmOf({ collective: kind, by, chunks = DEFAULT_COLLECTIVE.chunks, servers }: CollectiveHow,
  n: number, where: string): CollectiveAlgorithm {
  const allowed = Object.keys(ALGORITHMS_OF[kind]);
  const algorithm = by ?? defaultAlgorithm(kind);
  if (!allowed.includes(algorithm)) rejectScenario({ what: `by of ${kind}`, got: by, allowed, where: `${where}.by` });
  if (OF_POWERS.includes(algorithm) && !Number.isInteger(Math.log2(n))) {
    const hint = 'For other numbers use ring or tree';
    rejectScenario({ what: `the number of ranks of ${algorithm}`, got: n, allowed: 'a power of two', where, hint });
  }
  if (chunks > 1 && !CHUNKED.includes(algorithm)) {
    rejectScenario({ what: `chunks of ${algorithm}`, got: chunks, allowed: [1], where: `${where}.chunks` });
  }
  const perServer = servers?.ranks;
  const isHierarchical = algorithm === 'hierarchical';
  if (isHierarchical !== (perServer !== undefined)) {
    const problem = isHierarchical ? 'needs servers' : 'does not use servers';
    rejectScenario({ what: algorithm, problem, got: { servers: servers ?? 'none' }, where: `${where}.servers` });
  }
  if (perServer !== undefined && n % perServer !== 0) {
    const what = 'the number of ranks per server';
    rejectScenario({ what, got: perServer, allowed: `a divisor of ${n}`, where: `${where}.servers.ranks` });
  }
  return algorithm;
}

/** The validated size of a collective. */
export function sizeOf({ collective: kind, sizeBytes }: CollectiveHow, where: string): number {
  if ((kind === 'barrier') === (sizeBytes === undefined)) return sizeBytes ?? 1;
  const allowed = kind === 'barrier' ? [undefined] : { min: 1, multipleOf: 1, unit: 'bytes' };
  return rejectScenario({ what: `sizeBytes of ${kind}`, got: sizeBytes, allowed, where: `${where}.sizeBytes` });
}
