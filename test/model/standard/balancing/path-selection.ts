/**
 * The selection of a packet's entropy (UDP source port minus 49,152) by its sender, with feedback from ACKs and losses.
 *
 * oblivious, bitmap, reps: as in uet-htsim (docs/reference/sources.md); REPS also T. Bonato et al., arXiv 2407.21625.
 * assembly/simulator/path-selection lists the deviations.
 */
import { CongestionPointRandom } from '../../../../src/reference/cp/random.js';
import type { EntropyStatesPlan, SelectionPlan } from '../../../../src/sim/features/balancing/plan.js';
import type { FlowPlan } from '../../../../src/sim/plan.js';
import { CLASS_COUNT } from '../../../../src/switching/shared-buffer.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { PathSelection } from '../../parts.js';
import type { Below } from './egress-chooser.js';
import { EntropyStates, type HasRoom } from './entropy-states.js';
import { planeDigit } from './plane-of-entropy.js';

const PORTS = 16_384;
const FIRST_ENTROPY_PORT = 49_152;
const STREAM = 0x65767321;
const NODE_STEP = 0x9e3779b1;

/** Each entropy once in a random order, repeatedly. */
class EntropyOrder {
  readonly count: number;
  readonly #below: Below;
  readonly #upper: number;
  #mask: number;
  #place = 0;

  constructor(count: number, below: Below, upper = Math.floor(below(PORTS) / count) * count) {
    this.count = count;
    this.#below = below;
    this.#upper = upper;
    this.#mask = below(count);
  }

  get current(): number {
    return this.#upper + (this.#place ^ this.#mask);
  }

  pass(): void {
    this.#place += 1;
    if (this.#place < this.count) return;
    this.#place = 0;
    this.#mask = this.#below(this.count);
  }

  take(): number {
    const { current } = this;
    this.pass();
    return current;
  }
}

class Oblivious implements PathSelection {
  readonly #order: EntropyOrder;

  constructor(order: EntropyOrder) {
    this.#order = order;
  }

  next(): number {
    return this.#order.take();
  }

  onResponse(): void {
    // It has no feedback.
  }

  onTrim(): void {
    // It has no feedback.
  }

  onLoss(): void {
    // It has no feedback.
  }
}

const PENALTY_MAX = 15;
const MARK_PENALTY = 1;
const LOSS_PENALTY = 4;
const REMEMBERED_PACKETS = 1024;

/** Like `oblivious`, but skips entropies with a penalty. */
class Bitmap implements PathSelection {
  readonly #order: EntropyOrder;
  readonly #penalties = new Map<number, number>();
  readonly #sent = new Map<number, number>();

  constructor(order: EntropyOrder) {
    this.#order = order;
  }

  next(number: number | undefined): number {
    const order = this.#order;
    const first = order.current;
    for (let passed = 0; passed < order.count && this.#penaltyOf(order.current) > 0; passed += 1) {
      if (passed === 0) this.#penalties.set(first, this.#penaltyOf(first) - 1);
      order.pass();
    }
    const entropy = order.take();
    if (number !== undefined) this.#sent.set(number % REMEMBERED_PACKETS, entropy);
    return entropy;
  }

  onResponse(_timePs: number, entropy: number, isMarked: boolean): void {
    if (isMarked) this.#punish(entropy, MARK_PENALTY);
  }

  onTrim(entropy: number): void {
    this.#punish(entropy, LOSS_PENALTY);
  }

  onLoss(_timePs: number, number: number, found: 'fast' | 'timeout'): void {
    const entropy = this.#sent.get(number % REMEMBERED_PACKETS);
    if (entropy !== undefined) this.#punish(entropy, found === 'timeout' ? PENALTY_MAX : LOSS_PENALTY);
  }

  #penaltyOf(entropy: number): number {
    return this.#penalties.get(entropy) ?? 0;
  }

  #punish(entropy: number, penalty: number): void {
    this.#penalties.set(entropy, Math.min(PENALTY_MAX, this.#penaltyOf(entropy) + penalty));
  }
}

const RING_ENTRIES = 8;

interface Recycled {
  readonly entropy: number;
  isFresh: boolean;
}

/** Reuses entropies whose ACKs were not marked, the oldest of the last eight first. */
class Reps implements PathSelection {
  readonly #plan: SelectionPlan;
  readonly #count: number;
  readonly #below: Below;
  #ring: Recycled[] = [];
  #written = 0;
  #frozenUntilPs: number | undefined;
  #frozenTurn = 0;
  #explore = 0;

  constructor(plan: SelectionPlan, count: number, below: Below) {
    this.#plan = plan;
    this.#count = count;
    this.#below = below;
  }

  next(): number {
    if (this.#explore > 0) {
      this.#explore -= 1;
      return this.#below(this.#count);
    }
    const recycled = this.#frozenUntilPs === undefined ? this.#oldestFresh() : this.#nextFrozen();
    if (recycled === undefined) return this.#below(this.#count);
    recycled.isFresh = false;
    return recycled.entropy;
  }

