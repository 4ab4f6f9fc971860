/** Finds faults before a run: messages that meet no receive, receives that wait for ever, cycles. */
import { checkCycles } from './check-cycles.js';
import { checkMatching, matchingOf } from './check-matching.js';
import type { WorkloadGraph } from './workload-graph.js';

/**
 * Checks that a graph can come to its end, as far as that is known before it runs.
 *
 * @param cycle the fault about a cycle.
 * @throws RoceError `invalid-workload`: `UNMATCHED_SEND`, `UNMATCHED_RECV` or `CYCLE`, naming the operations.
 */
export function checkGraph(graph: WorkloadGraph, cycle: 'CYCLE' | 'STUCK' = 'CYCLE'): WorkloadGraph {
  const matching = matchingOf(graph);
  checkMatching(graph, matching);
  checkCycles(graph, matching, cycle);
  return graph;
}
