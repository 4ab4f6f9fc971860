/** When sending ports become free: by time, and at one instant in the order in which they began. */
import { exactTxTimePs } from '../../switching/exact-time.js';
import { NONE } from './frame-pool.js';

export class PortTimes {
  /** Infinity: the port is free. */
  readonly freePs: Float64Array;
  readonly #begunAt: Float64Array;
  /** By port and length, filled on demand. */
  readonly #txPs: readonly Float64Array[];
  readonly #rates: readonly number[];
  readonly #overheadBytes: number;
  #begun = 0;

  /** @param rates bits per second, by port. @param overheadBytes on the wire, around a frame. */
  constructor(rates: readonly number[], longestBytes: number, overheadBytes: number) {
    this.freePs = new Float64Array(rates.length).fill(Infinity);
    this.#begunAt = new Float64Array(rates.length);
    this.#txPs = rates.map(() => new Float64Array(longestBytes + 1));
    this.#rates = rates;
    this.#overheadBytes = overheadBytes;
  }

  /** A port begins to send. @returns when the last bit leaves. */
  begin(port: number, countedBytes: number, timePs: number): number {
    const sentPs = timePs + this.#timePs(port, countedBytes);
    this.freePs[port] = sentPs;
    this.#begunAt[port] = this.#begun;
    this.#begun += 1;
    return sentPs;
  }

  /** The port that becomes free first; NONE: none is sending. */
  first(): number {
    let first = NONE;
    let firstPs = Infinity;
    for (let port = 0; port < this.freePs.length; port += 1) {
      const freePs = this.freePs[port];
      if (freePs > firstPs || freePs === Infinity) continue;
      if (freePs === firstPs && this.#begunAt[port] > this.#begunAt[first]) continue;
      first = port;
      firstPs = freePs;
    }
    return first;
  }

  #timePs(port: number, countedBytes: number): number {
    const times = this.#txPs[port];
    if (times[countedBytes] === 0) {
      times[countedBytes] = exactTxTimePs(countedBytes + this.#overheadBytes, this.#rates[port]);
    }
    return times[countedBytes];
  }
}
