/**
 * Converts the kernel's records of operations to results of jobs.
 *
 * Collectives are timed as in NCCL's tests, from when the last member begins to when the last member is done:
 *
 *   algorithm bandwidth = size / time, where size is that of a rank's larger buffer; bus bandwidth = that times
 *   2 (n - 1) / n for all-reduce, (n - 1) / n for all-gather, reduce-scatter and all-to-all, 1 for broadcast and reduce
 *
 * Source: NVIDIA nccl-tests, doc/PERFORMANCE.md.
 */
import { OPERATION_CLAIMS, OPERATION_DONE, OPERATION_READY, OPERATION_WAITS } from '../../../abi/records/graph.js';
import { PS_PER_SECOND } from '../../../units.js';
import { forEachOperation } from '../../../workloads/graph/check-graph.js';
import { COMPUTE, LINK_TIME, RECEIVE, SEND, type WorkloadGraph,
  type GraphCollective } from '../../../workloads/graph/workload-graph.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { SimKernel } from '../../kernel/kernel.js';
import { failureOf } from '../../kernel/read-records.js';
import type { FlowResult, JobResult, SimResult, JobTimeline, CollectiveResult } from '../../result.js';
import { criticalPath, jobFacts, type NetworkFacts, type JobFacts } from './critical-path.js';
import type { RawJob } from './memory.js';
import type { JobPlan } from './plan.js';

/** Maximum number of unfinished operations that a result names. */
const NAMED_MAX = 16;
/** Maximum length of names of operations; longer ones are truncated. */
const NAME_MAX = 60;

/** Maximum collectives in a result; later ones are omitted. */
const COLLECTIVES_MAX = 4096;
/** Bus bandwidth by algorithm bandwidth, of n ranks. */
const FACTORS: Readonly<Record<string, (n: number) => number>> = {
  'all-reduce': (n) => (2 * (n - 1)) / n,
  'all-gather': (n) => (n - 1) / n,
  'reduce-scatter': (n) => (n - 1) / n,
  'all-to-all': (n) => (n - 1) / n,
  broadcast: () => 1,
  reduce: () => 1,
  // Same factor as all-gather and reduce-scatter: all data except the root's own part is transferred.
  gather: (n) => (n - 1) / n,
  scatter: (n) => (n - 1) / n,
};

type FailureOfFlow = (flow: number) => FlowResult['failure'];

/** The results of jobs; empty without jobs. */
export function jobResults(network: NetworkFacts, kernel: SimKernel, timeline: number): Pick<SimResult, 'jobs'> {
  const { jobs = [], nodes, flows } = network.plan;
  if (jobs.length === 0) return {};
  const ends: number[] = [];
  const messageSums = kernel.messageSums();
  const results = jobs.map((job, index) => {
    const startPs = job.startPs + (job.after < 0 ? 0 : (ends[job.after] ?? 0));
    const hosts = Array.from(job.hosts.subarray(0, job.graph.hostRanks), (host) => nodes[host].name);
    // Messages that share records never fail: they retry without limit.
    const failureOfFlow = (flow: number): FlowResult['failure'] =>
      messageSums === undefined ? failureOf(kernel.flow(flow)) : undefined;
    const raw = kernel.job(index);
    const facts = jobFacts(job, raw, startPs);
    const path = criticalPath(facts, network);
    const result: JobResult = {
      ...jobResult(job, raw, { startPs, hosts, flows, failureOfFlow }),
      iterationPs: iterationTimes(facts),
      collectives: collectiveResults(facts),
      ...(path === undefined ? {} : { criticalPath: path }),
      timeline: timelineOf(facts, timeline),
      ...(messageSums === undefined ? {} : { messageSums: messageSums[index] }),
    };
    ends.push(result.endPs ?? kernel.nowPs);
    return result;
  });
  return { jobs: results };
}

type SimpleResult = Omit<JobResult, 'iterationPs' | 'collectives' | 'criticalPath' | 'timeline'>;

interface JobContext {
  readonly startPs: number;
  readonly hosts: readonly string[];
  readonly flows: FlowPlans;
  readonly failureOfFlow: FailureOfFlow;
}

function jobResult(job: JobPlan, raw: RawJob, { startPs, hosts, flows, failureOfFlow }: JobContext): SimpleResult {
  const { graph, name } = job;
  const rankEndPs = byRank(graph, (from, to) => endOf(raw, from, to, startPs));
  const rankComputePs = byRank(graph, (from, to) => busyPs(graph, raw, from, to));
  const last = rankEndPs.reduce<number | null>(
    (most, end) => (most === null || end === null ? null : Math.max(most, end)),
    startPs,
  );
  return {
    name,
    ranks: graph.hostRanks,
    operations: graph.length,
    operationsDone: raw.state.reduce((sum, state) => sum + Number(state === OPERATION_DONE), 0),
    ...messages(job, flows),
    startPs,
    endPs: last,
    completionPs: last === null ? null : last - startPs,
    rankEndPs,
    rankComputePs,
    exposedCommunicationPs: rankEndPs.map((end, rank) => (end === null ? null : end - startPs - rankComputePs[rank])),
    straggler: last === null ? -1 : rankEndPs.indexOf(last),
    hosts,
    waiting: waiting(job, raw, failureOfFlow),
  };
}

