/**
 * PFC hazards under `standard` and their detection: storms and slow receivers at hosts, watchdogs at switches, and
 * inspections for victims and deadlocks while any port is paused.
 *
 *   inspection  at the plan's interval after a pause begins; the interval then doubles, up to 64 times, until another
 *               begins
 *   end         with a deadlock, no future flow start or link change, and nothing delivered for the plan's quiet time
 */
import type { HazardPlan, NetworkPlan } from '../../../../src/sim/plan.js';
import type { RawHazardPort } from '../../../../src/sim/features/hazards/memory.js';
import type { ScheduledEvent } from '../../../../src/sim/event-queue.js';
import type { Port } from '../../link-ends.js';
import type { World } from '../../network.js';
import type { Hazards, ModelHazards, PauseFrame, PausingHost, ReceiveBuffer } from '../../parts.js';
import { Deadlocks } from './deadlocks.js';
import { HostPauses } from './host-pauses.js';
import { ReceivePath } from './receive-path.js';
import { beginStorm } from './storm.js';
import { Victims } from './victims.js';
import { Watchdog } from './watchdog.js';

const CHECK_INTERVALS_MAX = 64;

export class StandardHazards implements Hazards {
  readonly #world: World;
  readonly #plan: HazardPlan;
  readonly #watchdogs: ReadonlyMap<number, Watchdog>;
  readonly #hostPauses = new Map<number, HostPauses>();
  readonly #receivePaths = new Map<number, ReceivePath>();
  readonly victims: Victims;
  readonly deadlocks: Deadlocks;
  isEnded = false;
  #check: ScheduledEvent | undefined;
  #intervalPs = 0;
  #progress = -1;
  #progressPs = 0;

  constructor(world: World, plan: HazardPlan) {
    this.#world = world;
    this.#plan = plan;
    this.victims = new Victims(world);
    this.deadlocks = new Deadlocks(world);
    this.#watchdogs = new Map(plan.watchdogs.map((one) => [one.node, this.#makeWatchdog(one)]));
  }

