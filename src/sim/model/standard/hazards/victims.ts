/**
 * Flows that a pause holds although their own way is free: at the next switch, their exit is not paused in their class, and
 * nothing of it waits there.
 *
 * Of each flow the time in all, the port where it was held longest at once, and where that began: back from the paused
 * port to where most of what came in waits, as long as that is paused too; -1: in a circle.
 */
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';

export interface Victim {
  heldPs: number;
  longestPs: number;
  heldAt: number;
  root: number;
}

export class Victims {
  readonly #world: World;
  /** By port and class: up to when it is accounted. */
  readonly #accountedPs = new Map<string, number>();
  readonly flows = new Map<number, Victim>();

  constructor(world: World) {
    this.#world = world;
  }

  pauseBegan(port: Port, trafficClass: number): void {
    this.#accountedPs.set(`${port.index} ${trafficClass}`, this.#world.events.nowPs);
  }

  /** Accounts for what a paused class of a port has held since the last time. */
  account(port: Port, trafficClass: number, timePs: number): void {
    const key = `${port.index} ${trafficClass}`;
    const heldPs = timePs - (this.#accountedPs.get(key) ?? timePs);
    this.#accountedPs.set(key, timePs);
    const there = farEnd(this.#world, port).device.queues;
    if (heldPs <= 0 || there === undefined) return;
    for (const flow of port.device.flowsHeld(port, trafficClass)) {
      const exit = there.exitOf(flow);
      if (exit === undefined || exit.paused[trafficClass] || there.waitingBytes(exit, trafficClass) > 0) continue;
      this.#hold(flow, port, trafficClass, heldPs);
    }
  }

  #hold(flow: number, port: Port, trafficClass: number, heldPs: number): void {
    const victim = this.flows.get(flow) ?? { heldPs: 0, longestPs: 0, heldAt: -1, root: -1 };
    this.flows.set(flow, victim);
    victim.heldPs += heldPs;
    if (heldPs <= victim.longestPs) return;
    victim.longestPs = heldPs;
    victim.heldAt = port.index;
    victim.root = this.#rootOf(port, trafficClass);
  }

  #rootOf(port: Port, trafficClass: number): number {
    const seen = new Set<Port>();
    let at = port;
    while (!seen.has(at)) {
      seen.add(at);
      const arrival = farEnd(this.#world, at);
      const there = arrival.device.queues;
      const next = there && fullestExit(there.ports, (exit) => there.waitingBytes(exit, trafficClass, arrival));
      if (next === undefined) return at.index;
      at = next;
      if (!at.paused[trafficClass]) return at.index;
    }
    return -1;
  }
}

/** The port at the other end of a link. */
export function farEnd({ ports }: World, port: Port): Port {
  return ports[port.plan.peerPort];
}

/** The first of the ports with most bytes; undefined: none has any. */
export function fullestExit(ports: readonly Port[], bytesOf: (port: Port) => number): Port | undefined {
  let fullest: Port | undefined;
  let most = 0;
  for (const port of ports) {
    const bytes = bytesOf(port);
    if (bytes > most) [fullest, most] = [port, bytes];
  }
  return fullest;
}
