/**
 * Precise flow control by adaptive routing notifications (ARNs) on WAN links (draft-hu-rtgwg-rocev2-fcn-00, section
 * 4.1).
 *
 *   congested node   bytes of a key (service, flow, class) by ingress port >= xoff: an ARN, repeated each refresh time;
 *                    <= xon: a resume
 *   upstream node    packets of the key remain queued until the hold time ends, a resume arrives, or the link is cut
 */
import type { RawWanPort } from '../../../../src/sim/features/wan/memory.js';
import type { WanFlowControlPlan, WanPlan, WanPortPlan } from '../../../../src/sim/features/wan/plan.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { Arn, Packet } from '../../packet.js';

/** The counters of a key at its ingress port. */
interface Asked {
  bytes: number;
  asked: boolean;
  refreshPs: number;
}

/** A key held at its egress port. */
interface Hold {
  untilPs: number;
  sincePs: number;
}

/** A port with ARNs. */
class ArnPort {
  readonly plan: WanPortPlan;
  readonly port: Port;
  readonly asked = new Map<number, Asked>();
  readonly holds = new Map<number, Hold>();
  readonly heldPs = new Map<number, number>();
  refreshScheduled = false;
  expiryScheduled = false;
  readonly counts = { arnsSent: 0, arnsRefreshed: 0, arnResumes: 0, arnsReceived: 0, arnsExpired: 0 };

  constructor(plan: WanPortPlan, port: Port) {
    this.plan = plan;
    this.port = port;
  }

  of(key: number): Asked {
    const known = this.asked.get(key) ?? { bytes: 0, asked: false, refreshPs: 0 };
    this.asked.set(key, known);
    return known;
  }

  release(key: number, nowPs: number): void {
    const hold = this.holds.get(key);
    if (hold === undefined) return;
    this.heldPs.set(key, (this.heldPs.get(key) ?? 0) + nowPs - hold.sincePs);
    this.holds.delete(key);
  }
}

/** Queues an ARN to the far end of a port before all other packets there. */
export type PutArn = (port: Port, arn: Arn) => void;

export class Arns {
  readonly #world: World;
  readonly #wan: WanPlan;
  readonly #control: WanFlowControlPlan;
  readonly #ports = new Map<number, ArnPort>();

  constructor(world: World, wan: WanPlan) {
    this.#world = world;
    this.#wan = wan;
    this.#control = wan.flowControl;
  }

  /** Whether a port uses pause frames. */
  hasPauses({ index }: Port): boolean {
    return !this.#control.ports.some(({ port }) => port === index);
  }

