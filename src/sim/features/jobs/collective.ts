/** Validates collectives among hosts and turns them into graphs of messages. */
import { BPS_PER_GBPS, PS_PER_NS, PS_PER_US } from '../../../unit-sizes.js';
import { ALGORITHMS_OF, CHUNKED, defaultAlgorithm, messagesOf, OF_POWERS,
  type CollectiveAlgorithm } from '../../../workloads/collectives/algorithms.js';
import { collectiveGraph, type CollectiveRun } from '../../../workloads/collectives/collective-graph.js';
import { MOST_OPERATIONS } from '../../../workloads/graph/workload-graph.js';
import { DEFAULT_COLLECTIVE, DEFAULT_SERVERS } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { CollectiveSpec } from '../../scenario/spec.js';
import { jobFlows } from './job.js';
import { checkFlowCount, type WorkloadContext, type WorkloadFlow } from '../../workload/workload-flow.js';

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
