/**
 * The incast of a demo, over any kind of link: sixteen senders, a switch and a receiver in one process and one event
 * loop; and the meter of its progress and result.
 *
 * The clock starts after setup; otherwise hosts would immediately send everything due during setup.
 */
import { checkFields, checkRecord, type FieldRules, numberIn, oneOf } from '../../config/field-rules.js';
import { compileScenario, type NetworkPlan, validateScenario } from '../../sim/index.js';
import type { ScenarioSpec } from '../../sim/scenario/spec.js';
import { BITS_PER_BYTE, BPS_PER_MBPS, PS_PER_MS, PS_PER_NS, PS_PER_SECOND, US_PER_MS } from '../../units.js';
import { HostsDriver } from '../hosts/run-hosts.js';
import { hostsSettings } from '../hosts/settings.js';
import type { FramePort, LiveClock } from '../ports/frame-port.js';
import { requireCallback, requireSignal } from '../ports/checks.js';
import { switchSettings } from '../switch/settings.js';
import { SwitchDriver } from '../switch/run-switch.js';
import { countersOf, type SwitchCounters } from '../switch/switch-counters.js';

const RULES: FieldRules<Pick<DemoOptions, 'mode' | 'rateBps' | 'seconds'>> = {
  mode: oneOf('dcqcn', 'dcqcn-fast-cnp'),
  rateBps: numberIn(1e7, 1e9, 'bit/s'),
  seconds: numberIn(0.1, 3600, 's'),
};

/** Kind of notification. */
export type DemoMode = 'dcqcn' | 'dcqcn-fast-cnp';

/** Options of a demo. */
export interface DemoOptions {
  /** Kind of notification: CNPs from the receiver, or Fast CNPs from the switch. */
  readonly mode: DemoMode;
  /** Rate of all links, 10^7 to 10^9 bit/s. */
  readonly rateBps: number;
  /** Duration, 0.1 to 3,600 s. Goodput is measured over the second half. */
  readonly seconds: number;
  /** Ends the demo early. */
  readonly signal?: AbortSignal | undefined;
  /** Called twice a second with the current state. */
  readonly onView?: ((view: DemoView) => void) | undefined;
}

const DEMO_SENDERS = 16;
const TUNED_MBPS = 200;
const MBPS_PER_GBPS = 1000;
const VIEW_PS = PS_PER_SECOND / 2;
const ACK_EVERY_PACKETS = 4;
/** Keeps all data in flight below what the switch can hold without a pause: 16 x 16 x 1,106 bytes. */
const WINDOW_PACKETS = 16;
/** Node's timers may be a few ms late on a busy machine; without catching up, links would be slower than configured. */
const CATCH_UP_PS = 20 * PS_PER_MS;
const DRAIN_PS = 10 * PS_PER_SECOND;
/** Without arrivals for this long, nothing is in flight. The last packets may not have requested an ACK. */
const QUIET_PS = 100 * PS_PER_MS;
const QUIET_POLLS = 50;

/** @throws RoceError `invalid-config` for options out of range. */
export function checkDemoOptions(options: DemoOptions): void {
  checkRecord(options, 'options');
  const { mode, rateBps, seconds, signal, onView } = options;
  checkFields({ mode, rateBps, seconds }, RULES, 'options');
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
}

/** The network of a demo: hosts in the order of links. */
export function demoPlan({ mode, rateBps }: DemoOptions): NetworkPlan {
  return compileScenario(validateScenario(demoScenario(mode, rateBps / BPS_PER_MBPS))).plan;
}

/** @returns number of hosts in a plan, which equals the number of links needed. */
export function linksOf({ nodes }: NetworkPlan): number {
  return nodes.filter(({ kind }) => kind === 'host').length;
}

