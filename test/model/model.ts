/**
 * A packet network in plain TypeScript: the model against which the kernel is checked.
 *
 * Role: builds hosts, switches and ports of a plan from the parts of its fidelity (`parts.ts`), starts the flows, runs
 * to the end and collects the results. It follows its sources section by section and is not optimised for speed.
 *
 *   reference         docs/specs/reference.md       no losses on links, no link events
 *   standard          docs/reference/fidelity.md, docs/guides/scenarios.md     all of it
 *   reference-lossy   docs/specs/reference-lossy.md     all of it
 *
 * Known deviations: HPCC-PINT switches round by other random numbers and compute in doubles, so their runs agree with
 * the reference only on average.
 */
import type { LossyPlan } from '../../src/sim/features/reference-lossy/plan.js';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import type { ChangePlan, NetworkPlan } from '../../src/sim/plan.js';
import { isRead } from '../../src/sim/features/verbs/compile.js';
import type { RawTrimming } from '../../src/sim/features/trimming.js';
import { TxTimes } from '../../src/sim/compile/paths.js';
import { pick } from './pick.js';
import type { PortResult, Totals } from '../../src/sim/result.js';
import { CongestionPointRandom } from '../../src/reference/cp/random.js';
import { Counters, type FlowCounts } from './counters.js';
import { LinkRerouting } from './rerouting.js';
import { EventQueue } from '../../src/sim/event-queue.js';
import { Host } from './host.js';
import { lossyParts } from './lossy/parts.js';
import type { Network, World } from './network.js';
import type { ModelListener, Packet } from './packet.js';
import type { ModelHazards, ModelWan, Parts } from './parts.js';
import { LinkEnd } from './port.js';
import { referenceParts } from './reference/parts.js';
import { requireModelled } from './reference/require-modelled.js';
import { standardParts } from './standard/parts.js';
import type { StepListener } from './steps.js';
import { Streams } from './streams.js';
import { Switch } from './switch.js';

export interface ModelOptions {
  readonly onEvent?: ModelListener;
  readonly onStep?: StepListener;
}

/** Additional results of a message on a QP with several. */
export interface ModelMessage {
  /** The time when its first packet left (-1: not yet), the QP's rate then, and whether the QP restarted with it. */
  readonly beganPs: number;
  readonly beganRateBps: number;
  readonly restarted: boolean;
}

export interface ModelFlow extends FlowCounts {
  /** Undefined: the flow has its own QP. */
  readonly message: ModelMessage | undefined;
  /** The time from start to last ACK in picoseconds; null: unfinished. */
  readonly completionPs: number | null;
  /** Whether its retries are exhausted. */
  readonly failed: boolean;
}

const NS_PS = 1000;

const PORT_COUNTERS = [
  'txPackets',
  'txBytes',
  'maxClassQueueBytes',
  'marks',
  'drops',
  'fastCnps',
  'pausesSent',
  'pausesReceived',
  'pausedPs',
] as const;

export type ModelPort = Pick<PortResult, (typeof PORT_COUNTERS)[number]>;

export interface ModelResult {
  readonly ended: 'all-flows-done' | 'time' | 'stuck' | 'deadlock';
  readonly simulatedPs: number;
  readonly events: number;
  readonly packetHops: number;
  readonly flows: readonly ModelFlow[];
  readonly ports: readonly ModelPort[];
  readonly totals: Totals;
  /** The counters of tunnels and ARNs; undefined: the plan has none. */
  readonly wan?: ModelWan | undefined;
  /** The counters of packet trimming by port; empty: the plan has none. */
  readonly trimming: readonly RawTrimming[];
  /** The counters of PFC hazards; undefined: the plan has none. */
  readonly hazards: ModelHazards | undefined;
}

/**
 * Runs a plan until no event is left, or until its end.
 *
 * @throws RoceError `invalid-scenario` for what the model does not cover.
 */
export function modelNetwork(plan: NetworkPlan, options: ModelOptions = {}): ModelResult {
  if (plan.fidelity === 'reference') requireModelled(plan);
  return new Model(plan, options).run();
}

function partsOf(world: World): Parts {
  const { fidelity } = world.plan;
  if (fidelity === 'standard') return standardParts(world);
  return fidelity === 'reference' ? referenceParts(world) : lossyParts(world);
}

class Model {
  readonly #network: Network;
  readonly #hosts = new Map<number, Host>();
  readonly #devices: readonly (Host | Switch)[];
  readonly #ports: readonly LinkEnd[];
  readonly #rerouting: LinkRerouting;
  readonly #completionsPs: (number | null)[];
  readonly #failed = new Set<number>();

