/** All-to-all: each host sends to each other one, first to its neighbour in the list, so that no receiver is everyone's first. */
import { refuseScenario } from '../scenario/scenario-error.js';
import type { AllToAllSpec } from '../scenario/spec.js';
import { flowOf, FLOWS_MAX, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function allToAll(spec: AllToAllSpec, context: WorkloadContext): WorkloadFlow[] {
  const hosts = firstHosts(spec.hosts, context);
  const count = hosts.length;
  if (count * (count - 1) > FLOWS_MAX) {
    refuseScenario(`all-to-all of ${count} hosts has too many flows`, count * (count - 1), `at most ${FLOWS_MAX}`,
      `${context.where}.hosts`);
  }
  return hosts.flatMap((host, i) =>
    hosts.slice(1).map((_, step) => flowOf(context, host, hosts[(i + step + 1) % count], spec.sizeBytes))
  );
}

/** The first so many hosts; all of them where nothing is said. */
export function firstHosts(count: number | undefined, { hosts, where }: WorkloadContext): readonly number[] {
  if (count === undefined) return hosts;
  if (count > hosts.length) {
    refuseScenario('a workload wants more hosts than there are', count, `at most ${hosts.length}`, `${where}.hosts`);
  }
  return hosts.slice(0, count);
}
