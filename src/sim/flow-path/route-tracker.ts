/**
 * Follows the packets of one flow from port to port.
 *
 *   which packet   of the packets of the same kind and sequence that were on their way to the port's node, a record belongs to the
 *                  one that arrived first; a record at the node that makes such packets begins a new one
 *   its cause      Fast CNP: the data packet that it names, at the switch that made it; CNP: the first marked data packet for
 *                  which the receiver may send a CNP, given the interval since the previous one; ACK: the data packet that
 *                  ends at its sequence
 *   ahead of it    the bytes that left the port between its arrival and its departure
 *
 * To bound memory, delivered packets are forgotten, except the last ones, to which responses may refer.
 */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import { TxTimes } from '../compile/paths.js';
import type { PacketRecord } from '../result.js';
import type { ResponseKind, PacketRoute, RouteHop } from './flow-path.js';

/** Offsets of a hop's fields. */
const [PORT, ARRIVED, LEFT, REACHED, LENGTH, AHEAD, ECN] = [0, 1, 2, 3, 4, 5, 6];
const HOP_NUMBERS = 7;
/** Bits of the ECN field: marked, in a tunnel, routed by END.CON. */
const [IS_MARKED, IN_TUNNEL, IS_END_CON] = [1, 2, 4];
const CE = 3;
/** Maximum number of packets in flight or lost that are remembered. */
const OPEN_MAX = 200_000;
/** Maximum number of delivered data packets that are remembered. */
const DELIVERED_MAX = 8192;

/** An ACK refers to one of this many last packets. */
const ACKNOWLEDGED_MAX = 256;

/** The flow that is followed, and the packets that are recorded. */
export interface Followed {
  readonly flow: number;
  /** Ports whose packets are passed to `add`. */
  readonly captured: Iterable<number>;
  /** Kinds of responses. */
  readonly kinds: readonly ResponseKind[];
}

/** State of a captured port. */
interface PortLog {
  /** Bytes that left it. */
  sentBytes: number;
  /** Packets of the flow that are on their way to its node, in order of arrival. */
  readonly coming: { readonly route: OpenRoute; readonly arrivedPs: number }[];
  /** Bytes that the port had sent when each packet arrived. */
  readonly sentBefore: Map<OpenRoute, number>;
}

export class RouteTracker {
  /** The first data packet. */
  first: OpenRoute | undefined;
  readonly #compiled: CompiledScenario;
  readonly #flow: number;
  readonly #ends: { readonly source: number; readonly destination: number };
  readonly #cnpIntervalPs: number;
  readonly #cnpDelayPs: number;
  readonly #txTimes: TxTimes;
  readonly #onResponse: (route: OpenRoute) => void;
  /** Packets being followed, by kind and sequence. */
  readonly #open = new Map<string, OpenRoute[]>();
  #openCount = 0;
  /** Data packets at the receiver or on their last link. */
  readonly #delivered: OpenRoute[] = [];
  #lastTriggerPs = -Infinity;
  /** State of each captured port. */
  readonly #logs: ReadonlyMap<number, PortLog>;
  readonly #logsByNode = new Map<number, PortLog[]>();
  readonly #kinds: ReadonlySet<PacketRecord['kind']>;

