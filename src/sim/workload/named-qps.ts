/** QPs that flows of a list refer to by name. */
import { rejectScenario } from '../scenario/scenario-error.js';
import { isAlike } from './qp-assignment.js';
import type { WorkloadFlow } from './workload-flow.js';

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
