/** Measures the progress and result of a demo. */
import { PS_PER_SECOND } from '../../unit-sizes.js';
import type { HostsDriver } from '../hosts/run-hosts.js';
import type { FramePort } from '../ports/frame-port.js';
import { countersOf, type SwitchCounters } from '../switch/switch-counters.js';
import type { SwitchDriver } from '../switch/run-switch.js';

/** A link of a demo: the ports at its two ends, the switch's and the host's. */
export interface DemoLink {
  readonly atSwitch: FramePort;
  readonly atHost: FramePort;
}

const BITS = 8;

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
      ((count - this.#packets[flow]) * mtuBytes * BITS) / seconds
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
