/**
 * Builds the flow's path from the followed packets, the ports in the run's result, and what was observed of these ports
 * while the packets were followed: queues, pauses of the flow's class, and ARNs that hold its data.
 */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { SimKernel } from '../kernel/kernel.js';
import type { PauseChange } from '../kernel/read-trace.js';
import type { SimResult, PacketRecord } from '../result.js';
import { type ResponseKind, type FlowPath, type PacketRoute, type PathPort, pathNote, type FlowPathNote,
  type HeldInterval } from './flow-path.js';
import type { OpenRoute } from './route-tracker.js';

/** Maximum samples of each queue: about the width of a drawing. */
const SAMPLES_MAX = 400;
/** Time shown before the packet left, as a share of the time until the response. */
const BEFORE = 0.25;

export interface PathParts {
  readonly compiled: CompiledScenario;
  readonly result: SimResult;
  readonly flow: number;
  readonly data: OpenRoute;
  readonly response: OpenRoute | undefined;
  /** Whether the result has a notification of the sender. */
  readonly isNotified: boolean;
  /** End of the time for which the flow was followed. */
  readonly endPs: number;
  readonly watch: PathWatch;
}

export function pathOf({ compiled, result, flow, data, response, isNotified, endPs, watch }: PathParts): FlowPath {
  const { plan } = compiled;
  const { source, destination } = plan.flows.get(flow);
  const { from, to } = result.flows[flow];
  const dataRoute = data.result(compiled, destination);
  const responseRoute = response?.result(compiled, source) ?? null;
  const loopPs = (response ?? data).reachedPs - data.beganPs;
  const fromPs = Math.max(result.flows[flow].startPs, Math.floor(data.beganPs - BEFORE * loopPs));
  const toPs = Math.max(endPs, (response ?? data).reachedPs);
  const places = placesBetween(watch.timesPs, fromPs, toPs);
  return {
    flow,
    from,
    to,
    fromPs,
    toPs,
    notification: response !== undefined && isNotified ? response.kind as ResponseKind : null,
    data: dataRoute,
    response: responseRoute,
    congestedPort: congestedPort(compiled, data, responseRoute),
    ports: data.ports.map((port, hop) => ({
      ...portOf(compiled, result, port),
      tunnel: dataRoute.hops[hop].tunnel,
      ...watch.of(port, fromPs, toPs, places),
    })),
    timesPs: places.map((place) => watch.timesPs[place]),
    notes: notesOn(flow, dataRoute, responseRoute, isNotified),
  };
}

/** Indices of at most SAMPLES_MAX samples between two times, evenly spaced. */
function placesBetween(timesPs: readonly number[], fromPs: number, toPs: number): number[] {
  const all = timesPs.flatMap((timePs, place) => (timePs >= fromPs && timePs <= toPs ? [place] : []));
  const step = Math.ceil(all.length / SAMPLES_MAX);
  return all.filter((_, at) => at % Math.max(1, step) === 0);
}

/** The congested port. A Fast CNP identifies the switch, and its data packet the port. */
function congestedPort({ plan, portNames }: CompiledScenario, data: OpenRoute, response: PacketRoute | null): string
  | null {
  if (response?.kind === 'fast-cnp')
    return portNames[
      data.ports.find((port) => plan.nodes[plan.ports[port].node].name === response.hops[0].node) ?? -1
    ] ??
      null;
  return data.markedAt === undefined ? null : portNames[data.markedAt];
}

function portOf({ plan, portNames }: CompiledScenario, { ports, wan }: SimResult,
  port: number): Omit<PathPort, 'tunnel' | 'queueBytes' | 'held'> {
  const { rateBps, delayPs, peerPort } = plan.ports[port];
  const { maxQueueBytes, marks, pausedPs } = ports[port];
  const own = plan.wan?.flowControl.ports.find((other) => other.port === port);
  const pauses = plan.nodes[plan.ports[peerPort].node].pfc ? 'pfc' : 'none';
  return {
    port: portNames[port],
    rateBps,
    delayPs,
    flowControl: own?.control ?? pauses,
    maxQueueBytes,
    marks,
    pausedPs,
    heldPs: wan?.arnPorts?.find((other) => other.port === portNames[port])?.heldPs ?? 0,
  };
}