  constructor(given: NetworkPlan, { onEvent, onStep }: ModelOptions) {
    // Thresholds and parameters may change during the run.
    const plan = { ...given, ports: given.ports.map((port) => ({ ...port })), parameterSets: [...given.parameterSets] };
    const ports: LinkEnd[] = [];
    this.#completionsPs = Array.from(plan.flows, () => null);
    const world: World = {
      plan,
      changed: {},
      discarding: new Map(),
      ports,
      events: new EventQueue(),
      txTimes: new TxTimes(plan.rules.txTime),
      count: new Counters(plan.flows.length),
      streams: new Streams(plan),
      listener: onEvent,
      onStep,
      random: new CongestionPointRandom(plan.seed),
    };
    this.#rerouting = new LinkRerouting(world, ports, (host, packet) => {
      this.#hosts.get(host)?.sendEndpoint(packet);
    });
    this.#network = {
      ...world,
      parts: partsOf(world),
      rerouting: this.#rerouting,
      withoutUsid: new Set(),
      forgetReceiver: (flow) => {
        this.#forgetReceiver(flow);
      },
    };
    this.#ports = ports;
    this.#devices = plan.nodes.map(({ kind },
      node) => (kind === 'host' ? this.#makeHost(node) : new Switch(this.#network, node))
    );
    plan.ports.forEach(({ node }, index) => {
      ports.push(new LinkEnd(this.#network, index, this.#devices[node]));
    });
  }

  run(): ModelResult {
    const { plan, events } = this.#network;
    plan.flows.after.forEach((after, index) => {
      if (after < 0) this.#startAt(plan.flows.startPs[index], index);
    });
    this.#expectChanges();
    this.#network.parts.hazards?.begin();
    if (plan.lossy !== undefined) this.#checkForEnd(plan.lossy);
    for (const change of plan.changes ?? []) {
      if (change.timePs >= plan.endPs || events.runUntil(change.timePs - 1, () => this.#isOver())) break;
      this.#change(change);
    }
    // Events at the end time itself do not run, as in the kernel; times are whole picoseconds.
    const drained = events.runUntil(plan.endPs - 1, () => this.#isOver());
    return this.#collect(drained || events.stopped ? events.nowPs : plan.endPs, drained);
  }

  /** Schedules changes of links, their losses, uSID tables and denied entropies. */
  #expectChanges(): void {
    const { plan, events } = this.#network;
    for (const { timePs, target, isDenied } of plan.balancing?.selection?.states?.denials ?? []) {
      const change = (): void => this.#network.parts.setDenied?.(target, isDenied);
      if (timePs === 0) change();
      else events.schedule(timePs, change);
    }
    this.#expectWithdrawals();
    this.#expectDiscards();
    for (const { timePs, port, up } of plan.linkEvents) {
      events.schedule(timePs, () => {
        this.#rerouting.change(this.#ports[port], up);
      });
    }
    for (const { timePs, port } of plan.linkNotices ?? []) {
      events.schedule(timePs, () => {
        this.#rerouting.notice(this.#ports[port]);
      });
    }
    for (const { timePs, port, ...losses } of plan.lossEvents ?? []) {
      events.schedule(timePs, () => {
        Object.assign(plan.ports[port], losses);
      });
    }
  }

  #expectWithdrawals(): void {
    const { plan, events, withoutUsid } = this.#network;
    for (const { timePs, port, isWithdrawn } of plan.balancing?.usids?.events ?? []) {
      const change = (): void => void withoutUsid[isWithdrawn ? 'add' : 'delete'](port);
      if (timePs === 0) change();
      else events.schedule(timePs, change);
    }
  }

  #expectDiscards(): void {
    const { plan, events, discarding } = this.#network;
    for (const { timePs, node, reason } of plan.transports?.mrc?.discards ?? []) {
      events.schedule(timePs, () => {
        if (reason === null) discarding.delete(node);
        else discarding.set(node, reason);
      });
    }
  }

  #change({ timePs, marking, receiverRangePackets, windowPenalty, parameterSets }: ChangePlan): void {
    const { plan, parts, changed } = this.#network;
    if (receiverRangePackets !== undefined) changed.receiverRangePackets = receiverRangePackets;
    if (windowPenalty !== undefined) changed.windowPenalty = windowPenalty;
    marking?.forEach((thresholds, port) => {
      Object.assign(plan.ports[port], thresholds);
    });
    if (parameterSets === undefined) return;
    (plan.parameterSets as AlgorithmParameters[]).splice(0, parameterSets.length, ...parameterSets);
    parts.changeParameters?.(timePs);
  }

  #makeHost(node: number): Host {
    const host = new Host(this.#network, node, {
      onCompleted: (flow, completionPs) => {
        this.#completionsPs[flow] = completionPs;
        this.#stopResponder(flow);
      },
      onFailed: (flow) => {
        this.#failed.add(flow);
        this.#stopResponder(flow);
      },
      isOver: (flow) => this.#completionsPs[flow] !== null || this.#failed.has(flow),
      onDelivered: (flow) => {
        this.#startFollowers(flow);
      },
    });
    this.#hosts.set(node, host);
    return host;
  }

  /** Starts a flow after all other events of that instant, as the reference uses additional events for it. */
  #startAt(timePs: number, index: number, stepsBefore = this.#network.parts.startSteps): void {
    const { events } = this.#network;
    events.schedule(timePs, () => {
      if (stepsBefore > 0) this.#startAt(timePs, index, stepsBefore - 1);
      else this.#startFlow(index);
    });
  }

  /** Starts a flow at its sender; a READ at its requester. */
  #startFlow(index: number): void {
    const { plan } = this.#network;
    const { source, destination } = plan.flows.get(index);
    if (isRead(plan, index)) this.#hosts.get(destination)?.requestFlow(index);
    else this.#hosts.get(source)?.startFlow(index);
  }

  #stopResponder(flow: number): void {
    const { plan } = this.#network;
    if (isRead(plan, flow)) this.#hosts.get(plan.flows.get(flow).source)?.stopResponding(flow);
  }

  #isOver(): boolean {
    const { parts, count } = this.#network;
    const areOver = this.#completionsPs.every((completionPs, flow) => completionPs !== null || this.#failed.has(flow));
    return parts.endsWhenEmpty && count.underWay === 0 && areOver;
  }

  /** Ends the run 1 ns after the first poll that finds all flows complete. */
  #checkForEnd({ checkFromPs, checkEveryPs }: LossyPlan): void {
    const { events } = this.#network;
    const look = (): void => {
      if (this.#completionsPs.includes(null)) events.schedule(events.nowPs + checkEveryPs, look);
      else events.schedule(events.nowPs + NS_PS, () => {
          events.stop();
        });
    };
    events.schedule(checkFromPs, look);
  }

  #forgetReceiver(flow: number): void {
    const { plan, parts } = this.#network;
    if (parts.forgetsReceivers) this.#hosts.get(plan.flows.get(flow).destination)?.forget(flow);
  }

  #startFollowers(flow: number): void {
    const { plan, parts, events } = this.#network;
    plan.flows.after.forEach((after, index) => {
      if (after !== flow) return;
      if (parts.followersStart === 'at-once') this.#startFlow(index);
      else this.#startAt(events.nowPs + plan.flows.startPs[index], index);
    });
  }

  #collect(simulatedPs: number, drained: boolean): ModelResult {
    const { plan, ports, events, count, parts } = this.#network;
    parts.hazards?.account(simulatedPs);
    for (const port of this.#ports) port.accountPauses(simulatedPs);
    count.inFlight(this.#unfinishedPackets());
    const allDone = this.#completionsPs.every((completionPs) => completionPs !== null);
    return {
      ended: allDone ? 'all-flows-done' : parts.hazards?.isEnded === true ? 'deadlock' : drained ? 'stuck' : 'time',
      simulatedPs,
      events: events.executed,
      packetHops: ports.reduce((sum, { txPackets }) => sum + txPackets, 0),
      flows: this.#completionsPs.map((completionPs, flow) => ({
        completionPs,
        failed: this.#failed.has(flow),
        ...count.of(flow, plan.connections?.leaderOf[flow] ?? -1),
        message: this.#messageOf(flow),
      })),
      ports: this.#ports.map((port) => pick(port, PORT_COUNTERS)),
      totals: { ...count.totals, drops: count.drops },
      trimming: parts.trimming?.counts ?? [],
      hazards: parts.hazards?.outcome(),
      wan: parts.wan?.outcome(simulatedPs),
    };
  }

  #messageOf(flow: number): ModelMessage | undefined {
    const { plan: { connections }, streams } = this.#network;
    const leader = connections?.leaderOf[flow] ?? -1;
    if (leader < 0) return undefined;
    const message = streams.of(leader)?.messages.find(({ index }) => index === flow);
    const { beganPs = -1, beganRateBps = 0, restarted = false } = message ?? {};
    return { beganPs, beganRateBps, restarted };
  }

  *#unfinishedPackets(): Generator<Packet> {
    for (const device of this.#devices) yield* device.waiting();
    for (const port of this.#ports) yield* port.travelling;
  }
}