/**
 * The scenario of the demo: an incast under DCQCN, with or without Fast CNPs.
 *
 * Parameters that are ratios (g, F, the cut) are those of the SIGCOMM 2015 paper; times are longer. At 200 Mb/s a
 * packet of 1,024 bytes takes 44 us, and at a sixteenth of the link a flow sends one in 0.7 ms, so 50 us between CNPs
 * would mean a CNP per packet. g, the steps and the thresholds were tuned in virtual time until all flows were within 5
 * % of a sixteenth after half a second (test/live/hosts.test.ts). At other rates, times scale with 1 / rate and steps
 * with the rate.
 *
 * @param rateMbps of all links, 10 to 10,000.
 */
export function demoScenario(mode: DemoMode, rateMbps: number, senders = DEMO_SENDERS): ScenarioSpec {
  const slower = TUNED_MBPS / rateMbps;
  const rateGbps = rateMbps / MBPS_PER_GBPS;
  const step = Math.round(BPS_PER_MBPS / slower);
  return {
    name: `live demo, ${mode}`,
    topology: { kind: 'star', hosts: senders + 1, rateGbps, delayNs: 10_000 },
    workload: { kind: 'incast', senders, sizeBytes: 1_000_000_000 },
    algorithms: {
      default: {
        preset: 'dcqcn-sigcomm15',
        parameters: {
          minRateBps: Math.round((BPS_PER_MBPS / 10) / slower),
          aiRateBps: step,
          haiRateBps: step,
          increasePeriodPs: Math.round(3 * PS_PER_MS * slower),
          alphaPeriodPs: Math.round(PS_PER_MS * slower),
          alphaGain: 1 / 16,
          byteCounterBytes: 0,
        },
      },
    },
    switches: {
      bufferBytes: 600_000,
      headroomBytes: 10_000,
      ecn: { byRate: [{ rateGbps, kminKB: 10, kmaxKB: 100, pmax: 0.2 }] },
      fastCnp: {
        enabled: mode === 'dcqcn-fast-cnp',
        flowRatePerSecond: Math.round(1000 / slower),
        flowBurst: 1,
      },
    },
    hosts: { cnpIntervalUs: US_PER_MS * slower, retransmitTimeoutUs: 500 * US_PER_MS, mtuBytes: 1024 },
  };
}

/** Runs the incast; the links stay open. */
export async function runIncast(options: DemoOptions, plan: NetworkPlan, links: readonly DemoLink[],
  clock: LiveClock): Promise<DemoResult> {
  const settings = hostsSettings(plan, {
    endless: true,
    ackEveryPackets: ACK_EVERY_PACKETS,
    windowPackets: WINDOW_PACKETS,
    catchUpPs: CATCH_UP_PS,
  });
  const ends = settings.hosts.map(({ node }, index) => ({ node, port: links[index].atHost }));
  const forHosts = new HostsDriver(settings, ends);
  try {
    const forSwitch = switchSettings(plan);
    const beganNs = clock.nowNs();
    const originNs = clock.originNs + BigInt(beganNs);
    const atSwitch = new SwitchDriver(forSwitch, links.map((link) => link.atSwitch), originNs);
    const meter = new DemoMeter(atSwitch, forHosts, links);
    return await new Incast(options, atSwitch, forHosts, meter, () => (clock.nowNs() - beganNs) * PS_PER_NS).run();
  } finally {
    forHosts[Symbol.dispose]();
  }
}

class Incast {
  readonly #options: DemoOptions;
  readonly #switch: SwitchDriver;
  readonly #hosts: HostsDriver;
  readonly #nowPs: () => number;
  readonly #meter: DemoMeter;
  #lastFramePs = 0;
  /**
   * Consecutive polls without a frame. Elapsed time would not do, since a process that was not scheduled has not
   * polled.
   */
  #idlePolls = 0;

  constructor(options: DemoOptions, forSwitch: SwitchDriver, forHosts: HostsDriver, meter: DemoMeter,
    nowPs: () => number) {
    this.#options = options;
    this.#switch = forSwitch;
    this.#hosts = forHosts;
    this.#nowPs = nowPs;
    this.#meter = meter;
  }

