/**
 * All-to-all: each host sends to each other one, first to its neighbour in the list, so that no receiver is everyone's
 * first.
 */
import { refuseScenario } from '../scenario/scenario-error.js';
import type { AllToAllSpec } from '../scenario/spec.js';
import { checkFlowCount, flowOf, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function allToAll(spec: AllToAllSpec, context: WorkloadContext): WorkloadFlow[] {
  const hosts = firstHosts(spec.hosts, context);
  const count = hosts.length;
  checkFlowCount(count * (count - 1), `${count} hosts, all to all`, `${context.where}.hosts`);
  return hosts.flatMap((host, i) =>
    hosts.slice(1).map((_, step) => flowOf(context, host, hosts[(i + step + 1) % count], spec.sizeBytes))
  );
}

/** The first so many hosts; all of them where nothing is said. */
export function firstHosts(got: number | undefined, { hosts, where }: WorkloadContext): readonly number[] {
  if (got === undefined || got <= hosts.length) return hosts.slice(0, got);
  return refuseScenario({ what: 'the number of hosts', got, allowed: { max: hosts.length }, where: `${where}.hosts` });
}
