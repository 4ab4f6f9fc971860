/**
 * Flowlets of a switch: packets of a flow within the gap keep their way while it is open. LetFlow (NSDI 2017): a new one takes any exit.
 * The table has 65,536 entries at most; flows share one where their numbers are equal modulo its size.
 */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, ExitChooser, Exits } from './exit-chooser.js';

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

  /** @param choose for a new flowlet; it is given the exit of the last one. */
  exitFor(nowPs: number, { flow }: Packet, { open }: Exits, choose: (last: Port | undefined) => Port): Port {
    const entry = flow % this.#entries;
    const last = this.#table.get(entry);
    const goesOn = last !== undefined && nowPs - last.lastPs <= this.#gapPs && open.includes(last.port);
    const port = goesOn ? last.port : choose(last?.port);
    this.#table.set(entry, { port, lastPs: nowPs });
    return port;
  }
}

export class LetFlowOfPaper implements ExitChooser {
  readonly #now: () => number;
  readonly #flowlets: Flowlets;
  readonly #below: Below;

  constructor(now: () => number, flowlets: Flowlets, below: Below) {
    this.#now = now;
    this.#flowlets = flowlets;
    this.#below = below;
  }

  choose(packet: Packet, exits: Exits): Port {
    return this.#flowlets.exitFor(this.#now(), packet, exits, () => exits.open[this.#below(exits.open.length)]);
  }
}
