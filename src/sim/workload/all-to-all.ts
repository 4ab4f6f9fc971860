/**
 * All-to-all: each host sends to every other host, starting with its neighbour in the list, so that first receivers all differ.
 */
import { rejectScenario } from '../scenario/scenario-error.js';
import type { AllToAllSpec } from '../scenario/spec.js';
import { checkFlowCount, flowOf, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function* allToAll(spec: AllToAllSpec, context: WorkloadContext): Generator<WorkloadFlow> {
  const hosts = firstHosts(spec.hosts, context);
  const count = hosts.length;
  checkFlowCount(count * (count - 1), `${count} hosts, all to all`, `${context.where}.hosts`);
  for (let i = 0; i < count; i++) {
    for (let step = 1; step < count; step++) yield flowOf(context, hosts[i], hosts[(i + step) % count], spec.sizeBytes);
  }
}

/** The first `got` hosts; by default all. */
export function firstHosts(got: number | undefined, { hosts, where }: WorkloadContext): readonly number[] {
  if (got === undefined || got <= hosts.length) return hosts.slice(0, got);
  return rejectScenario({ what: 'the number of hosts', got, allowed: { max: hosts.length }, where: `${where}.hosts` });
}
