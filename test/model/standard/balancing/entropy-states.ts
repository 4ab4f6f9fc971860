/**
 * The states of MRC entropies: the active set in slots, which are visited round-robin, and the reserve.
 *
 *   next       the next GOOD entropy. The first one in SKIP that the search passes becomes GOOD for later; with timed
 *              SKIP each one whose time has passed
 *   mark, trim SKIP                timeout  ASSUMED_BAD        loss inferred from SACKs  as the plan states
 *   bad        replaced in its slot by a usable entropy of the reserve in the same plane
 *   denied     by the controller, which alone makes it GOOD again; replaced in the same way
 *   floor      with too few usable entropies in the active set, its oldest bad one becomes GOOD again
 *
 * Source: OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md), 3.8, 3.9.
 */
import { DENIED_PLANE } from '../../../../src/abi/records/balancing.js';
import type { EntropyStatesPlan } from '../../../../src/sim/features/balancing/plan.js';
import type { PathSelection } from '../../parts.js';
import { EntropyProbes } from './entropy-probes.js';

export type State = 'good' | 'skip' | 'bad' | 'denied';

interface Entropy {
  readonly value: number;
  readonly plane: number;
  state: State;
  /** The end of `skip`, or the begin of `bad`. */
  sincePs: number;
}

/** Whether the adapter's port for the plane of an entropy has room, or no port has. */
export type HasRoom = (entropy: number) => boolean;

/** The slots in round-robin order. */
export interface SlotOrder {
  take(): number;
}

export class EntropyStates implements PathSelection {
  readonly #plan: EntropyStatesPlan;
  readonly #order: SlotOrder;
  readonly #nowPs: () => number;
  readonly #hasRoom: HasRoom;
  readonly #all: readonly Entropy[];
  readonly #slots: Entropy[];
  readonly #denied: ReadonlySet<number>;
  readonly probes: EntropyProbes | undefined;