/**
 * Duration of each iteration: from the slowest rank's end of the previous iteration to the slowest rank's end of this one;
 * null: not all ranks are done.
 */
function iterationTimes({ job: { graph }, raw, startPs }: JobFacts): (number | null)[] {
  const { iterations, firstOperation, hostRanks } = graph;
  const slowest: (number | null)[] = new Array<number | null>(iterations).fill(0);
  for (let rank = 0; rank < hostRanks; rank++) {
    const perIteration = (firstOperation[rank + 1] - firstOperation[rank]) / iterations;
    let beforePs = startPs;
    for (let iteration = 0; iteration < iterations; iteration++) {
      const first = firstOperation[rank] + iteration * perIteration;
      const endPs = endOf(raw, first, first + perIteration, beforePs);
      const known = slowest[iteration];
      slowest[iteration] = endPs === null || known === null ? null : Math.max(known, endPs - beforePs);
      beforePs = endPs ?? beforePs;
    }
  }
  return slowest;
}

function byRank<Made>({ firstOperation, hostRanks }: WorkloadGraph, make: (from: number, to: number) => Made): Made[] {
  return Array.from({ length: hostRanks }, (_, rank) => make(firstOperation[rank], firstOperation[rank + 1]));
}

/** Results of a job's messages that enter the network. */
function messages({ firstFlow, flows, endless }: JobPlan,
  { sizeBytes }: FlowPlans): Pick<JobResult, 'messages' | 'messageBytes'> {
  const own = sizeBytes.subarray(firstFlow, firstFlow + flows);
  const endlessBytes = endless.reduce((sum, flow) => sum + sizeBytes[flow], 0);
  return { messages: flows, messageBytes: own.reduce((sum, bytes) => sum + bytes, -endlessBytes) };
}

/** When the last operation of a range ended; null: not all are done. */
function endOf({ state, endPs }: RawJob, from: number, to: number, startPs: number): number | null {
  let last = startPs;
  for (let operation = from; operation < to; operation++) {
    if (state[operation] !== OPERATION_DONE) return null;
    last = Math.max(last, endPs[operation]);
  }
  return last;
}

/** Time in which at least one compute ran. Computes of several lanes may overlap. */
function busyPs({ operations: { kind, nic } }: WorkloadGraph, { state, startPs, endPs }: RawJob, from: number,
  to: number): number {
  const computes: number[] = [];
  for (let operation = from; operation < to; operation++) {
    const isCompute = kind[operation] === COMPUTE && nic[operation] !== LINK_TIME;
    if (isCompute && state[operation] === OPERATION_DONE) computes.push(operation);
  }
  computes.sort((a, b) => startPs[a] - startPs[b]);
  let [busy, until] = [0, 0];
  for (const operation of computes) {
    const begin = Math.max(until, startPs[operation]);
    if (endPs[operation] <= begin) continue;
    busy += endPs[operation] - begin;
    until = endPs[operation];
  }
  return busy;
}

/**
 * Unfinished operations and what each waits for. Those that wait for no other operation of the job come first. Messages without
 * an end that are being sent are not listed.
 */
function waiting(job: JobPlan, raw: RawJob, failureOfFlow: FailureOfFlow): string[] {
  const { graph } = job;
  const { state } = raw;
  const first: number[] = [];
  const others: number[] = [];
  for (let operation = 0; operation < graph.length && first.length < NAMED_MAX; operation++) {
    if (state[operation] === OPERATION_DONE) continue;
    const isEndless = graph.operations.amount[operation] === Infinity;
    if (state[operation] !== OPERATION_WAITS) first.push(...(isEndless ? [] : [operation]));
    else if (others.length < NAMED_MAX) others.push(operation);
  }
  return [...first, ...others].slice(0, NAMED_MAX).map((operation) => {
    const failure = failureOfOperation(job, operation, failureOfFlow);
    return `${graph.describe(operation)}: ${
      failure === undefined ? reasonOf(graph, raw, operation) : FAILURES[failure]
    }`;
  });
}

const FAILURES: Readonly<Record<NonNullable<FlowResult['failure']>, string>> = {
  'retry-exceeded': 'has sent its message, whose retries are exhausted (retry-exceeded)',
  'rnr-retry-exceeded': 'has sent its message, whose RNR retries are exhausted (rnr-retry-exceeded)',
  'remote-operation-error': 'has sent its message, whose receiver reported an error (remote-operation-error)',
};

