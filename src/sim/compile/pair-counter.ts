/** Counts the flows of each pair of hosts in a hash table of numbers: for millions of pairs, a Map needs ten times the memory. */

const FACTOR = 0x9e3779b1;
/** IANA's dynamic ports begin later; the reference's numbers begin here (docs/specs/reference.md, section 9). */
const FIRST_SOURCE_PORT = 10_000;
const SOURCE_PORTS = 65_536 - FIRST_SOURCE_PORT;

export class PairCounter {
  readonly #nodes: number;
  readonly #mask: number;
  /** Pair + 1 by slot; 0: free. */
  readonly #pairs: Uint32Array;
  readonly #counts: Uint32Array;

  /** @param nodes number of nodes in the network, at most 65,535. @param flows number of flows to count. */
  constructor(nodes: number, flows: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * flows + 1));
    this.#nodes = nodes;
    this.#mask = slots - 1;
    this.#pairs = new Uint32Array(slots);
    this.#counts = new Uint32Array(slots);
  }

  /** Counts one more flow; returns its UDP source port, for flows that don't state one. */
  nextSourcePort(source: number, destination: number): number {
    return FIRST_SOURCE_PORT + (this.add(source, destination) % SOURCE_PORTS);
  }

  /** Counts one more flow; returns the number of earlier flows of the pair. */
  add(source: number, destination: number): number {
    const pair = (source * this.#nodes + destination + 1) >>> 0;
    let slot = (Math.imul(pair, FACTOR) >>> 7) & this.#mask;
    while (this.#pairs[slot] !== pair && this.#pairs[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#pairs[slot] = pair;
    return this.#counts[slot]++;
  }
}
