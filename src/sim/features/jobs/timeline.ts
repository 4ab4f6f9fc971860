/** Operations of a job over time for charts, in columns and limited to the first ones of each rank. */
import { OPERATION_DONE } from '../../../abi/records/graph.js';
import type { JobTimeline } from '../../result.js';
import type { JobFacts } from './facts.js';

/** Maximum length of names; longer ones are truncated. */
const NAME_MAX = 60;

/** The timeline of a job. @param most maximum number of operations. */
export function timelineOf({ job: { graph }, raw }: JobFacts, most: number): JobTimeline {
  const perRank = Math.max(1, Math.floor(most / Math.max(1, graph.hostRanks)));
  const kept: number[] = [];
  for (let rank = 0; rank < graph.hostRanks && kept.length < most; rank++) {
    const [first, end] = [graph.firstOperation[rank], graph.firstOperation[rank + 1]];
    for (let operation = first; operation < Math.min(end, first + perRank); operation++) {
      if (raw.state[operation] === OPERATION_DONE) kept.push(operation);
    }
  }
  const placeOf = new Map(kept.map((operation, place) => [operation, place]));
  const { kind, lane, peer, amount } = graph.operations;
  return {
    operations: kept,
    rank: kept.map((operation) => graph.rankOf(operation)),
    kind: kept.map((operation) => kind[operation]),
    lane: kept.map((operation) => lane[operation]),
    startPs: kept.map((operation) => raw.startPs[operation]),
    endPs: kept.map((operation) => raw.endPs[operation]),
    peer: kept.map((operation) => peer[operation]),
    amount: kept.map((operation) => amount[operation]),
    cause: kept.map((operation) => placeOf.get(raw.cause[operation]) ?? -1),
    match: kept.map((operation) => placeOf.get(raw.match[operation]) ?? -1),
    names: kept.map((operation) => graph.nameOf(operation).slice(0, NAME_MAX)),
  };
}
