/**
 * Messages without an end, as connections of htsim can be. They are so large that they can't complete before the run ends, even
 * at the line rate of their host.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../unit-sizes.js';
import type { WorkloadGraph } from '../../workloads/graph/workload-graph.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { WorkloadContext } from './workload-flow.js';

export class EndlessSizes {
  readonly #context: WorkloadContext;
  readonly #ratesBps = new Map<number, number>();

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  /**
   * Size of a message that a host sends without an end.
   *
   * @throws RoceError `invalid-scenario` if the scenario does not state when the run ends.
   */
  bytes(graph: WorkloadGraph, operation: number, host: number): number {
    const { durationPs, hosts, hostRatesBps } = this.#context;
    if (durationPs === undefined) return rejectEndless(graph, operation);
    if (this.#ratesBps.size === 0) hosts.forEach((one, index) => this.#ratesBps.set(one, hostRatesBps[index]));
    const rateBps = this.#ratesBps.get(host) ?? 0;
    const bytes = Math.floor((rateBps / BITS_PER_BYTE) * (durationPs / PS_PER_SECOND)) + 1;
    return Math.min(bytes, Number.MAX_SAFE_INTEGER);
  }
}

function rejectEndless(graph: WorkloadGraph, operation: number): never {
  return rejectScenario({
    what: graph.describe(operation),
    problem: 'has no end, and the run has none',
    where: graph.source,
    hint: 'Give durationUs of the scenario, or --until 10ms',
  });
}
