/**
 * Assigns lanes to operations that need none, for a format in which each operation has one. Operations that take no
 * time on a lane (sends, receives, computes of 0) share the lane after the used ones, which nothing occupies; each
 * compute that takes time gets a separate one.
 */
import { COMPUTE, NO_LANE, type WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';

const LANE_MAX = 255;

export class LaneChooser {
  readonly #graph: WorkloadGraph;
  /** The shared lane that nothing occupies. */
  readonly #free: number;
  #next: number;

  /** For a rank's operations from `from` up to, not including, `to`. */
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

  /** @throws RoceError `invalid-workload`, `BAD_LANE`, if there are too few lanes. */
  laneOf(operation: number): number {
    const { lane, kind, amount } = this.#graph.operations;
    if (lane[operation] !== NO_LANE) return lane[operation];
    const chosen = kind[operation] === COMPUTE && amount[operation] > 0 ? this.#next++ : this.#free;
    if (chosen <= LANE_MAX) return chosen;
    return rejectWorkload('BAD_LANE', {
      what: this.#graph.describe(operation),
      problem: `needs a separate lane, but the highest lane is ${LANE_MAX}`,
      where: this.#graph.source,
    });
  }
}
