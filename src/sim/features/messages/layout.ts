/** Layout of messages that share flow records. Messages that differ only in size and ports share a pattern. */
import type { FlowPlans } from '../../flow-plans.js';
import type { NetworkPlan } from '../../plan.js';

export interface MessageLayout {
  /** Number of shared records. */
  readonly records: number;
  /** Pattern of each message. */
  readonly patternOf: Uint32Array;
  /** First message of each pattern. */
  readonly firstOf: readonly number[];
}

/** Lays out the messages; undefined if each flow has its own record. */
export function layOutMessages({ flows, jobs = [], messageRecords, nodes }: NetworkPlan): MessageLayout | undefined {
  if (messageRecords === undefined || flows.length === 0) return undefined;
  const patternOf = new Uint32Array(flows.length);
  const firstOf: number[] = [];
  for (const { firstFlow, flows: count } of jobs) {
    // Patterns of each pair of hosts. There are few, as only the paths in both directions differ.
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

/** Whether two messages between the same hosts have the same pattern. */
function isAlike(flows: FlowPlans, a: number, b: number): boolean {
  return flows.sourcePort[a] === flows.sourcePort[b] && flows.responsePort[a] === flows.responsePort[b] &&
    flows.windowBytes[a] === flows.windowBytes[b] && flows.parameterSet[a] === flows.parameterSet[b] &&
    Object.is(flows.pathTimeoutPs[a], flows.pathTimeoutPs[b]);
}
