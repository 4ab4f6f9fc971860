/** Creates the agents of an episode, and tracks their QPs and ports: intervals, and the settings made by agents. */
import { RoceError } from '../errors.js';
import type { AgentControl, CompiledScenario, SimKernel, RawAgent, MarkingAction, PortAt } from '../sim/index.js';
import { checkAction, SWITCH_ACTIONS, QP_ACTIONS, rejectAction, type ActiveAgent, type AgentKind, type Action,
  readerOf } from './agent.js';
import { HOST_OBSERVATIONS, QP_OBSERVATIONS, SWITCH_OBSERVATIONS, type PortInterval,
  type QpInterval } from './observe.js';

/** A kernel before its first event, and the controls for its agents. */
export interface Opened {
  readonly compiled: CompiledScenario;
  readonly kernel: SimKernel;
  readonly control: AgentControl;
}

const readQp = readerOf(QP_OBSERVATIONS);
const readHost = readerOf(HOST_OBSERVATIONS);
const readSwitch = readerOf(SWITCH_OBSERVATIONS);

/** @throws RoceError `invalid-scenario` if the scenario has no agents of this kind. */
export function activeAgents(kind: AgentKind, opened: Opened): readonly ActiveAgent[] {
  const agents = { qps: qpAgents, hosts: hostAgents, switches: switchAgents }[kind](opened);
  if (agents.length > 0) return agents;
  const problem = { qps: 'has no QP', hosts: 'has no host that sends', switches: 'has no switch that marks packets' };
  throw new RoceError('invalid-scenario', { what: 'the scenario', problem: problem[kind], where: 'agents' });
}

function qpAgents({ compiled: { plan, algorithmNames, flowAlgorithms }, kernel, control }: Opened): ActiveAgent[] {
  return leadersOf(kernel).map((flow) => {
    const watch = new QpWatch(kernel, control, flow);
    return {
      agent: {
        name: `qp${flow}`,
        kind: 'qp',
        from: plan.nodes[plan.flows.source[flow]].name,
        to: plan.nodes[plan.flows.destination[flow]].name,
        algorithm: algorithmNames[flowAlgorithms[flow]],
        lineRateBps: watch.lineRateBps,
      },
      observe: (timePs) => readQp(watch.next(timePs)),
      prepare: (action, where) => {
        watch.check(action, where);
        return () => {
          watch.act(action);
        };
      },
      isDone: () => watch.isDone,
    };
  });
}

/** One agent per host that sends, in node order. */
function hostAgents({ kernel, control }: Opened): ActiveAgent[] {
  const { nodes, flows } = kernel.plan;
  const leaders = leadersOf(kernel);
  const senders = [...new Set(leaders.map((flow) => flows.source[flow]))].sort((a, b) => a - b);
  return senders.map((node) => {
    const own = leaders.filter((flow) => flows.source[flow] === node);
    const qps = own.map((flow) => new QpWatch(kernel, control, flow));
    const ports = portsOf({ kernel, control }, node);
    return {
      agent: {
        name: nodes[node].name,
        kind: 'host',
        lineRateBps: qps.reduce((least, { lineRateBps }) => Math.min(least, lineRateBps), Infinity),
        qps: qps.length,
      },
      observe: (timePs) =>
        readHost({
          qps: qps.map((qp) => qp.next(timePs)),
          ports: ports.map((port) => port.next(timePs)),
        }),
      prepare: (action, where) => {
        for (const qp of qps) qp.check(action, where);
        return () => {
          for (const qp of qps) qp.act(action);
        };
      },
      isDone: () => qps.every(({ isDone }) => isDone),
    };
  });
}

function switchAgents({ compiled: { portNames }, kernel, control }: Opened): ActiveAgent[] {
  const { nodes } = kernel.plan;
  return nodes.flatMap(({ kind, name, firstPort, portCount }, node) => {
    const ports = kind === 'switch' ? portsOf({ kernel, control }, node) : [];
    const marking = ports.filter(({ marks }) => marks);
    if (marking.length === 0) return [];
    return [{
      agent: { name, kind: 'switch', ports: portNames.slice(firstPort, firstPort + portCount) },
      observe: (timePs) =>
        readSwitch({
          ports: ports.map((port) => port.next(timePs)),
          bufferBytes: control.bufferBytes(node),
          marking: marking[0].marking,
        }),
      prepare: (action, where) => {
        checkAction(action, SWITCH_ACTIONS, 0, where);
        const changes = marking.map((port) => ({ port, to: port.changed(action, where) }));
        return () => {
          for (const { port, to } of changes) port.mark(to);
        };
      },
      isDone: () => false,
    }];
  });
}

/** The first flow of each QP. @throws RoceError `invalid-scenario` if messages share records. */
function leadersOf({ plan }: SimKernel): number[] {
  if (plan.messageRecords !== undefined) {
    const problem = 'has too many messages for an agent of each QP: they share records';
    const hint = "Fewer messages, or agents: 'switches'";
    throw new RoceError('invalid-scenario', { what: 'the scenario', problem, where: 'agents', hint });
  }
  const leaderOf = plan.connections?.leaderOf;
  return Array.from({ length: plan.flows.length }, (_, flow) => flow)
    .filter((flow) => leaderOf === undefined || leaderOf[flow] < 0 || leaderOf[flow] === flow);
}

function portsOf({ kernel, control }: Pick<Opened, 'kernel' | 'control'>, node: number): PortWatch[] {
  const { firstPort, portCount } = kernel.plan.nodes[node];
  return Array.from({ length: portCount }, (_, place) => new PortWatch(kernel, control, firstPort + place));
}

/** Tracks a QP: its intervals, and the rate and window set by its agent. */
class QpWatch {
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

/** Tracks a port: its intervals, and the thresholds set by an agent. */
const THRESHOLDS = ['kminBytes', 'kmaxBytes', 'pmax'] as const;

class PortWatch {
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
