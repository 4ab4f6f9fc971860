/**
 * Victim flows are held by a pause whose cause is not on their path. The search for the cause starts at the paused port
 * and goes to the egress port of the next switch that holds most of its bytes, as long as that is paused too. If it
 * reaches a cycle, a flow is a victim if its own egress port at the next switch is neither paused nor has a queue.
 *
 * Victims are determined when a pause begins and at each inspection, until the pause ends.
 */
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';

export interface Victim {
  heldPs: number;
  longestPs: number;
  heldAt: number;
  root: number;
}

/** A flow that counts as a victim at a paused queue. */
interface Hold {
  readonly port: Port;
  readonly trafficClass: number;
  readonly sincePs: number;
  readonly root: number;
}

export class Victims {
  readonly #world: World;
  readonly #holds = new Map<number, Hold>();
  readonly flows = new Map<number, Victim>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Accounts for the time that a paused class of a port has held flows. @param goesOn whether the pause continues. */
  account(port: Port, trafficClass: number, timePs: number, goesOn: boolean): void {
    if (farEnd(this.#world, port).device.queues === undefined) return;
    for (const flow of port.device.flowsHeld(port, trafficClass)) {
      const hold = this.#holdOf(flow);
      if (hold !== undefined && (hold.port !== port || hold.trafficClass !== trafficClass)) continue;
      if (hold !== undefined) this.#add(flow, hold, timePs);
      this.#holds.delete(flow);
      const root = this.#rootOf(port, trafficClass);
      if (goesOn && this.#isVictim(flow, port, trafficClass, root))
        this.#holds.set(flow, { port, trafficClass, sincePs: timePs, root });
    }
  }

  /** The hold of a flow, unless its pause has already ended. */
  #holdOf(flow: number): Hold | undefined {
    const hold = this.#holds.get(flow);
    if (hold === undefined) return undefined;
    const { port, trafficClass, sincePs } = hold;
    return port.paused[trafficClass] && sincePs >= port.pausedSincePs(trafficClass) ? hold : undefined;
  }

  #add(flow: number, { port, sincePs, root }: Hold, timePs: number): void {
    const victim = this.flows.get(flow) ?? { heldPs: 0, longestPs: 0, heldAt: -1, root: -1 };
    this.flows.set(flow, victim);
    const heldPs = timePs - sincePs;
    victim.heldPs += heldPs;
    if (heldPs <= victim.longestPs) return;
    victim.longestPs = heldPs;
    victim.heldAt = port.index;
    victim.root = root;
  }

  #isVictim(flow: number, port: Port, trafficClass: number, root: number): boolean {
    if (root >= 0) return root !== port.index && !this.#pathOf(flow).includes(root);
    const there = farEnd(this.#world, port).device.queues;
    const egress = there?.egressOf(flow);
    return egress !== undefined && !egress.paused[trafficClass] && there?.waitingBytes(egress, trafficClass) === 0;
  }

  /** The egress ports of the data of a flow. */
  #pathOf(flow: number): number[] {
    const { ports, plan } = this.#world;
    const path: number[] = [];
    let at: Port | undefined = ports[plan.flows.sourcePort[flow]];
    while (at !== undefined && !path.includes(at.index)) {
      path.push(at.index);
      at = farEnd(this.#world, at).device.queues?.egressOf(flow);
    }
    return path;
  }

  #rootOf(port: Port, trafficClass: number): number {
    const seen = new Set<Port>();
    let at = port;
    while (!seen.has(at)) {
      seen.add(at);
      const arrival = farEnd(this.#world, at);
      const there = arrival.device.queues;
      const next = there && fullestEgress(there.ports, (egress) => there.waitingBytes(egress, trafficClass, arrival));
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

/** The first of the ports with the most bytes; undefined: none has any. */
export function fullestEgress(ports: readonly Port[], bytesOf: (port: Port) => number): Port | undefined {
  let fullest: Port | undefined;
  let most = 0;
  for (const port of ports) {
    const bytes = bytesOf(port);
    if (bytes > most) [fullest, most] = [port, bytes];
  }
  return fullest;
}
