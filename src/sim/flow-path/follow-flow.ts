/**
 * Finds the path of a flow by running its scenario a second time with captures of that path's ports. The first run and
 * its hash are unaffected. The second run ends soon after the sender is notified, or when the first ACK arrives.
 *
 * All ports on any shortest path are captured, leg by leg in tunnels, so that the actual route is found whichever of
 * several equal paths the hash selected.
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import { SimKernel } from '../kernel/kernel.js';
import type { NetworkPlan } from '../plan.js';
import type { FlowResult, SimResult } from '../result.js';
import type { ResponseKind, FlowPath } from './flow-path.js';
import { type OpenRoute, RouteTracker } from './route-tracker.js';
import { pathOf, PathWatch } from './path-result.js';

/** Number of events per slice. */
const SLICE = 100_000;
/** Queue samples per round trip to a neighbour, and their maximum number until the notification. */
const SAMPLES_PER_ROUND_TRIP = 100;
const SAMPLES_MAX = 1_000_000;

/**
 * Follows a flow through a second run, slice by slice: yields the simulated time, picoseconds, and returns the path.
 *
 * @param compiled the scenario of `result`.
 * @param flow index; default: the flow that was notified first, or if none was, the largest.
 * @returns undefined: there is no flow to follow (only sums of messages), or no data of it was sent.
 * @throws RoceError `invalid-argument` for a flow that the result does not have, or a result of another network; `capacity` as
 * for a run.
 */
export function* followFlow(compiled: CompiledScenario, result: SimResult,
  flow?: number): Generator<number, FlowPath | undefined> {
  checkRecord(compiled, 'compiled');
  checkRecord(result, 'result');
  for (const member of ['ports', 'flows'] as const) {
    if (!Array.isArray(result[member])) reject({ got: result[member], allowed: 'a list', where: `result.${member}` });
  }
  if (
    result.ports.length !== compiled.portNames.length ||
    result.flows.some(({ index }) => index >= compiled.plan.flows.length)
  )
    reject({ got: result.ports.length, allowed: 'a result of the same scenario', where: 'result.ports' });
  const chosen = flow ?? chooseFlow(result);
  if (chosen === undefined) return undefined;
  const search = new Search(compiled, requireFlow(result, chosen, 'flow'));
  while (search.slice()) yield search.nowPs;
  return search.finish(result);
}

