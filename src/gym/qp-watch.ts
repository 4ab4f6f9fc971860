/** Tracks a QP during an episode: its intervals, and the rate and window set by its agent. */
import type { AgentControl, RawAgent, SimKernel } from '../sim/index.js';
import { checkAction, QP_ACTIONS, rejectAction } from './actions.js';
import type { Action } from './agent.js';
import type { QpInterval } from './observe-qp.js';

export class QpWatch {
  /** Rate of the port through which it sends. */
  readonly lineRateBps: number;
  readonly #kernel: SimKernel;
  readonly #control: AgentControl;
  readonly #flow: number;
  #last: RawAgent;
  #rateBps: number | null = null;
  #windowBytes: number | null = null;

  /** @param flow first flow of the QP. */
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

  /** Returns the interval that ends at this time. */
  next(timePs: number): QpInterval {
    // Read one picosecond earlier, because events due at `timePs` have not been handled; reading updates timers and
    // window.
    const rateBps = this.#kernel.rateBps(this.#flow, Math.max(0, timePs - 1));
    const before = this.#last;
    const now = this.#control.drain(this.#flow);
    this.#last = now;
    return { now, before, rateBps: now.running ? rateBps : 0 };
  }

  /** Validates an action. @throws RoceError `invalid-argument`. */
  check(action: Action, where: string): void {
    checkAction(action, QP_ACTIONS, this.lineRateBps, where);
    if (action.rateShare === undefined || action.rateBps === undefined) return;
    rejectAction({ problem: 'must not be set together with rateShare', where: `${where}.rateBps` });
  }

  /** Applies a validated action. */
  act({ rateShare, rateBps, windowBytes }: Action): void {
    if (rateBps !== undefined) this.#rateBps = rateBps;
    if (rateShare !== undefined) this.#rateBps = rateShare === null ? null : rateShare * this.lineRateBps;
    if (windowBytes !== undefined) this.#windowBytes = windowBytes;
    if (rateBps === undefined && rateShare === undefined && windowBytes === undefined) return;
    this.#control.act(this.#flow, { rateBps: this.#rateBps, windowBytes: this.#windowBytes });
  }
}