  /**
   * @param first entropy of the flow. @param active size of the active set. @param denied entropies that the controller
   * denies: numbers, and DENIED_PLANE + planes.
   */
  constructor(plan: EntropyStatesPlan, { first, active, denied, hasRoom, planeOf }: {
    readonly first: number;
    readonly active: number;
    readonly denied: ReadonlySet<number>;
    readonly hasRoom: HasRoom;
    readonly planeOf: (entropy: number) => number;
  }, order: SlotOrder, nowPs: () => number) {
    this.#hasRoom = hasRoom;
    this.#plan = plan;
    this.#order = order;
    this.#nowPs = nowPs;
    this.#denied = denied;
    this.#all = Array.from({ length: active + plan.reserve }, (_, number) => {
      const plane = planeOf(first + number);
      return {
        value: first + number,
        plane,
        state: this.#isDenied(number, plane) ? 'denied' : 'good',
        sincePs: 0,
      };
    });
    this.#slots = this.#all.slice(0, active);
    for (const one of this.#slots.filter(({ state }) => state === 'denied')) this.#replace(one);
    this.probes = plan.probes === undefined ? undefined : new EntropyProbes(plan.probes, (entropy, isMarked) => {
      const one = this.#of(entropy);
      this.#restore(one);
      if (isMarked && plan.probes?.marked === 'skip') this.#skip(one);
    });
  }

  next(): number {
    return (this.#plan.skipPs === null ? this.#nextByRotation() : this.#nextByTime()).value;
  }

  onResponse(_timePs: number, entropy: number, isMarked: boolean): void {
    if (isMarked) this.#skip(this.#of(entropy));
  }

  onAlwaysSkip(entropy: number): void {
    this.#fail(this.#of(entropy));
  }

  onTrim(entropy: number): void {
    this.#skip(this.#of(entropy));
  }

  onLoss(): void {
    // `onPacketLost` handles each lost packet.
  }

  onPacketLost(entropy: number, found: 'fast' | 'timeout'): void {
    const one = this.#of(entropy);
    if (found === 'timeout' || this.#plan.inferredLoss === 'assumed-bad') this.#fail(one);
    else this.#skip(one);
  }

  /** The number of an entropy, relative to the first one. */
  numberOf(entropy: number): number {
    return entropy - this.#all[0]!.value;
  }

  /** The state of the entropy with that number. */
  stateOf(number: number): State {
    return this.#all[number]!.state;
  }

  #of(entropy: number): Entropy {
    return this.#all.find(({ value }) => value === entropy)!;
  }

  #take(): Entropy {
    return this.#slots[this.#order.take()]!;
  }

  /** The first GOOD entropy whose port has room; after a rotation without one, the first GOOD one. */
  #nextByRotation(): Entropy {
    let reset: Entropy | undefined;
    const full: Entropy[] = [];
    for (let passed = 0; passed < this.#slots.length || full.length === 0; passed += 1) {
      const one = this.#take();
      if (one.state === 'good') {
        if (this.#hasRoom(one.value)) return one;
        full.push(one);
      } else if (one.state === 'skip' && reset === undefined) {
        reset = one;
        one.state = 'good';
      }
    }
    return full[0]!;
  }

  #nextByTime(): Entropy {
    const full: Entropy[] = [];
    const skipped: Entropy[] = [];
    for (let passed = 0; passed < 2 * this.#slots.length; passed += 1) {
      const one = this.#take();
      if (one.state === 'skip' && this.#nowPs() >= one.sincePs) one.state = 'good';
      if (one.state === 'good') {
        if (this.#hasRoom(one.value)) return one;
        full.push(one);
      }
      if (one.state === 'skip') skipped.push(one);
    }
    return full[0] ?? skipped[0]!;
  }

  /** Applies a change of `denied`. */
  applyDenials(): void {
    for (const [number, one] of this.#all.entries()) {
      const isDenied = this.#isDenied(number, one.plane);
      if (isDenied === (one.state === 'denied')) continue;
      if (isDenied) this.#deny(one);
      else this.#restore(one);
    }
  }

  #isDenied(number: number, plane: number): boolean {
    return this.#denied.has(number) || this.#denied.has(DENIED_PLANE + plane);
  }

  #deny(one: Entropy): void {
    if (one.state === 'bad') this.probes?.end(one.value);
    one.state = 'denied';
    this.#replace(one);
    this.#keepFloor();
  }

  #skip(one: Entropy): void {
    if (!isUsable(one)) return;
    one.state = 'skip';
    one.sincePs = this.#nowPs() + (this.#plan.skipPs ?? 0);
  }

  #fail(one: Entropy): void {
    if (!isUsable(one)) return;
    one.state = 'bad';
    one.sincePs = this.#nowPs();
    this.probes?.begin(one.value, one.sincePs);
    this.#replace(one);
    this.#keepFloor();
  }

  /** Replaces an unusable entropy in its slot. */
  #replace(one: Entropy): void {
    const slot = this.#slots.indexOf(one);
    const spare = this.#all.find((other) =>
      isUsable(other) && other.plane === one.plane && !this.#slots.includes(other)
    );
    if (slot >= 0 && spare !== undefined) this.#slots[slot] = spare;
  }

  #keepFloor(): void {
    for (;;) {
      if (this.#slots.filter(isUsable).length >= this.#plan.minActive) return;
      const bad = this.#slots.filter(({ state }) => state === 'bad');
      if (bad.length === 0) return;
      this.#restore(bad.reduce((oldest, other) => other.sincePs < oldest.sincePs ? other : oldest));
    }
  }

  #restore(one: Entropy): void {
    one.state = 'good';
    this.probes?.end(one.value);
    if (this.#slots.includes(one)) return;
    const slot = this.#slots.findIndex((other) => !isUsable(other) && other.plane === one.plane);
    if (slot >= 0) this.#slots[slot] = one;
  }
}

function isUsable({ state }: Entropy): boolean {
  return state === 'good' || state === 'skip';
}