/** Like `followFlow`, but runs to the end in one call. @throws as `followFlow`. */
export function followFlowSync(compiled: CompiledScenario, result: SimResult, flow?: number): FlowPath | undefined {
  const slices = followFlow(compiled, result, flow);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

class Search {
  readonly #compiled: CompiledScenario;
  readonly #flow: FlowResult;
  readonly #kernel: SimKernel;
  readonly #tracker: RouteTracker;
  readonly #watch: PathWatch;
  readonly #destination: number;
  readonly #everyPs: number;
  #nextSamplePs: number;
  /** End of the sampling of queues. */
  #showPs: number;
  #response: OpenRoute | undefined;

  constructor(compiled: CompiledScenario, flow: FlowResult) {
    const { plan } = compiled;
    this.#compiled = compiled;
    this.#flow = flow;
    const { forth, back } = possiblePorts(compiled, flow.index);
    // ARNs that hold the flow leave by the ports at the far ends of its links.
    const captured = new Set([
      ...forth,
      ...back,
      ...(plan.wan === undefined ? [] : forth.map((port) => plan.ports[port].peerPort)),
    ]);
    this.#kernel = new SimKernel(plan, { captured, pauses: true });
    this.#watch = new PathWatch(this.#kernel, compiled, flow.index, forth);
    const kinds = responsesOf(compiled, flow);
    this.#tracker = new RouteTracker(compiled, { flow: flow.index, captured, kinds }, (route) => {
      this.#hear(route);
    });
    this.#destination = plan.flows.destination[flow.index];
    this.#everyPs = sampleIntervalPs(compiled, flow, forth);
    this.#nextSamplePs = flow.startPs;
    // If a loss notifies the sender, no response shows when to stop, so the time is limited here.
    this.#showPs = Math.min(plan.endPs, flow.firstNotificationPs === null ? Infinity : flow.firstNotificationPs + 1);
  }

  get nowPs(): number {
    return this.#kernel.nowPs;
  }

  /** Runs a slice; false if no event is left. */
  slice(): boolean {
    const until = this.#kernel.events + SLICE;
    while (this.#kernel.events < until) {
      const end = this.#kernel.run(Math.min(this.#nextSamplePs, this.#endPs), until - this.#kernel.events);
      this.#drain();
      if (end === 'idle' || end === 'deadlock') return false;
      if (end !== 'reached') continue;
      if (this.#nextSamplePs >= this.#endPs) return false;
      this.#sample();
    }
    return true;
  }

  /** End of the run. The data packet may still be in flight long after the sender is notified. */
  get #endPs(): number {
    const morePs = this.#response !== undefined && this.#isOpen ? this.#flow.idealPs : 0;
    return Math.min(this.#compiled.plan.endPs, this.#showPs + morePs);
  }

  #sample(): void {
    if (this.#nextSamplePs <= this.#showPs) this.#watch.sample(this.#nextSamplePs);
    this.#nextSamplePs += this.#everyPs;
  }

  finish(result: SimResult): FlowPath | undefined {
    const { index, firstNotificationPs } = this.#flow;
    const data = this.#response?.cause ?? this.#tracker.first;
    if (data === undefined) return undefined;
    return pathOf({
      compiled: this.#compiled,
      result,
      flow: index,
      data,
      response: this.#response,
      isNotified: firstNotificationPs !== null,
      endPs: Math.min(this.#showPs, this.nowPs),
      watch: this.#watch,
    });
  }

  #drain(): void {
    this.#watch.addPauses(this.#kernel.drainPauses());
    for (const record of this.#kernel.drainPackets()) {
      if (record.kind === 'arn') this.#watch.addArn(record, this.#tracker.reachedPs(record));
      else if (this.#isOpen) this.#tracker.add(record);
    }
  }

  /** Whether a packet still has to be followed. */
  get #isOpen(): boolean {
    const data = this.#response === undefined ? undefined : this.#response.cause ?? this.#tracker.first;
    return data?.next !== this.#destination;
  }

  /**
   * Handles a response. It is the notification if it has arrived by the time at which the result states the sender was
   * notified.
   */
  #hear(route: OpenRoute): void {
    const { firstNotificationPs } = this.#flow;
    const isIt = firstNotificationPs === null ? route.kind === 'ack' : route.reachedPs === firstNotificationPs;
    if (!isIt || this.#response !== undefined) return;
    this.#response = route;
    const beganPs = (route.cause ?? this.#tracker.first ?? route).beganPs;
    // Shows the same time again after the notification, for its effect.
    this.#showPs = Math.min(this.#compiled.plan.endPs, 2 * route.reachedPs - beganPs);
  }
}

/** The kinds of packets that may be the response. */
function responsesOf({ plan }: CompiledScenario, { firstNotificationPs }: FlowResult): readonly ResponseKind[] {
  if (firstNotificationPs === null) return ['ack'];
  return plan.rules.notification === 'ack-flag' ? ['ack', 'nak', 'cnp', 'fast-cnp'] : ['cnp', 'fast-cnp'];
}

function sampleIntervalPs({ plan }: CompiledScenario, flow: FlowResult, ports: readonly number[]): number {
  const nearPs = ports.reduce((least, port) => Math.min(least, 4 * plan.ports[port].delayPs), flow.idealPs);
  const spanPs = Math.max(flow.idealPs, (flow.firstNotificationPs ?? 0) - flow.startPs);
  return Math.max(1, Math.floor(Math.max(nearPs / SAMPLES_PER_ROUND_TRIP, (spanPs * ports.length) / SAMPLES_MAX)));
}

/**
 * The flow that was notified first, or if none was, the largest; the first of equal ones.
 * @returns undefined for a result without flows, as when results of messages are only sums.
 */
export function chooseFlow({ flows }: Pick<SimResult, 'flows'>): number | undefined {
  const first = flows.reduce<FlowResult | undefined>((best, flow) => precedes(flow, best) ? flow : best, undefined);
  return first?.index;
}

function precedes(flow: FlowResult, best: FlowResult | undefined): boolean {
  if (best === undefined) return true;
  const [own, other] = [flow.firstNotificationPs, best.firstNotificationPs];
  if (own === null && other === null) return flow.sizeBytes > best.sizeBytes;
  return own !== null && (other === null || own < other);
}

/** @throws RoceError `invalid-argument` naming the flow. */
export function requireFlow({ flows }: Pick<SimResult, 'flows'>, index: number, where: string): FlowResult {
  const flow = Number.isInteger(index) ? flows[index] as FlowResult | undefined : undefined;
  if (flow !== undefined) return flow;
  throw new RoceError('invalid-argument', {
    got: index,
    where,
    ...(flows.length === 0 ?
      { allowed: 'no flow: messages share records' } :
      { allowed: { min: 0, below: flows.length, multipleOf: 1 } }),
  });
}

/** The ports to capture for a flow. */
interface PossiblePorts {
  /** Egress ports of its data. */
  readonly forth: readonly number[];
  /** Egress ports of responses and Fast CNPs to its sender. */
  readonly back: readonly number[];
}

/** The ports to capture for a flow. @param flow index below the number of flows. */
function possiblePorts({ plan, flowPaths }: CompiledScenario, flow: number): PossiblePorts {
  const { source, destination } = plan.flows.get(flow);
  // While links are down, shortest paths may differ from those of the plan.
  if (plan.linkEvents.length > 0) return { forth: allPorts(plan), back: allPorts(plan) };
  const isFixed = plan.balancing === undefined && plan.lossy === undefined;
  const forth = isFixed ? flowPaths.get(flow) : portsOfLegs(plan, source, legsTo(plan, flow, destination));
  const back = new Set(portsOfLegs(plan, destination, legsTo(plan, flow, source)));
  for (const port of forth) {
    const { node } = plan.ports[port];
    if (node !== source) addAll(back, portsOfLegs(plan, node, legsFrom(plan, flow, node, source)));
  }
  return { forth, back: [...back].sort((a, b) => a - b) };
}

function allPorts({ ports }: NetworkPlan): number[] {
  return ports.map((_, port) => port);
}

/** Nodes that a packet from the other end of the flow is routed to, in order. */
function legsTo({ wan, flows }: NetworkPlan, flow: number, end: number): readonly number[] {
  const { source, destination } = flows.get(flow);
  const other = end === source ? destination : source;
  if (wan === undefined || wan.domains[source] === wan.domains[destination]) return [end];
  const { edges, segments } = wan.services[wan.serviceOfFlow[flow]];
  const [from, to] = [wan.domains[other], wan.domains[end]];
  return [edges[from], ...(from === 0 ? segments : [...segments].reverse()), edges[to], end];
}

/**
 * Nodes that a Fast CNP from a switch is routed to, in order: from the WAN directly to the ingress edge; from the far data
 * centre like a response.
 */
function legsFrom(plan: NetworkPlan, flow: number, node: number, source: number): readonly number[] {
  const { wan } = plan;
  const domain = wan?.domains[node];
  if (wan === undefined || domain === wan.domains[source]) return [source];
  const { edges } = wan.services[wan.serviceOfFlow[flow]];
  return domain === 2 ? [edges[wan.domains[source]], source] : legsTo(plan, flow, source);
}

function portsOfLegs(plan: NetworkPlan, from: number, legs: readonly number[]): number[] {
  const ports = new Set<number>();
  let at = from;
  for (const next of legs) {
    addAll(ports, portsBetween(plan, at, next));
    at = next;
  }
  return [...ports];
}

/** The egress ports on all shortest paths between two nodes. */
function portsBetween(plan: NetworkPlan, from: number, to: number): number[] {
  const found: number[] = [];
  const seen = new Set([from]);
  for (const node of seen) {
    if (node === to) continue;
    for (const port of portsTowards(plan, node, to)) {
      found.push(port);
      seen.add(plan.ports[plan.ports[port].peerPort].node);
    }
  }
  return found;
}

/** A node's egress ports towards another. Hosts have no routes; they may use all their ports. */
function portsTowards({ nodes, routes, groups }: NetworkPlan, node: number, to: number): readonly number[] {
  const { kind, firstPort, portCount } = nodes[node];
  if (kind === 'host') return Array.from({ length: portCount }, (_, index) => firstPort + index);
  return groups[routes.group(node, to)] ?? [];
}

function addAll(set: Set<number>, ports: readonly number[]): void {
  for (const port of ports) set.add(port);
}
