/** What a demo shows while it runs, and its result. */
import type { FramePort } from '../ports/frame-port.js';
import type { HostsDriver } from '../hosts/hosts-driver.js';
import { DROP_REASONS, dropsIn, noDrops, type SwitchDropReason } from '../switch/books.js';
import type { SwitchDriver } from '../switch/switch-driver.js';
import type { DemoLink } from './link.js';

/** Rates and queue of a moment. */
export interface DemoView {
  /** Since the demo's clock began, picoseconds. */
  readonly timePs: number;
  /** Rate of congestion control, by flow. */
  readonly ratesBps: readonly number[];
  /** At the receiver's port of the switch. */
  readonly queueBytes: number;
  /** CE marks of the switch so far. */
  readonly marks: number;
  /** Fast CNPs of the switch so far. */
  readonly fastCnps: number;
}

/** Books of an interface of the switch: `in` = `forwarded` + `ended` + `droppedIn`. */
export interface InterfaceBooks {
  /** Of the switch and the host at its far end: `s0:h3`. */
  readonly name: string;
  /** Frames that came in by it. */
  readonly in: number;
  /** Of those, put into the queue of another interface. */
  readonly forwarded: number;
  /** Of those, meant for the switch itself: pause frames. */
  readonly ended: number;
  /** Frames put into its queue. */
  readonly enqueued: number;
  /** Frames that the switch made and put into its queue: Fast CNPs, pause frames. */
  readonly made: number;
  /** Frames that left by it. */
  readonly out: number;
  /** Of those that came in, dropped. */
  readonly droppedIn: number;
  /** Of those in its queue, dropped. */
  readonly droppedOut: number;
}

/** How all frames ended. */
export interface DemoBooks {
  /** By interface of the switch. */
  readonly interfaces: readonly InterfaceBooks[];
  /** Of the whole switch: frames in and made, less those out, ended, dropped and queued. 0: all are accounted for. */
  readonly unaccounted: number;
  /** Frames in queues at the end. */
  readonly queued: number;
  /** Frames dropped by the switch, by reason. */
  readonly drops: Readonly<Record<SwitchDropReason, number>>;
  /** That a port did not take: at the switch, at the hosts. */
  readonly refused: number;
  /** Of frames that came to an end of a link: dropped there before they were read, as rings or queues were full. */
  readonly notRead: number;
  /** Of frames that left by an end of a link: neither read nor dropped at the other. Over UDP, sockets were full. */
  readonly lostOnLinks: number;
  /** CE marks of the switch. */
  readonly marks: number;
  /** Fast CNPs of the switch. */
  readonly fastCnps: number;
  /** Sent by the receiver. */
  readonly cnpsSent: number;
  /** CNPs that came to senders. */
  readonly cnpsReceived: number;
  /** Fast CNPs that came to senders. */
  readonly fastCnpsReceived: number;
  /** By how much a frame left late at most, picoseconds. */
  readonly maxLagPs: number;
}

/** What came of a demo. */
export interface DemoResult extends DemoBooks {
  /** Goodput over the second half, by flow. */
  readonly goodputsBps: readonly number[];
  /** The goodputs' mean: what each would have in a fair share, bits per second. */
  readonly fairBps: number;
  /** Largest share by which a flow is off the fair rate. */
  readonly worst: number;
  /** Jain's index of the goodputs: 1 / flows for one that has all, 1 for equal shares. */
  readonly fairness: number;
}

