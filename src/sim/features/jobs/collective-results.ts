/**
 * Collectives of a job, timed as in NCCL's tests: from when the last member begins to when the last member is done.
 *
 *   algorithm bandwidth = size / time, where size is that of a rank's larger buffer; bus bandwidth = that times
 *   2 (n - 1) / n for all-reduce, (n - 1) / n for all-gather, reduce-scatter and all-to-all, 1 for broadcast and reduce
 *
 * Source: NVIDIA nccl-tests, doc/PERFORMANCE.md.
 */
import { OPERATION_DONE } from '../../../abi/records/graph.js';
import { PS_PER_SECOND } from '../../../unit-sizes.js';
import type { GraphCollective } from '../../../workloads/graph/workload-graph.js';
import type { RawJob } from './read.js';
import type { CollectiveResult } from '../../result.js';
import type { JobFacts } from './facts.js';

/** Maximum collectives in a result; later ones are omitted. */
const KEPT = 4096;
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

export function collectiveResults(facts: JobFacts): CollectiveResult[] {
  return facts.job.graph.collectives.slice(0, KEPT).map((one) => resultOf(one, facts));
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

/**
 * Duration of each iteration: from the slowest rank's end of the previous iteration to the slowest rank's end of this one;
 * null: not all ranks are done.
 */
export function iterationTimes({ job: { graph }, raw, startPs }: JobFacts): (number | null)[] {
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

/** When the last operation of a range ended; null: not all are done. */
function endOf({ state, endPs }: RawJob, from: number, to: number, leastPs: number): number | null {
  let lastPs = leastPs;
  for (let operation = from; operation < to; operation++) {
    if (state[operation] !== OPERATION_DONE) return null;
    lastPs = Math.max(lastPs, endPs[operation]);
  }
  return lastPs;
}