  /** @param onResponse called with each response on its last link to the sender. */
  constructor(compiled: CompiledScenario, { flow, captured, kinds }: Followed, onResponse: (route: OpenRoute) => void) {
    const { plan } = compiled;
    this.#kinds = new Set<PacketRecord['kind']>(['data', ...kinds]);
    this.#logs = new Map(Array.from(captured, (port) => [port, newLog()]));
    for (const [port, log] of this.#logs) {
      const { node } = plan.ports[port];
      this.#logsByNode.set(node, [...(this.#logsByNode.get(node) ?? []), log]);
    }
    this.#compiled = compiled;
    this.#flow = flow;
    this.#ends = plan.flows.get(flow);
    const receiver = plan.nodes[this.#ends.destination];
    this.#cnpIntervalPs = receiver.cnpIntervalPs ?? plan.rules.cnpIntervalPs;
    this.#cnpDelayPs = receiver.cnpDelayPs ?? plan.rules.cnpDelayPs;
    this.#txTimes = new TxTimes(plan.rules.txTime);
    this.#onResponse = onResponse;
  }

  /** When the last bit of a packet arrives at the other end of the link. */
  reachedPs({ port, timePs, lenBytes }: PacketRecord): number {
    const { ports, rules } = this.#compiled.plan;
    const { rateBps, delayPs } = ports[port];
    return timePs + this.#txTimes.ps(lenBytes + rules.wireOverheadBytes, rateBps) + delayPs;
  }

  /** Adds a record. Records must be in order of time. */
  add(record: PacketRecord): void {
    const log = this.#logs.get(record.port);
    if (log === undefined) return;
    resolve(log, record.timePs);
    if (record.flow === this.#flow && this.#kinds.has(record.kind)) this.#follow(record, log);
    log.sentBytes += record.lenBytes;
  }

  #follow(record: PacketRecord, log: PortLog): void {
    const { ports } = this.#compiled.plan;
    const { node, peerPort } = ports[record.port];
    const key = `${record.kind} ${record.sequence}`;
    const known = this.#takeOpen(key, node, record.timePs);
    if (known === undefined && !this.#isMadeAt(record, node)) return;
    const route = known ?? this.#begin(record);
    const reachedPs = this.reachedPs(record);
    const passage: Passage = { record, arrivedPs: known?.reachedPs ?? record.timePs, reachedPs };
    const next = ports[peerPort].node;
    route.add(passage, log.sentBytes - (log.sentBefore.get(route) ?? log.sentBytes), next);
    for (const other of this.#logsOf(node)) other.sentBefore.delete(route);
    if (next === this.#endOf(record.kind)) this.#deliver(route);
    else this.#keep(key, route, reachedPs);
  }

  #isMadeAt({ kind, origin }: PacketRecord, node: number): boolean {
    if (kind === 'fast-cnp') return origin === undefined || origin === node;
    return node === (kind === 'data' ? this.#ends.source : this.#ends.destination);
  }

  #endOf(kind: PacketRecord['kind']): number {
    return kind === 'data' ? this.#ends.destination : this.#ends.source;
  }

  #begin(record: PacketRecord): OpenRoute {
    const route = new OpenRoute(record);
    if (record.kind === 'data') this.first ??= route;
    else route.cause = this.#causeOf(record);
    return route;
  }

  #causeOf(record: PacketRecord): OpenRoute | undefined {
    if (record.kind === 'fast-cnp') return this.#causeOfFastCnp(record);
    return record.kind === 'cnp' ? this.#causeOfCnp(record) : this.#causeOfAck(record);
  }

  #causeOfFastCnp({ sequence, timePs, port }: PacketRecord): OpenRoute | undefined {
    const { node } = this.#compiled.plan.ports[port];
    const candidates = [
      ...this.#delivered.filter((route) => route.sequence === sequence),
      ...(this.#open.get(`data ${sequence}`) ?? []),
    ];
    return candidates.findLast((route) => route.hasLeft(this.#compiled, node, timePs)) ?? candidates.at(-1);
  }

  #causeOfCnp({ timePs }: PacketRecord): OpenRoute | undefined {
    const latestPs = timePs - this.#cnpDelayPs;
    const earliestPs = this.#lastTriggerPs + this.#cnpIntervalPs;
    const cause = this.#delivered.find(({ isMarked, reachedPs }) =>
      isMarked && reachedPs > this.#lastTriggerPs && reachedPs >= earliestPs && reachedPs <= latestPs
    );
    this.#lastTriggerPs = cause?.reachedPs ?? this.#lastTriggerPs;
    return cause;
  }

  #causeOfAck({ sequence, timePs }: PacketRecord): OpenRoute | undefined {
    const there = this.#delivered.slice(-ACKNOWLEDGED_MAX).filter(({ reachedPs }) => reachedPs <= timePs);
    return there.findLast((route) => route.sequence + route.payloadBytes === sequence) ?? there.at(-1);
  }

  #deliver(route: OpenRoute): void {
    if (route.kind !== 'data') {
      this.#onResponse(route);
      return;
    }
    this.#delivered.push(route);
    if (this.#delivered.length > 2 * DELIVERED_MAX) this.#delivered.splice(0, DELIVERED_MAX);
  }

  #keep(key: string, route: OpenRoute, arrivedPs: number): void {
    const same = this.#open.get(key);
    if (same === undefined) this.#open.set(key, [route]);
    else same.push(route);
    this.#openCount++;
    if (this.#openCount > OPEN_MAX) this.#forgetOldest();
    // The packet may leave by any port of the node.
    for (const { coming } of this.#logsOf(route.next)) {
      const behind = coming.findLastIndex((other) => other.arrivedPs <= arrivedPs);
      coming.splice(behind + 1, 0, { route, arrivedPs });
    }
  }

  #logsOf(node: number): readonly PortLog[] {
    return this.#logsByNode.get(node) ?? [];
  }

  #takeOpen(key: string, node: number, byPs: number): OpenRoute | undefined {
    const same = this.#open.get(key);
    const at = same?.findIndex((route) => route.next === node && route.reachedPs <= byPs) ?? -1;
    if (same === undefined || at < 0) return undefined;
    const [route] = same.splice(at, 1);
    if (same.length === 0) this.#open.delete(key);
    this.#openCount--;
    return route;
  }

  #forgetOldest(): void {
    for (const [key, routes] of this.#open) {
      this.#open.delete(key);
      this.#openCount -= routes.length;
      return;
    }
  }
}