  /** A packet that arrived on a port is stored. */
  countIn(port: Port, packet: Packet, put: PutArn): void {
    const own = this.#of(port);
    const key = this.#keyOf(packet);
    if (own === undefined || key === undefined) return;
    const one = own.of(key);
    one.bytes += packet.lenBytes;
    if (one.asked || one.bytes < own.plan.xoffBytes) return;
    one.asked = true;
    own.counts.arnsSent += 1;
    one.refreshPs = this.#nowPs + this.#control.refreshPs;
    this.#expectRefresh(own, one.refreshPs, put);
    put(port, { key, timePs: this.#control.pauseTimePs });
    port.device.trySend(port);
  }

  /** A packet that arrived on a port leaves by another port, which is being served. */
  countOut(port: Port, packet: Packet, put: PutArn, served: Port): void {
    const own = this.#of(port);
    const key = this.#keyOf(packet);
    if (own === undefined || key === undefined) return;
    const one = own.of(key);
    one.bytes -= packet.lenBytes;
    if (!one.asked || one.bytes > own.plan.xonBytes) return;
    one.asked = false;
    if (!this.#control.resumes) return;
    own.counts.arnResumes += 1;
    put(port, { key, timePs: 0 });
    if (port !== served) port.device.trySend(port);
  }

  /** An ARN has arrived; returns whether packets may resume. */
  apply(port: Port, { key, timePs }: Arn): boolean {
    const own = this.#of(port);
    if (own === undefined) return false;
    own.counts.arnsReceived += 1;
    if (timePs === 0) {
      const wasHeld = own.holds.has(key);
      own.release(key, this.#nowPs);
      return wasHeld;
    }
    const untilPs = this.#nowPs + timePs;
    own.holds.set(key, { untilPs, sincePs: own.holds.get(key)?.sincePs ?? this.#nowPs });
    this.#expectExpiry(own, untilPs);
    return false;
  }

  /** Whether anything is held at a port. */
  holdsAny(port: Port): boolean {
    return (this.#of(port)?.holds.size ?? 0) > 0;
  }

  isHeld(port: Port, packet: Packet): boolean {
    const key = this.#keyOf(packet);
    return key !== undefined && this.#of(port)?.holds.has(key) === true;
  }

  /** The link of a port has changed. */
  forget(port: Port): void {
    const own = this.#of(port);
    if (own === undefined) return;
    for (const key of [...own.holds.keys()]) own.release(key, this.#nowPs);
    for (const one of own.asked.values()) one.asked = false;
  }

  /** The counters by port, and the time for which each key was held. */
  outcome(timePs: number): { readonly ports: readonly RawWanPort[]; readonly heldPs: ReadonlyMap<number, number> } {
    const heldPs = new Map<number, number>();
    const ports = this.#world.ports.map((port) => {
      const own = this.#of(port);
      const none = { arnsSent: 0, arnsRefreshed: 0, arnResumes: 0, arnsReceived: 0, arnsExpired: 0, arnHeldPs: 0 };
      if (own === undefined) return none;
      for (const key of [...own.holds.keys()]) own.release(key, timePs);
      for (const [key, one] of own.heldPs) heldPs.set(key, (heldPs.get(key) ?? 0) + one);
      return { ...own.counts, arnHeldPs: [...own.heldPs.values()].reduce((sum, one) => sum + one, 0) };
    });
    return { ports, heldPs };
  }

  get #nowPs(): number {
    return this.#world.events.nowPs;
  }

  #of(port: Port): ArnPort | undefined {
    const known = this.#ports.get(port.index);
    if (known !== undefined) return known;
    const plan = this.#control.ports.find((one) => one.port === port.index && one.control === 'arn');
    if (plan === undefined) return undefined;
    const made = new ArnPort(plan, port);
    this.#ports.set(port.index, made);
    return made;
  }

  /** The key of a packet; undefined: it is never held. */
  #keyOf({ flow, trafficClass, kind }: Packet): number | undefined {
    const { guaranteedClasses = 0 } = this.#world.plan.rules;
    if (flow < 0 || (guaranteedClasses & (1 << trafficClass)) === 0) return undefined;
    if (this.#control.level === 'priority') return trafficClass;
    if (this.#control.level === 'flow') return kind === 'data' ? flow : undefined;
    return this.#wan.serviceOfFlow[flow];
  }

  #expectRefresh(own: ArnPort, duePs: number, put: PutArn): void {
    if (own.refreshScheduled) return;
    own.refreshScheduled = true;
    this.#world.events.schedule(duePs, () => {
      own.refreshScheduled = false;
      this.#refresh(own, put);
    });
  }

  #refresh(own: ArnPort, put: PutArn): void {
    const asked = [...own.asked].filter(([, one]) => one.asked).sort(([a], [b]) => a - b);
    const due = asked.filter(([, one]) => one.refreshPs <= this.#nowPs);
    for (const [, one] of due) one.refreshPs = this.#nowPs + this.#control.refreshPs;
    own.counts.arnsRefreshed += due.length;
    for (const [key] of due) put(own.port, { key, timePs: this.#control.pauseTimePs });
    if (asked.length > 0) this.#expectRefresh(own, Math.min(...asked.map(([, one]) => one.refreshPs)), put);
    if (due.length > 0) own.port.device.trySend(own.port);
  }

  #expectExpiry(own: ArnPort, duePs: number): void {
    if (own.expiryScheduled) return;
    own.expiryScheduled = true;
    this.#world.events.schedule(duePs, () => {
      own.expiryScheduled = false;
      this.#expire(own);
    });
  }

  #expire(own: ArnPort): void {
    const over = [...own.holds].filter(([, { untilPs }]) => untilPs <= this.#nowPs);
    for (const [key] of over) own.release(key, this.#nowPs);
    own.counts.arnsExpired += over.length;
    if (own.holds.size > 0) this.#expectExpiry(own, Math.min(...[...own.holds.values()].map(({ untilPs }) => untilPs)));
    if (over.length > 0) own.port.device.trySend(own.port);
  }
}
