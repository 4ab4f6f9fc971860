/** A QP under an agent during an episode: its intervals, and the rate and window that the agent has set. */
import type { AgentControl, RawAgent, SimKernel } from '../sim/index.js';
import { checkAction, QP_ACTIONS, rejectAction } from './actions.js';
import type { Action } from './agent.js';
import type { QpInterval } from './observe-qp.js';

export class QpWatch {
  /** Of the port by which it sends. */
  readonly lineRateBps: number;
  readonly #kernel: SimKernel;
  readonly #control: AgentControl;
  readonly #flow: number;
  #last: RawAgent;
  #rateBps: number | null = null;
  #windowBytes: number | null = null;

  /** @param flow that leads the QP. */
  constructor(kernel: SimKernel, control: AgentControl, flow: number) {
    const { ports, flows } = kernel.plan;
    this.#kernel = kernel;
    this.#control = control;
    this.#flow = flow;
    this.#last = control.drain(flow);
    this.lineRateBps = ports[flows.sourcePort[flow]].rateBps;
  }

  get isDone(): boolean {
    return this.#last.done;
  }

  /** The interval that ends at this time. */
  next(timePs: number): QpInterval {
    // A picosecond earlier, as events due at the time itself have not been handled; it brings timers and window up to date.
    const rateBps = this.#kernel.rateBps(this.#flow, Math.max(0, timePs - 1));
    const before = this.#last;
    const now = this.#control.drain(this.#flow);
    this.#last = now;
    return { now, before, rateBps: now.running ? rateBps : 0 };
  }

  /** Checks an action. @throws RoceError `invalid-argument`. */
  check(action: Action, where: string): void {
    checkAction(action, QP_ACTIONS, this.lineRateBps, where);
    if (action.rateShare === undefined || action.rateBps === undefined) return;
    rejectAction({ problem: 'must not be set together with rateShare', where: `${where}.rateBps` });
  }

  /** Applies an action that was checked. */
  act({ rateShare, rateBps, windowBytes }: Action): void {
    if (rateBps !== undefined) this.#rateBps = rateBps;
    if (rateShare !== undefined) this.#rateBps = rateShare === null ? null : rateShare * this.lineRateBps;
    if (windowBytes !== undefined) this.#windowBytes = windowBytes;
    if (rateBps === undefined && rateShare === undefined && windowBytes === undefined) return;
    this.#control.act(this.#flow, { rateBps: this.#rateBps, windowBytes: this.#windowBytes });
  }
}