function newLog(): PortLog {
  return { sentBytes: 0, coming: [], sentBefore: new Map() };
}

/** Notes, for each packet that has arrived by a given time, how many bytes the port had sent. */
function resolve({ coming, sentBytes, sentBefore }: PortLog, byPs: number): void {
  const later = coming.findIndex(({ arrivedPs }) => arrivedPs > byPs);
  const there = coming.splice(0, later < 0 ? coming.length : later);
  for (const { route } of there) sentBefore.set(route, sentBytes);
}

/** A packet's transit of a link: when it left the port, and when it arrives at the other end. */
interface Passage {
  readonly record: PacketRecord;
  readonly arrivedPs: number;
  readonly reachedPs: number;
}

/** A packet that is being followed, stored compactly: a long link can hold many. */
export class OpenRoute {
  readonly kind: PacketRecord['kind'];
  readonly sequence: number;
  readonly payloadBytes: number;
  /** Node at the end of the last link. */
  next = -1;
  /** The data packet that caused it, if any. */
  cause: OpenRoute | undefined;
  readonly #hops: number[] = [];

  constructor({ kind, sequence, payloadBytes }: PacketRecord) {
    this.kind = kind;
    this.sequence = sequence;
    this.payloadBytes = payloadBytes;
  }

  /** When its last bit arrives at the end of its last link. */
  get reachedPs(): number {
    return this.#hops[this.#hops.length - HOP_NUMBERS + REACHED];
  }

  /** When it left its origin. */
  get beganPs(): number {
    return this.#hops[LEFT];
  }

  /** Adds a hop. @param aheadBytes bytes of other frames that left while it waited. */
  add({ record, arrivedPs, reachedPs }: Passage, aheadBytes: number, next: number): void {
    const { port, timePs, lenBytes } = record;
    this.#hops.push(port, arrivedPs, timePs, reachedPs, lenBytes, aheadBytes, ecnBits(record));
    this.next = next;
  }

  /** Whether it had left a node by a given time. */
  hasLeft({ plan }: CompiledScenario, node: number, byPs: number): boolean {
    for (let at = 0; at < this.#hops.length; at += HOP_NUMBERS)
      if (plan.ports[this.#hops[at + PORT]].node === node) return this.#hops[at + LEFT] <= byPs;
    return false;
  }

  /** The port at which it was marked. */
  get markedAt(): number | undefined {
    for (let at = 0; at < this.#hops.length; at += HOP_NUMBERS)
      if ((this.#hops[at + ECN] & IS_MARKED) !== 0) return this.#hops[at + PORT];
    return undefined;
  }

  get isMarked(): boolean {
    return (this.#hops[this.#hops.length - HOP_NUMBERS + ECN] & IS_MARKED) !== 0;
  }

  /** Its egress ports. */
  get ports(): number[] {
    return Array.from({ length: this.#hops.length / HOP_NUMBERS }, (_, hop) => this.#hops[hop * HOP_NUMBERS + PORT]);
  }

  /** The route of the packet as plain data. @param end its destination host. */
  result(compiled: CompiledScenario, end: number): PacketRoute {
    const { kind, sequence } = this;
    const hops = this.ports.map((_, hop) =>
      hopOf(compiled, this.#hops.slice(hop * HOP_NUMBERS, (hop + 1) * HOP_NUMBERS))
    );
    return { kind, sequence: kind === 'cnp' ? 0 : sequence, hops, delivered: this.next === end };
  }
}

function ecnBits({ marked, tunnel }: PacketRecord): number {
  if (tunnel === undefined) return marked ? IS_MARKED : 0;
  return IN_TUNNEL | (tunnel.endCon ? IS_END_CON : 0) | (tunnel.outerEcn === CE ? IS_MARKED : 0);
}

function hopOf({ plan, portNames }: CompiledScenario, numbers: readonly number[]): RouteHop {
  const port = numbers[PORT];
  const { node, peerPort } = plan.ports[port];
  const bits = numbers[ECN];
  const wrapped = (bits & IS_END_CON) !== 0 ? 'end-con' : 'service';
  return {
    port: portNames[port],
    node: plan.nodes[node].name,
    peer: plan.nodes[plan.ports[peerPort].node].name,
    arrivedPs: numbers[ARRIVED],
    leftPs: numbers[LEFT],
    reachedPs: numbers[REACHED],
    lenBytes: numbers[LENGTH],
    aheadBytes: numbers[AHEAD],
    marked: (bits & IS_MARKED) !== 0,
    tunnel: (bits & IN_TUNNEL) !== 0 ? wrapped : 'none',
  };
}
