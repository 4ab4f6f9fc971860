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
