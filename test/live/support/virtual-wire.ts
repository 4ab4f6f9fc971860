/** Emulated hosts around an emulated switch in virtual time, without clocks, sockets and threads. */
import { EmulatedHosts } from '../../../src/live/hosts/emulated-hosts.js';
import type { HostsOptions as Options } from '../../../src/live/hosts/settings.js';
import { hostsSettings } from '../../../src/live/hosts/settings.js';
import { EmulatedSwitch } from '../../../src/live/switch/emulated-switch.js';
import { switchSettings } from '../../../src/live/switch/settings.js';
import { EventQueue } from '../../../src/sim/event-queue.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { planOf } from './emulated-star.js';

export class VirtualWire {
  readonly switch: EmulatedSwitch;
  readonly hosts: EmulatedHosts;
  /** Frames that arrived at the switch, for replays. */
  readonly arrivals: { readonly port: number; readonly timePs: number; readonly frame: Uint8Array }[] = [];
  readonly #events = new EventQueue();
  readonly #nodes: readonly number[];
  keepsArrivals = false;
  /** Frames that left the switch, if arrivals are kept. */
  readonly departures: Uint8Array[] = [];

  constructor(scenario: ScenarioSpec, options: Options = {}) {
    const plan = planOf(scenario);
    this.#nodes = plan.nodes.flatMap(({ kind }, node) => (kind === 'host' ? [node] : []));
    this.switch = new EmulatedSwitch(switchSettings(plan), {
      leaves: (port, slot, arrivesPs) => {
        const { pool } = this.switch;
        const at = pool.offsetOf(slot);
        if (this.keepsArrivals) this.departures.push(pool.bytes.slice(at, at + pool.lenBytes[slot]!));
        this.#events.schedule(arrivesPs, () => {
          this.hosts.receive(this.#nodes[port]!, pool.bytes.subarray(at, at + pool.lenBytes[slot]!), arrivesPs);
          this.switch.release(slot);
        });
      },
    });
    const settings = hostsSettings(plan, options);
    this.hosts = new EmulatedHosts(settings, this.#nodes, (node, frame, _timePs, sentPs) => {
      const copy = frame.slice();
      const port = this.#nodes.indexOf(node);
      const arrivesPs = sentPs + settings.hosts[port]!.delayPs;
      this.#events.schedule(arrivesPs, () => {
        if (this.keepsArrivals) this.arrivals.push({ port, timePs: arrivesPs, frame: copy });
        this.switch.receive(port, copy, 0, copy.length, copy.length, arrivesPs);
      });
    });
  }

  /** @param each is called periodically. */
  run(endPs: number,
    each: { readonly everyPs: number; readonly look: (timePs: number) => void } | undefined = undefined): void {
    let checkIntervalPs = each?.everyPs ?? Infinity;
    for (;;) {
      const timePs = Math.min(this.hosts.nextEventPs(), this.switch.nextEventPs, this.#events.nextPs ?? Infinity);
      if (!(timePs <= endPs)) return;
      while (checkIntervalPs <= timePs && each !== undefined) {
        each.look(checkIntervalPs);
        checkIntervalPs += each.everyPs;
      }
      this.#events.runUntil(timePs);
      this.switch.advanceThrough(timePs);
      this.hosts.run(timePs);
    }
  }
}