  onResponse(nowPs: number, entropy: number, isMarked: boolean): void {
    if (isMarked) return;
    if (this.#frozenUntilPs !== undefined && nowPs > this.#frozenUntilPs) this.#thaw();
    this.#ring[this.#written % RING_ENTRIES] = { entropy, isFresh: true };
    this.#written += 1;
  }

  onTrim(): void {
    // The entropy is not reused; nothing else changes.
  }

  onLoss(nowPs: number, _number: number, found: 'fast' | 'timeout'): void {
    if (found !== 'timeout' || this.#frozenUntilPs !== undefined || this.#explore > 0) return;
    this.#frozenUntilPs = nowPs + this.#plan.freezePs;
  }

  #oldestFresh(): Recycled | undefined {
    const first = Math.max(0, this.#written - RING_ENTRIES);
    for (let number = first; number < this.#written; number += 1) {
      const recycled = this.#ring[number % RING_ENTRIES];
      if (recycled.isFresh) return recycled;
    }
    return undefined;
  }

  #nextFrozen(): Recycled | undefined {
    if (this.#ring.length === 0) return undefined;
    const place = this.#frozenTurn % this.#ring.length;
    this.#frozenTurn = place + 1;
    return this.#ring[place];
  }

  #thaw(): void {
    this.#frozenUntilPs = undefined;
    this.#ring = [];
    this.#written = 0;
    this.#frozenTurn = 0;
    this.#explore = this.#plan.explorePackets;
  }
}

/** With several planes, whether the adapter's port for the plane of an entropy has room; otherwise always true. */
function hasRoomFor({ plan: { nodes, ports, routes, groups }, ports: ends }: SelectionWorld, states: EntropyStatesPlan,
  { source, destination }: FlowPlan): HasRoom {
  const { planes, portRoomBytes } = states;
  const digitOf = planeDigit(states);
  const adapter = ports[ports[nodes[source].firstPort].peerPort].node;
  if (planes === 1 || portRoomBytes === 0 || nodes[adapter].isAdapter !== true) return () => true;
  const ofPlanes = groups[routes.group(adapter, destination)].map((port) => ends[port]);
  const hasRoom = (port: Port): boolean => waitingAt(port) < portRoomBytes;
  return (entropy) =>
    !ofPlanes.some(hasRoom) || hasRoom(ofPlanes[digitOf(FIRST_ENTROPY_PORT + entropy) % ofPlanes.length]);
}

function waitingAt(port: Port): number {
  const classes = Array.from({ length: CLASS_COUNT }, (_, trafficClass) => trafficClass);
  return classes.reduce((sum, one) => sum + (port.device.queues?.waitingBytes(port, one) ?? 0), 0);
}

/** The part of the network that path selection uses. */
type SelectionWorld = Pick<World, 'plan' | 'ports'> & { readonly events: Pick<World['events'], 'nowPs'> };

/** The path selection of all hosts; each host has its own generator. */
export class PathSelections {
  readonly #world: SelectionWorld;
  readonly #plan: SelectionPlan;
  /** Generators by host. */
  readonly #draws = new Map<number, Below>();
  readonly #states: EntropyStates[] = [];
  readonly #denied = new Set<number>();

  constructor(world: SelectionWorld, plan: SelectionPlan) {
    this.#world = world;
    this.#plan = plan;
  }

  #statesOf(flow: FlowPlan, below: Below): EntropyStates {
    const { states, entropies } = this.#plan;
    if (states === undefined) throw new Error('The plan has no states.');
    const active = entropies[flow.source];
    const first = below(PORTS - active - states.reserve + 1);
    const digitOf = planeDigit(states);
    const planeOf = (entropy: number): number => digitOf(FIRST_ENTROPY_PORT + entropy) % states.planes;
    const order = new EntropyOrder(active, below, 0);
    const hasRoom = hasRoomFor(this.#world, states, flow);
    const made = new EntropyStates(states, { first, active, denied: this.#denied, hasRoom, planeOf }, order,
      () => this.#world.events.nowPs);
    this.#states.push(made);
    return made;
  }

  /** A controller denies the entropies with a number, or DENIED_PLANE + a plane, or allows them again. */
  setDenied(target: number, isDenied: boolean): void {
    if (isDenied) this.#denied.add(target);
    else this.#denied.delete(target);
    for (const one of this.#states) one.applyDenials();
  }

  /** Creates the path selection at the first packet of a flow; undefined: the flow keeps its UDP source port. */
  of(flow: FlowPlan): PathSelection | undefined {
    const host = flow.source;
    const count = this.#plan.entropies[host];
    switch (this.#plan.rules[host]) {
      case 'oblivious':
        return new Oblivious(new EntropyOrder(count, this.#drawsOf(host)));
      case 'bitmap':
        return new Bitmap(new EntropyOrder(count, this.#drawsOf(host)));
      case 'reps':
        return new Reps(this.#plan, count, this.#drawsOf(host));
      case 'entropy-states':
        return this.#statesOf(flow, this.#drawsOf(host));
      default:
        return undefined;
    }
  }

  #drawsOf(host: number): Below {
    const known = this.#draws.get(host);
    if (known !== undefined) return known;
    const random = new CongestionPointRandom((this.#world.plan.seed + STREAM + Math.imul(host, NODE_STEP)) >>> 0);
    const below: Below = (count) => Math.floor(random.next() * count);
    this.#draws.set(host, below);
    return below;
  }
}
