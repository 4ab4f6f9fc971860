/**
 * Lanes for operations that need none, where a format gives each operation one: those that take no time of a lane (sends, receives, computes of
 * 0) share the lane behind those that are used, which nothing holds; each compute that takes time gets a separate one.
 */
import { COMPUTE, NO_LANE, type WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';

const LANE_MAX = 255;

export class LaneChooser {
  readonly #graph: WorkloadGraph;
  /** Nothing holds it. */
  readonly #free: number;
  #next: number;

  /** Of a rank's operations from `from` to before `to`. */
  constructor(graph: WorkloadGraph, from: number, to: number) {
    const { lane } = graph.operations;
    this.#graph = graph;
    let highest = -1;
    for (let operation = from; operation < to; operation++) {
      if (lane[operation] !== NO_LANE) highest = Math.max(highest, lane[operation]);
    }
    this.#free = highest + 1;
    this.#next = this.#free + 1;
  }

  /** @throws RoceError `invalid-workload`, `BAD_LANE`, where there are too few. */
  laneOf(operation: number): number {
    const { lane, kind, amount } = this.#graph.operations;
    if (lane[operation] !== NO_LANE) return lane[operation];
    const chosen = kind[operation] === COMPUTE && amount[operation] > 0 ? this.#next++ : this.#free;
    if (chosen <= LANE_MAX) return chosen;
    return rejectWorkload('BAD_LANE', {
      what: this.#graph.describe(operation),
      problem: `is one of more than ${LANE_MAX} that compute at their own time, and lanes go to ${LANE_MAX}`,
      where: this.#graph.source,
    });
  }
}
