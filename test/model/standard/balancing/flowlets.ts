/**
 * The flowlets of a switch: packets of a flow within the gap keep their port while it is up; LetFlow (NSDI 2017) sends
 * a new flowlet to a random port. The table has at most 65,536 entries, shared by flows whose numbers are equal modulo
 * its size.
 */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, EgressChooser, NextHops } from './egress-chooser.js';

const ENTRIES_MAX = 65_536;

interface Flowlet {
  readonly port: Port;
  readonly lastPs: number;
}

export class Flowlets {
  readonly #gapPs: number;
  readonly #entries: number;
  readonly #table = new Map<number, Flowlet>();

  constructor(gapPs: number, flows: number) {
    this.#gapPs = gapPs;
    this.#entries = Math.min(ENTRIES_MAX, flows);
  }

  /** @param choose returns the egress port of a new flowlet, given that of the previous one. */
  egressFor(nowPs: number, { flow }: Packet, { open }: NextHops, choose: (last: Port | undefined) => Port): Port {
    const entry = flow % this.#entries;
    const last = this.#table.get(entry);
    const goesOn = last !== undefined && nowPs - last.lastPs <= this.#gapPs && open.includes(last.port);
    const port = goesOn ? last.port : choose(last?.port);
    this.#table.set(entry, { port, lastPs: nowPs });
    return port;
  }
}

export class LetFlowOfPaper implements EgressChooser {
  readonly #now: () => number;
  readonly #flowlets: Flowlets;
  readonly #below: Below;

  constructor(now: () => number, flowlets: Flowlets, below: Below) {
    this.#now = now;
    this.#flowlets = flowlets;
    this.#below = below;
  }

  choose(packet: Packet, nextHops: NextHops): Port {
    return this.#flowlets.egressFor(this.#now(), packet, nextHops,
      () => nextHops.open[this.#below(nextHops.open.length)]);
  }
}
