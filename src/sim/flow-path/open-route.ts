/** A packet that is being followed, stored compactly: a long link can hold many. */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { PacketRecord } from '../result.js';
import type { PacketRoute, RouteHop } from './flow-path.js';

/** Offsets of a hop's fields. */
const [PORT, ARRIVED, LEFT, REACHED, LENGTH, AHEAD, ECN] = [0, 1, 2, 3, 4, 5, 6];
const HOP_NUMBERS = 7;
/** Bits of the ECN field: marked, in a tunnel, routed by END.CON. */
const [IS_MARKED, IN_TUNNEL, IS_END_CON] = [1, 2, 4];
const CE = 3;

/** A packet's transit of a link: when it left the port, and when it arrives at the other end. */
export interface Passage {
  readonly record: PacketRecord;
  readonly arrivedPs: number;
  readonly reachedPs: number;
}

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