  async run(): Promise<DemoResult> {
    const beginPs = this.#nowPs();
    const lastsPs = this.#options.seconds * PS_PER_SECOND;
    await this.#until((timePs) => timePs >= beginPs + lastsPs || this.#options.signal?.aborted === true,
      beginPs + lastsPs / 2);
    const result = this.#meter.measure(this.#nowPs());
    // Packets in flight may still arrive, so that the counters add up.
    this.#hosts.hosts.stop();
    const latestPs = this.#nowPs() + DRAIN_PS;
    await this.#until((timePs) => timePs >= latestPs || this.#isQuiet(timePs), Infinity);
    return { ...result, ...this.#meter.counters() };
  }

  async #until(isOver: (timePs: number) => boolean, middlePs: number): Promise<void> {
    let viewPs = this.#nowPs() + VIEW_PS;
    let isMiddle = false;
    for (let timePs = this.#nowPs(); !isOver(timePs); timePs = this.#nowPs()) {
      this.#idlePolls++;
      if (this.#hosts.poll(timePs) + this.#switch.poll(timePs) > 0) {
        this.#lastFramePs = timePs;
        this.#idlePolls = 0;
      }
      if (!isMiddle && timePs >= middlePs) {
        this.#meter.begin(timePs);
        isMiddle = true;
      }
      if (timePs >= viewPs) {
        this.#options.onView?.(this.#meter.view(timePs));
        viewPs += VIEW_PS;
      }
      await nextTurn();
    }
  }

  #isQuiet(timePs: number): boolean {
    const { switch: emulated, travelling } = this.#switch;
    return emulated.queued === 0 && travelling === 0 && this.#idlePolls >= QUIET_POLLS &&
      timePs - this.#lastFramePs > QUIET_PS;
  }
}

/** Yields to the event loop, so that sockets are read and signals handled. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}

/** A link of a demo: the ports at its two ends, the switch's and the host's. */
export interface DemoLink {
  readonly atSwitch: FramePort;
  readonly atHost: FramePort;
}

/** Rates and queue length at one instant. */
export interface DemoView {
  /** Time since the start of the demo's clock, picoseconds. */
  readonly timePs: number;
  /** Congestion control rate of each flow. */
  readonly ratesBps: readonly number[];
  /** Queue at the switch's port to the receiver. */
  readonly queueBytes: number;
  /** CE marks set by the switch so far. */
  readonly marks: number;
  /** Fast CNPs sent by the switch so far. */
  readonly fastCnps: number;
}

/** Accounting of all frames, at the switch and elsewhere. */
export interface DemoCounters extends SwitchCounters {
  /** Frames rejected by a port of the switch or of a host. */
  readonly rejected: number;
  /** Frames that reached the end of a link but were dropped unread, because a ring or queue was full. */
  readonly notRead: number;
  /**
   * Frames sent at one end of a link, but neither read nor dropped at the other; over UDP, because a socket was full.
   */
  readonly lostOnLinks: number;
  /** CE marks set by the switch. */
  readonly marks: number;
  /** Fast CNPs sent by the switch. */
  readonly fastCnps: number;
  /** CNPs sent by the receiver. */
  readonly cnpsSent: number;
  /** CNPs that reached a sender. */
  readonly cnpsReceived: number;
  /** Fast CNPs that reached a sender. */
  readonly fastCnpsReceived: number;
  /** Maximum delay of a departing frame beyond its due time, picoseconds. */
  readonly maxLagPs: number;
}

/** The result of a demo. */
export interface DemoResult extends DemoCounters {
  /** Goodput of each flow over the second half. */
  readonly goodputsBps: readonly number[];
  /** Mean of the goodputs: the fair share of each flow, bits per second. */
  readonly fairBps: number;
  /** Largest relative deviation of a flow from the fair share. */
  readonly worst: number;
  /** Jain's index of the goodputs: 1 for equal shares, 1 / flows if one flow has everything. */
  readonly fairness: number;
}

