/**
 * The demo over UDP sockets on the loopback, in one process: senders, switch and receiver, a pair of sockets per link. It needs no
 * permissions, and proves the whole loop: frames, marks, CNPs, Fast CNPs, rates.
 */
import { checkFields, checkRecord, numberIn, oneOf, type FieldRules } from '../../config/field-rules.js';
import { compileScenario, validateScenario } from '../../sim/index.js';
import { startLiveClock, type LiveClock } from '../clock/live-clock.js';
import { HostsDriver } from '../hosts/hosts-driver.js';
import { hostsSettings } from '../hosts/settings.js';
import { requireCallback, requireSignal } from '../ports/checks.js';
import type { FramePort } from '../ports/frame-port.js';
import { openUdpPort } from '../ports/udp/udp-port.js';
import { switchSettings } from '../switch/settings.js';
import { SwitchDriver } from '../switch/switch-driver.js';
import { DemoMeter, type DemoResult, type DemoView } from './demo-meter.js';
import { demoScenario, type DemoMode } from './scenario.js';

/** What a demo runs. */
export interface DemoOptions {
  /** CNPs of the receiver, or Fast CNPs of the switch. */
  readonly mode: DemoMode;
  /** Of all links, 10^7 to 10^9 bit/s. */
  readonly rateBps: number;
  /** How long it runs, 0.1 to 3,600 s. Rates are those of the second half. */
  readonly seconds: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
  /** Called twice a second. */
  readonly onView?: ((view: DemoView) => void) | undefined;
}

const SEND_FRAMES = 8192;
const ANY_LOCAL = { address: '127.0.0.1', port: 0 };
const PS_PER_NS = 1000;
const BPS_PER_MBPS = 1e6;
const PS_PER_S = 1e12;
const VIEW_PS = PS_PER_S / 2;
const ACK_EVERY_PACKETS = 4;
const DRAIN_PS = 2 * PS_PER_S;

const RULES: FieldRules<Pick<DemoOptions, 'mode' | 'rateBps' | 'seconds'>> = {
  mode: oneOf('dcqcn', 'dcqcn-fast-cnp'),
  rateBps: numberIn(1e7, 1e9, 'bit/s'),
  seconds: numberIn(0.1, 3600, 's'),
};

/**
 * Runs an incast of sixteen emulated senders to one receiver through one emulated switch, over UDP sockets on the loopback, and reports
 * what came of it. Nothing is left behind, however it ends.
 *
 * @throws RoceError `invalid-config` for options out of range.
 */
export async function runUdpDemo(options: DemoOptions): Promise<DemoResult> {
  checkRecord(options, 'options');
  const { mode, rateBps, seconds, signal, onView } = options;
  checkFields({ mode, rateBps, seconds }, RULES, 'options');
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
  const { plan } = compileScenario(validateScenario(demoScenario(mode, rateBps / BPS_PER_MBPS)));
  const clock = startLiveClock();
  const links = await openLinks(plan.nodes.filter(({ kind }) => kind === 'host').length, clock);
  try {
    const atSwitch = links.map(([end]) => end);
    const forSwitch = new SwitchDriver(switchSettings(plan), atSwitch, clock.originNs);
    const settings = hostsSettings(plan, { endless: true, ackEveryPackets: ACK_EVERY_PACKETS });
    const ends = settings.hosts.map(({ node }, index) => ({ node, port: links[index][1] }));
    const forHosts = new HostsDriver(settings, ends);
    try {
      return await new Demo(options, forSwitch, forHosts, clock).run();
    } finally {
      forHosts[Symbol.dispose]();
    }
  } finally {
    for (const port of links.flat()) port.close();
  }
}

async function openLinks(hosts: number, clock: LiveClock): Promise<(readonly [FramePort, FramePort])[]> {
  const links: (readonly [FramePort, FramePort])[] = [];
  try {
    for (let host = 0; host < hosts; host += 1) links.push(await openLink(clock));
  } catch (error) {
    for (const port of links.flat()) port.close();
    throw error;
  }
  return links;
}

/** Two sockets that know each other: each needs the other's number, so one is opened twice. */
async function openLink(clock: LiveClock): Promise<readonly [FramePort, FramePort]> {
  const probe = await openUdpPort({ local: ANY_LOCAL, clock });
  const { local } = probe;
  probe.close();
  const far = await openUdpPort({ local: ANY_LOCAL, peer: local, clock, sendFrames: SEND_FRAMES });
  const near = await openUdpPort({ local, peer: far.local, clock, sendFrames: SEND_FRAMES });
  return [near, far];
}

class Demo {
  readonly #options: DemoOptions;
  readonly #switch: SwitchDriver;
  readonly #hosts: HostsDriver;
  readonly #clock: LiveClock;
  readonly #meter: DemoMeter;

  constructor(options: DemoOptions, forSwitch: SwitchDriver, forHosts: HostsDriver, clock: LiveClock) {
    this.#options = options;
    this.#switch = forSwitch;
    this.#hosts = forHosts;
    this.#clock = clock;
    this.#meter = new DemoMeter(forSwitch, forHosts);
  }

  async run(): Promise<DemoResult> {
    const beginPs = this.#nowPs();
    const lastsPs = this.#options.seconds * PS_PER_S;
    await this.#until((timePs) => timePs >= beginPs + lastsPs || this.#options.signal?.aborted === true,
      beginPs + lastsPs / 2);
    const result = this.#meter.measure(this.#nowPs());
    // What is under way still arrives, so that the books can balance.
    this.#hosts.hosts.stop();
    const latestPs = this.#nowPs() + DRAIN_PS;
    await this.#until((timePs) => timePs >= latestPs || this.#isIdle(), Infinity);
    return { ...result, ...this.#meter.books() };
  }

  async #until(isOver: (timePs: number) => boolean, middlePs: number): Promise<void> {
    let viewPs = this.#nowPs() + VIEW_PS;
    let isMiddle = false;
    for (let timePs = this.#nowPs(); !isOver(timePs); timePs = this.#nowPs()) {
      this.#hosts.poll(timePs);
      this.#switch.poll(timePs);
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

  #isIdle(): boolean {
    const { switch: emulated, travelling } = this.#switch;
    return emulated.queued === 0 && travelling === 0 &&
      this.#hosts.hosts.senders.every(({ requester }) => requester.isDone);
  }

  #nowPs(): number {
    return this.#clock.nowNs() * PS_PER_NS;
  }
}

/** Sockets are read between turns of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
