/**
 * Assigns the flows of a workload to QPs: one QP per flow, or one or several per pair of hosts.
 *
 * Source: NCCL's documentation, NCCL_IB_QPS_PER_CONNECTION (default 1: one QP per channel and peer, kept for the communicator's life).
 */
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ConnectionsSpec } from '../scenario/spec.js';
import type { WorkloadFlow } from './workload-flow.js';

/** QPs of flows that differ only in size and start. */
interface Group {
  readonly example: WorkloadFlow;
  /** First flow of each QP. */
  readonly leaders: number[];
  readonly bytes: number[];
  flows: number;
}

export class QpAssignment {
  readonly #perPair: number;
  readonly #bySize: boolean;
  readonly #groups = new Map<number, Group[]>();

  /** @param rule the workload's setting `connections`. */
  constructor(rule: ConnectionsSpec) {
    this.#perPair = rule === 'per-message' ? 0 : rule === 'per-pair' ? 1 : rule.perPair;
    this.#bySize = typeof rule === 'object' && rule.choose === 'fewest-bytes';
  }

  /** The first flow of a flow's QP, which is the flow itself if its QP is new. @param index index of the flow; call in order. */
  leaderOf(flow: WorkloadFlow, index: number): number {
    if (this.#perPair === 0 || flow.endless === true) return index;
    const group = this.#groupOf(flow);
    const place = this.#placeIn(group);
    group.flows++;
    group.leaders[place] ??= index;
    group.bytes[place] += flow.sizeBytes;
    return group.leaders[place];
  }

  #placeIn({ flows, bytes }: Group): number {
    return this.#bySize ? bytes.indexOf(Math.min(...bytes)) : flows % this.#perPair;
  }

  #groupOf(flow: WorkloadFlow): Group {
    const pair = flow.source * 65_536 + flow.destination;
    const known = this.#groups.get(pair) ?? [];
    const found = known.find(({ example }) => isAlike(example, flow));
    if (found !== undefined) return found;
    const made: Group = { example: flow, leaders: [], bytes: Array.from({ length: this.#perPair }, () => 0), flows: 0 };
    this.#groups.set(pair, [...known, made]);
    return made;
  }
}

/** Whether two flows between the same hosts can be messages of one QP. */
export function isAlike(a: WorkloadFlow, b: WorkloadFlow): boolean {
  return a.algorithm === b.algorithm && a.trafficClass === b.trafficClass && a.sourcePort === b.sourcePort &&
    a.destinationPort === b.destinationPort && a.transport === b.transport;
}

/* QPs that flows of a list refer to by name. */

export class NamedQps {
  readonly #where: string;
  readonly #firsts = new Map<string, { readonly index: number; readonly flow: WorkloadFlow }>();

  /** @param where path of the list in the scenario, for messages. */
  constructor(where: string) {
    this.#where = where;
  }

  /**
   * The first flow that names the same QP. @param index index of the flow.
   * @throws RoceError `invalid-scenario` if the two can't be messages of one QP.
   */
  leaderOf(flow: WorkloadFlow, index: number): number {
    const name = flow.qp ?? '';
    const first = this.#firsts.get(name);
    if (first === undefined) {
      this.#firsts.set(name, { index, flow });
      return index;
    }
    const { source, destination } = first.flow;
    if (source === flow.source && destination === flow.destination && isAlike(first.flow, flow)) return first.index;
    return rejectScenario({
      what: `the QP ${name}`,
      problem: 'has flows that differ in hosts, ports, class, algorithm or transport',
      got: { flows: [first.index, index] },
      where: this.#where,
      hint: 'All messages of a QP have those of its first flow',
    });
  }
}
