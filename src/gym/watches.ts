/** Tracks a QP during an episode: its intervals, and the rate and window set by its agent. */
import type { AgentControl, RawAgent, SimKernel, MarkingAction, PortAt } from '../sim/index.js';
import { checkAction, QP_ACTIONS, rejectAction } from './actions.js';
import type { Action } from './agent.js';
import type { PortInterval, QpInterval } from './observe.js';

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

/* Tracks a port during an episode: its intervals, and the thresholds set by an agent. */

const THRESHOLDS = ['kminBytes', 'kmaxBytes', 'pmax'] as const;

export class PortWatch {
  /** Whether the port marks packets. */
  readonly marks: boolean;
  readonly #control: AgentControl;
  readonly #port: number;
  readonly #rateBps: number;
  /** Thresholds of the scenario. */
  readonly #ownMarking: MarkingAction;
  #last: PortAt;
  #lastPs = 0;

  constructor(kernel: SimKernel, control: AgentControl, port: number) {
    const { ecn, rateBps } = kernel.plan.ports[port];
    this.marks = ecn;
    this.#control = control;
    this.#port = port;
    this.#rateBps = rateBps;
    this.#ownMarking = control.marking(port);
    this.#last = control.port(port, 0);
  }

  /** Thresholds currently in effect. */
  get marking(): MarkingAction {
    return this.#control.marking(this.#port);
  }

  /** Returns the interval that ends at this time. */
  next(timePs: number): PortInterval {
    const [before, intervalPs] = [this.#last, timePs - this.#lastPs];
    const now = this.#control.port(this.#port, timePs);
    this.#last = now;
    this.#lastPs = timePs;
    return { now, before, rateBps: this.#rateBps, intervalPs };
  }

  /** Applies an action's changes to the thresholds. @throws RoceError `invalid-argument` if Kmin would exceed Kmax. */
  changed(action: Action, where: string): MarkingAction {
    const marking = { ...this.marking };
    for (const name of THRESHOLDS) {
      const given = action[name];
      if (given !== undefined) marking[name] = given ?? this.#ownMarking[name];
    }
    const { kminBytes, kmaxBytes } = marking;
    if (kminBytes <= kmaxBytes) return marking;
    const where_ = `${where}.${action.kminBytes === undefined ? 'kmaxBytes' : 'kminBytes'}`;
    return rejectAction({
      what: 'Kmin',
      problem: 'must not exceed Kmax',
      got: { kminBytes, kmaxBytes },
      where: where_,
    });
  }

  mark(marking: MarkingAction): void {
    this.#control.mark(this.#port, marking);
  }
}