function notesOn(flow: number, { delivered, sequence, hops }: PacketRoute, response: PacketRoute | null,
  isNotified: boolean): FlowPathNote[] {
  const { port = null, leftPs = null } = hops.at(-1) ?? {};
  return [
    ...(isNotified && response === null ? [pathNote('notification-not-found', { flow })] : []),
    ...(delivered ? [] : [pathNote('data-not-delivered', { flow, sequence, port, atPs: leftPs })]),
  ];
}

/** State of one port. */
interface Watched {
  readonly queueBytes: number[];
  readonly held: { -readonly [Key in keyof HeldInterval]: HeldInterval[Key] }[];
}

export class PathWatch {
  readonly timesPs: number[] = [];
  readonly #ports = new Map<number, Watched>();
  /** Port that ARNs hold, by the port at the far end of its link, which sends them. */
  readonly #heldFrom = new Map<number, number>();
  readonly #kernel: SimKernel;
  readonly #dataClass: number;
  readonly #arnKey: number;

  /** @param ports egress ports that the flow's data can use. */
  constructor(kernel: SimKernel, { plan }: CompiledScenario, flow: number, ports: readonly number[]) {
    this.#kernel = kernel;
    this.#dataClass = plan.flows.dataClass[flow];
    this.#arnKey = arnKeyOf(plan, flow, this.#dataClass);
    for (const port of ports) {
      this.#ports.set(port, { queueBytes: [], held: [] });
      this.#heldFrom.set(plan.ports[port].peerPort, port);
    }
  }

  /** Ports whose ARNs matter. */
  get farEnds(): Iterable<number> {
    return this.#heldFrom.keys();
  }

  /** Samples all queues. */
  sample(timePs: number): void {
    this.timesPs.push(timePs);
    for (const [port, { queueBytes }] of this.#ports) queueBytes.push(this.#kernel.queueBytes(port));
  }

  addPauses(changes: readonly PauseChange[]): void {
    for (const { timePs, port, trafficClass, change } of changes) {
      if (trafficClass !== this.#dataClass || change === 'paused-again') continue;
      const held = this.#ports.get(port)?.held;
      if (change === 'paused') held?.push({ fromPs: timePs, toPs: Infinity, by: 'pfc' });
      else endLast(held, 'pfc', timePs);
    }
  }

  /** Records an ARN. @param reachedPs when it arrives at the other end of its link. */
  addArn({ port, arn }: PacketRecord, reachedPs: number): void {
    const held = this.#ports.get(this.#heldFrom.get(port) ?? -1)?.held;
    if (held === undefined || arn?.key !== this.#arnKey) return;
    const last = held.findLast(({ by }) => by === 'arn');
    const isOpen = last !== undefined && last.toPs >= reachedPs;
    if (arn.timePs === 0) endLast(held, 'arn', reachedPs);
    else if (isOpen) last.toPs = reachedPs + arn.timePs;
    else held.push({ fromPs: reachedPs, toPs: reachedPs + arn.timePs, by: 'arn' });
  }

  /** The state of one port between two instants. `places` are the indices of the samples to return. */
  of(port: number, fromPs: number, toPs: number, places: readonly number[]): Pick<PathPort, 'queueBytes' | 'held'> {
    const { queueBytes, held } = this.#ports.get(port) ?? { queueBytes: [], held: [] };
    return {
      queueBytes: places.map((place) => queueBytes[place] ?? 0),
      held: held.flatMap((interval) => {
        const clipped = { ...interval, fromPs: Math.max(fromPs, interval.fromPs), toPs: Math.min(toPs, interval.toPs) };
        return clipped.toPs > clipped.fromPs ? [clipped] : [];
      }),
    };
  }
}

function endLast(held: Watched['held'] | undefined, by: HeldInterval['by'], timePs: number): void {
  const last = held?.findLast((interval) => interval.by === by);
  if (last !== undefined) last.toPs = Math.min(last.toPs, timePs);
}

/** The key of ARNs that hold the flow's data. */
function arnKeyOf({ wan }: CompiledScenario['plan'], flow: number, dataClass: number): number {
  if (wan === undefined || wan.flowControl.level === 'priority') return dataClass;
  return wan.flowControl.level === 'flow' ? flow : wan.serviceOfFlow[flow];
}