const PS_PER_S = 1e12;
const BITS = 8;

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

  /** Goodputs count from here. */
  begin(timePs: number): void {
    this.#fromPs = timePs;
    this.#packets = this.#counts();
  }

  view(timePs: number): DemoView {
    const { switch: emulated } = this.#switch;
    const last = emulated.books.length - 1;
    return {
      timePs,
      ratesBps: this.#hosts.hosts.senders.map(({ rateBps }) => rateBps()),
      queueBytes: emulated.queues.bytesOf(last),
      marks: emulated.books[last].marks,
      fastCnps: emulated.books[last].fastCnps,
    };
  }

  measure(timePs: number): Pick<DemoResult, 'goodputsBps' | 'fairBps' | 'worst' | 'fairness'> {
    const { mtuBytes } = this.#hosts.hosts.settings.shape;
    const seconds = (timePs - this.#fromPs) / PS_PER_S;
    const goodputsBps = this.#counts().map((count, flow) =>
      ((count - this.#packets[flow]) * mtuBytes * BITS) / seconds
    );
    const fairBps = goodputsBps.reduce((sum, rate) => sum + rate, 0) / goodputsBps.length;
    const worst = Math.max(...goodputsBps.map((rate) => (fairBps > 0 ? Math.abs(rate / fairBps - 1) : 1)));
    const squares = goodputsBps.reduce((sum, rate) => sum + rate ** 2, 0);
    const fairness = squares === 0 ? 0 : (goodputsBps.length * fairBps ** 2) / squares;
    return { goodputsBps, fairBps, worst, fairness };
  }

  books(): DemoBooks {
    const { switch: emulated, counters } = this.#switch;
    const { hosts, refused } = this.#hosts;
    const interfaces = emulated.books.map((port, index) => ({
      name: emulated.settings.ports[index].name,
      in: port.in,
      forwarded: port.forwarded,
      ended: port.ended,
      enqueued: port.enqueued,
      made: port.made,
      out: port.out,
      droppedIn: dropsIn(port.droppedIn),
      droppedOut: dropsIn(port.droppedOut),
    }));
    const sum = (of: (books: InterfaceBooks) => number): number => interfaces.reduce((all, one) => all + of(one), 0);
    const copied = emulated.books.reduce((all, port) => all + port.copied, 0);
    const counts = hosts.settings.hosts.map(({ node }) => hosts.countersOf(node));
    return {
      interfaces,
      unaccounted: sum((one) => one.in + one.made) + copied -
        sum((one) => one.out + one.ended + one.droppedIn + one.droppedOut) - emulated.queued,
      queued: emulated.queued,
      drops: this.#drops(),
      refused: counters.refused + refused,
      ...this.#linkBooks(),
      marks: emulated.books.reduce((all, { marks }) => all + marks, 0),
      fastCnps: emulated.books.reduce((all, { fastCnps }) => all + fastCnps, 0),
      cnpsSent: counts.reduce((all, { cnpsSent }) => all + cnpsSent, 0),
      cnpsReceived: counts.reduce((all, { cnps }) => all + cnps, 0),
      fastCnpsReceived: counts.reduce((all, { fastCnps }) => all + fastCnps, 0),
      maxLagPs: counters.maxLagPs,
    };
  }

  #linkBooks(): Pick<DemoBooks, 'notRead' | 'lostOnLinks'> {
    const books = { notRead: 0, lostOnLinks: 0 };
    const add = (from: FramePort, to: FramePort): void => {
      const { receivedFrames, receiveDrops } = to.stats();
      const notRead = Object.values(receiveDrops).reduce((sum, count) => sum + count, 0);
      books.notRead += notRead;
      books.lostOnLinks += from.stats().sentFrames - receivedFrames - notRead;
    };
    for (const { atSwitch, atHost } of this.#links) {
      add(atHost, atSwitch);
      add(atSwitch, atHost);
    }
    return books;
  }

  #drops(): Record<SwitchDropReason, number> {
    const drops = noDrops();
    for (const { droppedIn, droppedOut } of this.#switch.switch.books) {
      for (const reason of DROP_REASONS) drops[reason] += droppedIn[reason] + droppedOut[reason];
    }
    return drops;
  }

  #counts(): number[] {
    return this.#hosts.hosts.receivers.map(({ responder }) => responder.expected);
  }
}
