/**
 * Receiver-based control for oversubscribed networks: a host that sees congestion inside the network, not on its own link,
 * slows down its pulls.
 *
 * Every trunc((0.75 + drand / 2) * 1.5 rtt0) ps, with the packets of the interval: P all, E marked, X trimmed at the last
 * hop, Y trimmed elsewhere:
 *
 *   f = E / (P - X - Y);   Y > 0: rate -= Y / P, down;   g := (1 - w) g + w f;   g > 0.3: rate *= 1 - (g - 0.3) * Md, down
 *   not down: rate += E = 0 ? Ai * 2^k : Ai, k += 1;   down: k := 0;   rate into [min, 1]
 *
 * Ai = 0.01, Md = 0.5, w = 0.5; min = max(0.01, 0.9 / oversubscription), or 0.01 if an option turned it on.
 */
import { SimEvent } from './event-list.js';
import type { FatTree } from './fat-tree.js';
import type { OversubscribedOptions } from './arguments.js';
import type { UetParameters } from './parameters.js';
import type { PullPacer } from './pull-pacer.js';
import type { RunContext } from './run-context.js';

const RTTS = 1.5;
const JITTER_MIN = 0.75;
const MARKS_MAX = 0.3;
const RATE_MIN = 0.01;
const RATIO_SHARE = 0.9;
/** Limit of k, which keeps 2^k finite; larger values would make no difference. */
const DOUBLINGS_MAX = 1000;

/** Values of `-Ai`, `-Md` and `-alpha`, and the lowest rate. */
export interface OversubscribedSettings {
  readonly rttPs: number;
  readonly increase: number;
  readonly decrease: number;
  readonly weight: number;
  readonly rateMin: number;
}

/** The settings; undefined if it is off. */
export function oversubscribedSettings({ isOn, isByRatio, increase, decrease, weight }: OversubscribedOptions,
  { oversubscription }: FatTree, { rttPs }: UetParameters): OversubscribedSettings | undefined {
  const isOfRatio = isByRatio && oversubscription > 1;
  if (!isOn && !isOfRatio) return undefined;
  return {
    rttPs,
    increase,
    decrease,
    weight,
    rateMin: isOfRatio ? Math.max(RATE_MIN, RATIO_SHARE / oversubscription) : RATE_MIN,
  };
}

/** Counts of packets that arrive at a host in an interval. */
export class OversubscribedCounts {
  packets = 0;
  marked = 0;
  trimmedLastHop = 0;
  trimmedElsewhere = 0;

  count(isMarked: boolean, isTrimmed: boolean, isLastHop: boolean): void {
    this.packets += 1;
    if (isMarked) this.marked += 1;
    if (isTrimmed && isLastHop) this.trimmedLastHop += 1;
    else if (isTrimmed) this.trimmedElsewhere += 1;
  }

  clear(): void {
    this.packets = 0;
    this.marked = 0;
    this.trimmedLastHop = 0;
    this.trimmedElsewhere = 0;
  }
}

export class OversubscribedControl {
  readonly counts = new OversubscribedCounts();
  readonly #context: RunContext;
  readonly #settings: OversubscribedSettings;
  readonly #pacer: PullPacer;
  readonly #interval = new SimEvent(() => this.#update());
  #rate = 1;
  #marks = 0;
  #doublings = 0;

  constructor(context: RunContext, settings: OversubscribedSettings, pacer: PullPacer) {
    this.#context = context;
    this.#settings = settings;
    this.#pacer = pacer;
    this.#schedule();
  }

  #schedule(): void {
    const { events, random } = this.#context;
    const delayPs = Math.trunc((JITTER_MIN + random.fraction() / 2) * RTTS * this.#settings.rttPs);
    events.schedule(this.#interval, events.nowPs + delayPs);
  }

  #update(): void {
    const { increase } = this.#settings;
    const isDown = this.#isDown();
    if (isDown) {
      this.#doublings = 0;
    } else {
      this.#rate += this.counts.marked === 0 ? increase * 2 ** this.#doublings : increase;
      this.#doublings = Math.min(this.#doublings + 1, DOUBLINGS_MAX);
    }
    this.#rate = Math.min(Math.max(this.#rate, this.#settings.rateMin), 1);
    this.#pacer.setRate(this.#rate);
    this.counts.clear();
    this.#schedule();
  }

  /** Lowers the rate; returns whether it did. */
  #isDown(): boolean {
    const { weight, decrease } = this.#settings;
    const { packets, marked, trimmedLastHop, trimmedElsewhere } = this.counts;
    const whole = packets - trimmedLastHop - trimmedElsewhere;
    const share = whole > 0 ? marked / whole : 0;
    let isDown = false;
    if (trimmedElsewhere > 0) {
      this.#rate -= trimmedElsewhere / packets;
      isDown = true;
    }
    this.#marks = (1 - weight) * this.#marks + weight * share;
    if (this.#marks > MARKS_MAX) {
      this.#rate *= 1 - (this.#marks - MARKS_MAX) * decrease;
      isDown = true;
    }
    return isDown;
  }
}
