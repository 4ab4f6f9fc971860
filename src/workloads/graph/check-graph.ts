/** Finds faults before a run: messages without a receive, receives without a message, cycles. */
import { checkCycles } from './check-cycles.js';
import { checkMatching, matchingOf } from './check-matching.js';
import type { WorkloadGraph } from './workload-graph.js';

/**
 * Checks that a graph can complete, as far as that is known before a run.
 *
 * @param cycle fault to report for a cycle.
 * @throws RoceError `invalid-workload`: `UNMATCHED_SEND`, `UNMATCHED_RECV` or `CYCLE`, naming the operations.
 */
export function checkGraph(graph: WorkloadGraph, cycle: 'CYCLE' | 'STUCK' = 'CYCLE'): WorkloadGraph {
  const matching = matchingOf(graph);
  checkMatching(graph, matching);
  checkCycles(graph, matching, cycle);
  return graph;
}