/** Why an operation's flow has failed; undefined: it has not. A job's flows are its sends between different hosts, in order. */
function failureOfOperation({ graph, hosts, firstFlow }: JobPlan, operation: number,
  failureOfFlow: FailureOfFlow): FlowResult['failure'] {
  const { kind, peer } = graph.operations;
  let flow = firstFlow;
  let found = -1;
  forEachOperation(graph, (one, rank) => {
    if (kind[one] !== SEND || hosts[rank] === hosts[peer[one]]) return;
    if (one === operation) found = flow;
    flow++;
  });
  return found < 0 ? undefined : failureOfFlow(found);
}

function reasonOf(graph: WorkloadGraph, { state }: RawJob, operation: number): string {
  const kind = graph.operations.kind[operation];
  if (state[operation] === OPERATION_READY || state[operation] === OPERATION_CLAIMS) return 'waits for its lane';
  if (state[operation] !== OPERATION_WAITS) {
    if (kind === RECEIVE) return 'waits for its message';
    return kind === SEND ? 'has sent its message, which is not all acknowledged' : 'computes';
  }
  const awaited = awaitedBy(graph, state, operation);
  return awaited < 0 ? 'waits for its job to begin' : `waits for ${graph.describe(awaited)}`;
}

function awaitedBy({ edges: { firstEdge, edges }, length }: WorkloadGraph, state: Uint8Array,
  operation: number): number {
  for (let other = 0; other < length; other++) {
    if (state[other] === OPERATION_DONE) continue;
    for (let edge = firstEdge[other]; edge < firstEdge[other + 1]; edge++) {
      if (edges[edge] === operation) return other;
    }
  }
  return -1;
}

/** Operations of a job over time for charts, in columns; the first ones of each rank. @param most maximum number of operations. */
function timelineOf({ job: { graph }, raw }: JobFacts, most: number): JobTimeline {
  const perRank = Math.max(1, Math.floor(most / Math.max(1, graph.hostRanks)));
  const kept: number[] = [];
  for (let rank = 0; rank < graph.hostRanks && kept.length < most; rank++) {
    const [first, end] = [graph.firstOperation[rank], graph.firstOperation[rank + 1]];
    for (let operation = first; operation < Math.min(end, first + perRank); operation++) {
      if (raw.state[operation] === OPERATION_DONE) kept.push(operation);
    }
  }
  const placeOf = new Map(kept.map((operation, place) => [operation, place]));
  const { kind, lane, peer, amount } = graph.operations;
  return {
    operations: kept,
    rank: kept.map((operation) => graph.rankOf(operation)),
    kind: kept.map((operation) => kind[operation]),
    lane: kept.map((operation) => lane[operation]),
    startPs: kept.map((operation) => raw.startPs[operation]),
    endPs: kept.map((operation) => raw.endPs[operation]),
    peer: kept.map((operation) => peer[operation]),
    amount: kept.map((operation) => amount[operation]),
    cause: kept.map((operation) => placeOf.get(raw.cause[operation]) ?? -1),
    match: kept.map((operation) => placeOf.get(raw.match[operation]) ?? -1),
    names: kept.map((operation) => graph.nameOf(operation).slice(0, NAME_MAX)),
  };
}

function collectiveResults(facts: JobFacts): CollectiveResult[] {
  return facts.job.graph.collectives.slice(0, COLLECTIVES_MAX).map((one) => resultOf(one, facts));
}

function resultOf({ kind, name, members, sizeBytes, begins, from, lengths }: GraphCollective,
  { raw, startPs }: JobFacts): CollectiveResult {
  const { state, endPs } = raw;
  let [firstPs, lastPs, donePs, isDone] = [Infinity, startPs, startPs, true];
  for (let member = 0; member < members; member++) {
    const begin = begins[member];
    const beginPs = begin < 0 ? startPs : endPs[begin];
    if (begin >= 0 && state[begin] !== OPERATION_DONE) isDone = false;
    firstPs = Math.min(firstPs, beginPs);
    lastPs = Math.max(lastPs, beginPs);
    for (let operation = from[member]; operation < from[member] + lengths[member]; operation++) {
      if (state[operation] !== OPERATION_DONE) isDone = false;
      donePs = Math.max(donePs, endPs[operation]);
    }
  }
  const common = { kind, name, ranks: members, sizeBytes };
  if (!isDone)
    return { ...common, firstBeginPs: null, lastBeginPs: null, endPs: null, algorithmBps: null, busBps: null };
  const factor = FACTORS[kind]?.(members);
  const algorithmBps = donePs > lastPs && factor !== undefined ?
    (8 * sizeBytes * PS_PER_SECOND) / (donePs - lastPs) :
    null;
  const busBps = algorithmBps === null || factor === undefined ? null : algorithmBps * factor;
  return { ...common, firstBeginPs: firstPs, lastBeginPs: lastPs, endPs: donePs, algorithmBps, busBps };
}