export class DemoMeter {
  readonly #switch: SwitchDriver;
  readonly #hosts: HostsDriver;
  readonly #links: readonly DemoLink[];
  #fromPs = 0;
  #packets: readonly number[];

  constructor(forSwitch: SwitchDriver, forHosts: HostsDriver, links: readonly DemoLink[]) {
    this.#links = links;
    this.#switch = forSwitch;
    this.#hosts = forHosts;
    this.#packets = this.#counts();
  }

  /** Starts to measure goodput at this time. */
  begin(timePs: number): void {
    this.#fromPs = timePs;
    this.#packets = this.#counts();
  }

  view(timePs: number): DemoView {
    const { switch: emulated } = this.#switch;
    const last = emulated.counters.length - 1;
    return {
      timePs,
      ratesBps: this.#hosts.hosts.senders.map(({ rateBps }) => rateBps()),
      queueBytes: emulated.queues.bytesOf(last),
      marks: emulated.counters[last].marks,
      fastCnps: emulated.counters[last].fastCnps,
    };
  }

  measure(timePs: number): Pick<DemoResult, 'goodputsBps' | 'fairBps' | 'worst' | 'fairness'> {
    const { mtuBytes } = this.#hosts.hosts.settings.shape;
    const seconds = (timePs - this.#fromPs) / PS_PER_SECOND;
    const goodputsBps = this.#counts().map((count, flow) =>
      ((count - this.#packets[flow]) * mtuBytes * BITS_PER_BYTE) / seconds
    );
    const fairBps = goodputsBps.reduce((sum, rate) => sum + rate, 0) / goodputsBps.length;
    const worst = Math.max(...goodputsBps.map((rate) => (fairBps > 0 ? Math.abs(rate / fairBps - 1) : 1)));
    const squares = goodputsBps.reduce((sum, rate) => sum + rate ** 2, 0);
    const fairness = squares === 0 ? 0 : (goodputsBps.length * fairBps ** 2) / squares;
    return { goodputsBps, fairBps, worst, fairness };
  }

  counters(): DemoCounters {
    const { switch: emulated, counters } = this.#switch;
    const { hosts, rejected } = this.#hosts;
    const counts = hosts.settings.hosts.map(({ node }) => hosts.countersOf(node));
    return {
      ...countersOf(emulated),
      rejected: counters.rejected + rejected,
      ...this.#linkCounters(),
      marks: emulated.counters.reduce((all, { marks }) => all + marks, 0),
      fastCnps: emulated.counters.reduce((all, { fastCnps }) => all + fastCnps, 0),
      cnpsSent: counts.reduce((all, { cnpsSent }) => all + cnpsSent, 0),
      cnpsReceived: counts.reduce((all, { cnps }) => all + cnps, 0),
      fastCnpsReceived: counts.reduce((all, { fastCnps }) => all + fastCnps, 0),
      maxLagPs: counters.maxLagPs,
    };
  }

  #linkCounters(): Pick<DemoCounters, 'notRead' | 'lostOnLinks'> {
    const counters = { notRead: 0, lostOnLinks: 0 };
    const add = (from: FramePort, to: FramePort): void => {
      const { receivedFrames, receiveDrops } = to.stats();
      const notRead = Object.values(receiveDrops).reduce((sum, count) => sum + count, 0);
      counters.notRead += notRead;
      counters.lostOnLinks += from.stats().sentFrames - receivedFrames - notRead;
    };
    for (const { atSwitch, atHost } of this.#links) {
      add(atHost, atSwitch);
      add(atSwitch, atHost);
    }
    return counters;
  }

  #counts(): number[] {
    return this.#hosts.hosts.receivers.map(({ responder }) => responder.expected);
  }
}
