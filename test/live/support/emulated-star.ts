/** An emulated switch of a small scenario, the frames that its hosts send, and those that leave the switch. */
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import { FrameTemplates } from '../../../src/sim/files/capture-templates.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { PacketRecord } from '../../../src/sim/result.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';
import { type SwitchDropReason, dropsIn } from '../../../src/live/switch/switch-counters.js';
import { EmulatedSwitch } from '../../../src/live/switch/emulated-switch.js';
import type { SwitchRoom } from '../../../src/live/switch/frame-pool.js';
import { switchSettings, type SwitchOptions, type SwitchSettings } from '../../../src/live/switch/settings.js';

export const US_PS = 1e6;

/** A star of this many hosts, all of which send to the last one. */
export function starScenario(hosts: number, more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  const flows = Array.from({ length: hosts - 1 }, (_, host) => ({
    from: `h${host}`,
    to: `h${hosts - 1}`,
    sizeBytes: 1_000_000,
  }));
  return {
    name: 'emulated star',
    topology: { kind: 'star', hosts, rateGbps: 1, delayNs: 1000 },
    workload: { kind: 'flows', flows },
    ...more,
  };
}

export function planOf(scenario: ScenarioSpec): NetworkPlan {
  return compileScenario(validateScenario(scenario)).plan;
}

export interface Left {
  readonly port: number;
  readonly arrivesPs: number;
  readonly frame: Uint8Array;
}

export interface Seen {
  readonly timePs: number;
  readonly port: number;
}

const asTheyAre = (settings: SwitchSettings): SwitchSettings => settings;

/** A switch that releases each frame's slot at once, and keeps copies. */
export class Emulated {
  readonly plan: NetworkPlan;
  readonly switch: EmulatedSwitch;
  readonly left: Left[] = [];
  readonly marks: Seen[] = [];
  readonly drops: (Seen & { readonly reason: SwitchDropReason })[] = [];
  readonly #templates: FrameTemplates;

  constructor(scenario: ScenarioSpec, options: SwitchOptions = {}, room?: SwitchRoom, change = asTheyAre) {
    this.plan = planOf(scenario);
    this.#templates = new FrameTemplates(this.plan);
    this.switch = new EmulatedSwitch(change(switchSettings(this.plan, options)), {
      leaves: (port, slot, arrivesPs) => {
        const { pool } = this.switch;
        const at = pool.offsetOf(slot);
        this.left.push({ port, arrivesPs, frame: pool.bytes.slice(at, at + pool.lenBytes[slot]!) });
        this.switch.release(slot);
      },
      marked: (timePs, port) => {
        this.marks.push({ timePs, port });
      },
      dropped: (timePs, port, reason) => {
        this.drops.push({ timePs, port, reason });
      },
    }, room);
  }

  /** The frame of a packet as its host sends it. */
  frame(kind: PacketRecord['kind'], flow: number, sequence: number, payloadBytes = 1000): Uint8Array {
    const { flows, nodes, ports } = this.plan;
    const { source, destination, dataClass, headerBytes } = flows.get(flow);
    const forth = kind === 'data';
    const lenBytes = forth ? headerBytes + payloadBytes : kind === 'cnp' ? 98 : 86;
    const port = nodes[forth ? source : destination]!.firstPort;
    const trafficClass = kind === 'cnp' ? 6 : dataClass;
    const record = { timePs: 0, port, kind, flow, sequence, lenBytes, payloadBytes, trafficClass, marked: false };
    return this.#templates.frameOf({ ...record, port: ports[port]!.peerPort < 0 ? 0 : port }).slice();
  }

  /** @param port of the switch, from 0; host n is at port n. */
  arrive(port: number, frame: Uint8Array, timePs: number): void {
    this.switch.receive(port, frame, 0, frame.length, frame.length, timePs);
  }

  /** Processes all remaining events. */
  drain(): void {
    for (let steps = 0; this.switch.queued > 0 && this.switch.nextEventPs < Infinity; steps += 1) {
      if (steps > 1e6) throw new Error('the switch does not drain');
      this.switch.advanceThrough(this.switch.nextEventPs);
    }
  }

  /** Inconsistencies of its counters; empty if there are none. */
  imbalances(): string[] {
    const { counters, queued, pool } = this.switch;
    const sum = (of: (port: (typeof counters)[number]) => number): number =>
      counters.reduce((all, port) => all + of(port), 0);
    const wrong: string[] = [];
    const expect = (what: string, left: number, right: number): void => {
      if (left !== right) wrong.push(`${what}: ${left} and ${right}`);
    };
    counters.forEach((port, index) => {
      const { in: came, copied, forwarded, ended, droppedIn } = port;
      expect(`arrivals of port ${index}`, came + copied, forwarded + ended + dropsIn(droppedIn));
    });
    expect('exits', sum((port) => port.enqueued + port.made),
      sum((port) => port.out + dropsIn(port.droppedOut)) + queued);
    expect('all', sum((port) => port.in + port.copied + port.made),
      sum((port) => port.out + port.ended + dropsIn(port.droppedIn) + dropsIn(port.droppedOut)) + queued);
    expect('slots', pool.slots - pool.freeCount, queued);
    return wrong;
  }
}
