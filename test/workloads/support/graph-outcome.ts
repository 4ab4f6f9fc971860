/** The parts of a graph that a run depends on. */
import type { WorkloadGraph } from '../../../src/workloads/index.js';
import type { Outcome } from './format-walk.js';
import { textsOf } from '../../support/note-texts.js';

export function outcomeOfGraph(graph: WorkloadGraph): Outcome {
  const { operations: { kind, lane, nic, peer, tag, amount }, edges, firstOperation, hostRanks, failures } = graph;
  const columns = { kind, lane, nic, peer, tag, amount };
  return {
    effect: { columns, edges, firstOperation, hostRanks, failures, collectives: graph.collectives },
    notes: textsOf(graph.notes),
  };
}
