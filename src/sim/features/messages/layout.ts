/** Messages that share the records of flows: those that differ only in size and ports have the same pattern. */
import type { FlowPlans } from '../../flow-plans.js';
import type { NetworkPlan } from '../../plan.js';

export interface MessageLayout {
  /** Records that they share. */
  readonly records: number;
  /** By message: its pattern. */
  readonly patternOf: Uint32Array;
  /** By pattern: the first message that has it. */
  readonly firstOf: readonly number[];
}

/** undefined: each flow has its own record. */
export function layOutMessages({ flows, jobs = [], messageRecords, nodes }: NetworkPlan): MessageLayout | undefined {
  if (messageRecords === undefined || flows.length === 0) return undefined;
  const patternOf = new Uint32Array(flows.length);
  const firstOf: number[] = [];
  for (const { firstFlow, flows: count } of jobs) {
    // Patterns of a pair of hosts; there are few, as they differ only by the paths in both directions.
    const known = new Map<number, number[]>();
    for (let message = firstFlow; message < firstFlow + count; message++) {
      const pair = flows.source[message] * nodes.length + flows.destination[message];
      const candidates = known.get(pair) ?? [];
      let pattern = candidates.find((one) => isAlike(flows, firstOf[one], message));
      if (pattern === undefined) {
        pattern = firstOf.push(message) - 1;
        known.set(pair, [...candidates, pattern]);
      }
      patternOf[message] = pattern;
    }
  }
  return { records: Math.min(messageRecords, flows.length), patternOf, firstOf };
}

/** Two messages of one pair of hosts. */
function isAlike(flows: FlowPlans, a: number, b: number): boolean {
  return flows.sourcePort[a] === flows.sourcePort[b] && flows.responsePort[a] === flows.responsePort[b] &&
    flows.windowBytes[a] === flows.windowBytes[b] && flows.parameterSet[a] === flows.parameterSet[b] &&
    Object.is(flows.pathTimeoutPs[a], flows.pathTimeoutPs[b]);
}
