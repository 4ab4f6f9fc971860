/**
 * Ring all-reduce: 2 (n - 1) steps, each host sending one chunk of size / n to the next; a host begins a step when it
 * has received the previous one (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", JPDC 2009).
 *
 * In step s host i sends chunk (i - s) mod n: n - 1 steps of reduce-scatter, n - 1 of all-gather. Each step is a separate
 * flow with separate congestion control, as if it were a new QP.
 */
import { rejectScenario } from '../scenario/scenario-error.js';
import type { RingAllReduceSpec } from '../scenario/spec.js';
import { firstHosts } from './all-to-all.js';
import { checkFlowCount, flowOf, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function* ringAllReduce(spec: RingAllReduceSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const { where } = context;
  const hosts = firstHosts(spec.hosts, context);
  const count = hosts.length;
  const steps = 2 * (count - 1);
  checkFlowCount(steps * count, `a ring of ${count} hosts`, `${where}.hosts`);
  if (spec.sizeBytes < count) {
    const hint = 'Each host sends at least one byte in each step';
    rejectScenario({ got: spec.sizeBytes, allowed: { min: count, unit: 'bytes' }, where: `${where}.sizeBytes`, hint });
  }
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < count; i++) {
      const chunk = (((i - step) % count) + count) % count;
      const flow = flowOf(context, hosts[i], hosts[(i + 1) % count], chunkBytes(spec.sizeBytes, count, chunk));
      yield step === 0 ? flow : { ...flow, after: context.firstFlow + (step - 1) * count + ((i + count - 1) % count) };
    }
  }
}

/** Size of a chunk. Chunks differ by at most one byte and add up to the whole. */
function chunkBytes(sizeBytes: number, count: number, chunk: number): number {
  const base = Math.floor(sizeBytes / count);
  return base + (chunk < sizeBytes - base * count ? 1 : 0);
}
