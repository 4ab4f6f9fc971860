/**
 * The PFC watchdog of a switch: a state per port and class, polled at multiples of its interval.
 *
 *   watched   paused with packets, for the detection time   ->   stormed: dropped, or sent despite the pause
 *   stormed   not paused, for the restoration time   ->   watched
 */
import type { WatchdogPlan } from '../../../../src/sim/plan.js';
import type { Port, SwitchQueues } from '../../link-ends.js';
import type { World } from '../../network.js';
import { CLASS_COUNT } from '../../../../src/switching/shared-buffer.js';

interface Stormed {
  sincePs: number;
  /** Null: the queue is paused. */
  quietSincePs: number | null;
}

/** The counters of a watchdog at a port. */
export interface WatchdogCounts {
  storms: number;
  restored: number;
  watchdogDrops: number;
  stormedPs: number;
}

export class Watchdog {
  readonly #world: World;
  readonly #plan: WatchdogPlan;
  readonly #queues: () => SwitchQueues;
  readonly #stormed = new Map<string, Stormed>();
  readonly #counts = new Map<Port, WatchdogCounts>();
  #polls = false;

  /** @param queues of its switch, available once the network is built. */
  constructor(world: World, plan: WatchdogPlan, queues: () => SwitchQueues) {
    this.#world = world;
    this.#plan = plan;
    this.#queues = queues;
  }

  countsOf(port: Port): WatchdogCounts {
    const known = this.#counts.get(port) ?? { storms: 0, restored: 0, watchdogDrops: 0, stormedPs: 0 };
    this.#counts.set(port, known);
    return known;
  }

  isStormed(port: Port, trafficClass: number): boolean {
    return this.#stormed.has(keyOf(port, trafficClass));
  }

  drops(port: Port, trafficClass: number): boolean {
    return this.#plan.action === 'drop' && this.isStormed(port, trafficClass);
  }

  /** A frame has arrived for a stormed queue. */
  note(port: Port, trafficClass: number, kind: 'pause' | 'resume'): void {
    const state = this.#stormed.get(keyOf(port, trafficClass));
    if (state === undefined) return;
    if (kind === 'pause') state.quietSincePs = null;
    else state.quietSincePs ??= this.#world.events.nowPs;
  }

  pauseBegan(): void {
    if (this.#polls) return;
    this.#polls = true;
    const { events } = this.#world;
    const { pollPs } = this.#plan;
    events.schedule((Math.floor(events.nowPs / pollPs) + 1) * pollPs, () => {
      this.#poll();
    });
  }

  account(timePs: number): void {
    for (const port of this.#queues().ports) {
      for (let trafficClass = 1; trafficClass < CLASS_COUNT; trafficClass += 1) {
        const state = this.#stormed.get(keyOf(port, trafficClass));
        if (state !== undefined) this.countsOf(port).stormedPs += timePs - state.sincePs;
      }
    }
  }

  #poll(): void {
    this.#polls = false;
    let isWatched = false;
    for (const port of this.#queues().ports) {
      const before = this.#hasWork(port);
      if (!before) continue;
      for (let trafficClass = 1; trafficClass < CLASS_COUNT; trafficClass += 1) this.#pollQueue(port, trafficClass);
      isWatched = this.#hasWork(port) || isWatched;
    }
    if (isWatched) this.pauseBegan();
  }

  #hasWork(port: Port): boolean {
    return port.paused.some((paused, trafficClass) => paused || this.isStormed(port, trafficClass));
  }

  #pollQueue(port: Port, trafficClass: number): void {
    const { nowPs } = this.#world.events;
    const state = this.#stormed.get(keyOf(port, trafficClass));
    const { detectionPs, restorationPs } = this.#plan;
    if (state === undefined) {
      const waits = this.#queues().waitingBytes(port, trafficClass) > 0;
      if (port.paused[trafficClass] && waits && nowPs - port.pausedSincePs(trafficClass) >= detectionPs)
        this.#mitigate(port, trafficClass);
    } else if (state.quietSincePs !== null && nowPs - state.quietSincePs >= restorationPs) {
      this.#stormed.delete(keyOf(port, trafficClass));
      const counts = this.countsOf(port);
      counts.restored += 1;
      counts.stormedPs += nowPs - state.sincePs;
    }
  }

  #mitigate(port: Port, trafficClass: number): void {
    const { events: { nowPs }, count } = this.#world;
    port.unpause(trafficClass);
    this.#stormed.set(keyOf(port, trafficClass), { sincePs: nowPs, quietSincePs: null });
    const counts = this.countsOf(port);
    counts.storms += 1;
    if (this.#plan.action === 'forward') {
      port.device.trySend(port);
      return;
    }
    const next = (): ReturnType<SwitchQueues['takeOut']> => this.#queues().takeOut(port, trafficClass);
    for (let packet = next(); packet !== undefined; packet = next()) {
      port.drops += 1;
      counts.watchdogDrops += 1;
      count.dropped(packet, 'watchdog');
    }
  }
}

function keyOf({ index }: Port, trafficClass: number): string {
  return `${index} ${trafficClass}`;
}
