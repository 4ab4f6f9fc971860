/** Tracks a port during an episode: its intervals, and the thresholds set by an agent. */
import type { AgentControl, MarkingAction, PortAt, SimKernel } from '../sim/index.js';
import { rejectAction } from './actions.js';
import type { Action } from './agent.js';
import type { PortInterval } from './observe-port.js';

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
