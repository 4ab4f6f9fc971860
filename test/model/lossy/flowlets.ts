/**
 * The flowlets of a source leaf: a flow keeps its path until it pauses.
 *
 * The key is (destination address, source port, destination port OR class): flows of two hosts to one destination may
 * share an entry [BUG]. Source: docs/specs/reference-lossy.md, section 9.
 */
import type { Packet } from '../packet.js';
import type { LeafPath } from './leaf-paths.js';

interface Flowlet {
  path: LeafPath;
  lastPs: number;
}

export class Flowlets {
  readonly #flowlets = new Map<string, Flowlet>();
  readonly #gapPs: number;

  /** @param gapPs the idle time after which a flow may take another path. */
  constructor(gapPs: number) {
    this.#gapPs = gapPs;
  }

  /** The path of a packet's flowlet; `choose` gives that of a new one. */
  pathOf(nowPs: number, packet: Packet, choose: () => LeafPath): LeafPath {
    const { tuple: { destinationAddress, sourcePort, destinationPort }, trafficClass } = packet;
    const key = `${destinationAddress} ${sourcePort} ${destinationPort | trafficClass}`;
    const flowlet = this.#flowlets.get(key);
    const goesOn = flowlet !== undefined && nowPs - flowlet.lastPs <= this.#gapPs;
    const path = goesOn ? flowlet.path : choose();
    this.#flowlets.set(key, { path, lastPs: nowPs });
    return path;
  }

  forgetIdle(nowPs: number, longerThanPs: number): void {
    for (const [key, { lastPs }] of this.#flowlets) if (nowPs - lastPs > longerThanPs) this.#flowlets.delete(key);
  }
}
