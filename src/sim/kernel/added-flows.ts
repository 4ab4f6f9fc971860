/** Flows that join a kernel while it runs: the plan has `reservedPerHost`, and flows are written when they are added. */
import { SIM_NONE } from '../../abi/sim-codes.js';
import { SIM_STARTS } from '../../abi/sim-regions.js';
import type { NetworkPlan } from '../plan.js';
import { openAdded } from './set-up.js';
import type { SimAbi } from './sim-abi.js';
import { writeAddedFlow } from './write-plan.js';

export class AddedFlows {
  readonly #abi: SimAbi;
  readonly #plan: NetworkPlan;

  constructor(abi: SimAbi, plan: NetworkPlan) {
    this.#abi = abi;
    this.#plan = plan;
  }

  /** Opens the QP of the next flow of the plan. Must be called in index order, as flow i has QP i. */
  open(flow: number): void {
    openAdded(this.#abi, this.#plan, flow);
  }

  /** Adds flows to the run. @param order flows in order of their starts, none before the present. */
  start(order: readonly number[]): void {
    const view = new DataView(this.#abi.memory.buffer);
    const at = (this.#abi.simRegion(SIM_STARTS) >>> 0) + 4;
    const present = view.getUint32(at - 4, true);
    order.forEach((flow, place) => {
      writeAddedFlow(this.#abi, this.#plan, flow);
      view.setUint32(at + (present + place) * 4, flow, true);
    });
    this.#abi.simAddStarts(order.length);
  }

  /** The flow that completed last since the previous call; undefined: none. */
  takeDone(): number | undefined {
    const flow = this.#abi.simTakeDone() >>> 0;
    return flow === SIM_NONE ? undefined : flow;
  }
}