  begin(): void {
    for (const storm of this.#plan.storms) {
      const port = this.#world.ports[storm.port];
      const host = port.device as unknown as PausingHost;
      beginStorm(this.#world, storm, { port, host, pauses: this.#pausesOf(port) });
    }
  }

  account(timePs: number): void {
    this.#accountVictims(timePs);
    for (const watchdog of this.#watchdogs.values()) watchdog.account(timePs);
  }

  makeReceiveBuffer(port: Port, host: PausingHost): ReceiveBuffer | undefined {
    const plan = this.#plan.receivers.find((one) => one.port === port.index);
    if (plan === undefined) return undefined;
    const path = new ReceivePath(this.#world, plan, port, host, this.#pausesOf(port));
    this.#receivePaths.set(port.index, path);
    return path;
  }

  takesFrame(port: Port, kind: PauseFrame['kind'], trafficClass: number): boolean {
    const watchdog = this.#watchdogs.get(port.device.node);
    if (watchdog?.isStormed(port, trafficClass) !== true) return false;
    watchdog.note(port, trafficClass, kind);
    return true;
  }

  pauseBegan(port: Port, trafficClass: number): void {
    if (this.#plan.checkIntervalPs > 0) this.victims.account(port, trafficClass, this.#world.events.nowPs, true);
    this.#armCheck();
    this.#watchdogs.get(port.device.node)?.pauseBegan();
  }

  pauseEnds(port: Port, trafficClass: number): void {
    if (this.#plan.checkIntervalPs > 0) this.victims.account(port, trafficClass, this.#world.events.nowPs, false);
  }

  forgetPauses(port: Port): void {
    const watchdog = this.#watchdogs.get(port.device.node);
    port.paused.forEach((_, trafficClass) => {
      watchdog?.note(port, trafficClass, 'resume');
    });
    this.#hostPauses.get(port.index)?.forget();
  }

  shutPort(arrival: Port, egress: Port, trafficClass: number): Port | undefined {
    const watchdog = this.#watchdogs.get(egress.device.node);
    const shut = [egress, arrival].find((port) => watchdog?.drops(port, trafficClass));
    if (shut !== undefined && watchdog !== undefined) watchdog.countsOf(shut).watchdogDrops += 1;
    return shut;
  }

  outcome(): ModelHazards {
    const { ports, plan } = this.#world;
    return {
      ports: ports.map((port) => this.#ofPort(port)),
      victims: Array.from(plan.flows, (_, flow) => {
        const { heldPs = 0, heldAt = -1, root = -1 } = this.victims.flows.get(flow) ?? {};
        return { heldPs, heldAt, root };
      }),
      deadlocks: this.deadlocks.found,
    };
  }

  #ofPort(port: Port): RawHazardPort {
    const none = { storms: 0, restored: 0, watchdogDrops: 0, stormedPs: 0 };
    const path = this.#receivePaths.get(port.index);
    return {
      ...(this.#watchdogs.get(port.device.node)?.countsOf(port) ?? none),
      receiveDrops: path?.drops ?? 0,
      maxReceiveBytes: path?.maxBytes ?? 0,
    };
  }

  #makeWatchdog(plan: HazardPlan['watchdogs'][number]): Watchdog {
    const { nodes } = this.#world.plan;
    return new Watchdog(this.#world, plan, () => {
      const { queues } = this.#world.ports[nodes[plan.node].firstPort].device;
      if (queues === undefined) throw new TypeError('a watchdog needs a switch');
      return queues;
    });
  }

  #pausesOf({ index }: Port): HostPauses {
    const known = this.#hostPauses.get(index) ?? new HostPauses();
    this.#hostPauses.set(index, known);
    return known;
  }

  #armCheck(): void {
    const { events } = this.#world;
    const { checkIntervalPs } = this.#plan;
    if (checkIntervalPs === 0) return;
    this.#intervalPs = checkIntervalPs;
    if (this.#check !== undefined && this.#check.timePs <= events.nowPs + checkIntervalPs) return;
    if (this.#check !== undefined) this.#check.cancelled = true;
    this.#scheduleCheck();
  }

  #scheduleCheck(): void {
    const { events } = this.#world;
    this.#check = events.schedule(events.nowPs + this.#intervalPs, () => {
      this.#check = undefined;
      this.#checkPauses();
    });
  }

  #checkPauses(): void {
    const { ports, events } = this.#world;
    this.#accountVictims(events.nowPs);
    this.deadlocks.seek();
    if (this.#hasNothingAhead()) {
      this.isEnded = true;
      events.stop();
    } else if (ports.some(({ paused }) => paused.includes(true))) {
      this.#scheduleCheck();
      this.#intervalPs = Math.min(2 * this.#intervalPs, this.#plan.checkIntervalPs * CHECK_INTERVALS_MAX);
    }
  }

  #accountVictims(timePs: number): void {
    if (this.#plan.checkIntervalPs === 0) return;
    for (const port of this.#world.ports) {
      port.paused.forEach((paused, trafficClass) => {
        if (paused) this.victims.account(port, trafficClass, timePs, true);
      });
    }
  }

  #hasNothingAhead(): boolean {
    const { events: { nowPs }, plan, count } = this.#world;
    if (count.progress !== this.#progress) [this.#progress, this.#progressPs] = [count.progress, nowPs];
    const { quietPs } = this.#plan;
    if (!this.deadlocks.isOpen || quietPs === 0 || nowPs - this.#progressPs < quietPs) return false;
    const startsPs = [...plan.flows.startPs].filter((_, flow) => plan.flows.after[flow] < 0);
    const changes = timedChanges(plan);
    return startsPs.every((timePs) => timePs <= nowPs) && changes.every(({ timePs }) => timePs <= nowPs);
  }
}

/** The scheduled changes of links, entropies, tables and hosts. */
function timedChanges(
  { linkEvents, linkNotices, lossEvents, balancing, transports }: NetworkPlan,
): { timePs: number }[] {
  const ofHosts = [balancing?.selection?.states?.denials, transports?.mrc?.discards];
  return [linkEvents, linkNotices, lossEvents, balancing?.usids?.events, ...ofHosts].flatMap((list) => [...list ?? []]);
}
