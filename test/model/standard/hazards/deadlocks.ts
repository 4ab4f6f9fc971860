/**
 * Deadlock detection: starts with the paused queues of switches to switches, and repeatedly removes each queue whose
 * pause would end if all bytes outside the other queues left. The remaining queues wait for each other forever.
 */
import { CLASS_COUNT } from '../../../../src/switching/shared-buffer.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import { farEnd, fullestEgress } from './victims.js';

interface Queue {
  readonly port: Port;
  readonly trafficClass: number;
}

export interface FoundDeadlock {
  readonly formedPs: number;
  readonly foundPs: number;
  resolvedPs: number | null;
  readonly cycle: readonly { readonly port: number; readonly trafficClass: number }[];
}

export class Deadlocks {
  readonly #world: World;
  readonly found: FoundDeadlock[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get isOpen(): boolean {
    return this.found.at(-1)?.resolvedPs === null;
  }

  seek(): void {
    const { nowPs } = this.#world.events;
    const dead = this.#deadlocked();
    const last = this.found.at(-1);
    if (dead.length === 0) {
      if (last !== undefined) last.resolvedPs ??= nowPs;
    } else if (!this.isOpen) {
      const cycle = this.#cycleIn(dead);
      const formedPs = Math.max(...cycle.map(({ port, trafficClass }) => port.pausedSincePs(trafficClass)));
      this.found.push({
        formedPs,
        foundPs: nowPs,
        resolvedPs: null,
        cycle: cycle.map(({ port: { index }, trafficClass }) => ({ port: index, trafficClass })),
      });
    }
  }

  #deadlocked(): readonly Queue[] {
    let suspects = this.#world.ports.flatMap((port) => this.#pausedQueues(port));
    for (;;) {
      const left = suspects.filter((queue) => this.#staysPaused(queue, suspects));
      if (left.length === suspects.length) return left;
      suspects = left;
    }
  }

  #pausedQueues(port: Port): Queue[] {
    const own = port.device.queues;
    if (own === undefined || farEnd(this.#world, port).device.queues === undefined) return [];
    return Array.from({ length: CLASS_COUNT }, (_, trafficClass) => ({ port, trafficClass }))
      .filter(({ trafficClass }) => port.paused[trafficClass] && own.waitingBytes(port, trafficClass) > 0);
  }

  #staysPaused({ port, trafficClass }: Queue, suspects: readonly Queue[]): boolean {
    const arrival = farEnd(this.#world, port);
    const stuck = (from: Port, one: number): number => bytesIn(suspects, from, one);
    return stuck(arrival, trafficClass) > 0 &&
      arrival.device.queues?.pauseLasts(arrival, trafficClass, stuck) === true;
  }

  #cycleIn(dead: readonly Queue[]): readonly Queue[] {
    const next = ({ port, trafficClass }: Queue): Queue => {
      const arrival = farEnd(this.#world, port);
      const ofSwitch = dead.filter((one) => one.port.device === arrival.device && one.trafficClass === trafficClass);
      const egress = fullestEgress(ofSwitch.map((one) => one.port),
        (one) => one.device.queues?.waitingBytes(one, trafficClass, arrival) ?? 0);
      return ofSwitch.find((one) => one.port === egress) ?? dead[0];
    };
    let [at] = dead;
    // After as many steps as ports the walk is in the cycle.
    this.#world.ports.forEach(() => {
      at = next(at);
    });
    const cycle = [at];
    for (let other = next(at); other !== at; other = next(other)) cycle.push(other);
    const first = cycle.reduce((least, queue, i) => (isBefore(queue, cycle[least]) ? i : least), 0);
    return [...cycle.slice(first), ...cycle.slice(0, first)];
  }
}

/** The bytes of a class in these queues that arrived on a port. */
function bytesIn(queues: readonly Queue[], from: Port, trafficClass: number): number {
  const there = queues.filter(({ port, trafficClass: one }) => port.device === from.device && one === trafficClass);
  return there.reduce((sum, { port }) => sum + (port.device.queues?.waitingBytes(port, trafficClass, from) ?? 0), 0);
}

function isBefore(a: Queue, b: Queue): boolean {
  return a.port.index < b.port.index || (a.port === b.port && a.trafficClass < b.trafficClass);
}
