/** Tracks when sending ports become free: ordered by time, and at one instant by the order in which they started. */
import { exactTxTimePs } from '../../exact-numbers.js';
import { NONE } from './frame-pool.js';

export class PortTimes {
  /** When each port becomes free; Infinity if it is free. */
  readonly freePs: Float64Array;
  readonly #begunAt: Float64Array;
  /** Transmission times by port and length, filled on demand. */
  readonly #txPs: readonly Float64Array[];
  readonly #rates: readonly number[];
  readonly #overheadBytes: number;
  #begun = 0;

  /** @param rates bits per second, by port. @param overheadBytes per frame on the wire. */
  constructor(rates: readonly number[], longestBytes: number, overheadBytes: number) {
    this.freePs = new Float64Array(rates.length).fill(Infinity);
    this.#begunAt = new Float64Array(rates.length);
    this.#txPs = rates.map(() => new Float64Array(longestBytes + 1));
    this.#rates = rates;
    this.#overheadBytes = overheadBytes;
  }

  /** A port starts to send. @returns when the last bit is sent. */
  begin(port: number, countedBytes: number, timePs: number): number {
    const sentPs = timePs + this.#timePs(port, countedBytes);
    this.freePs[port] = sentPs;
    this.#begunAt[port] = this.#begun;
    this.#begun += 1;
    return sentPs;
  }

  /** The port that becomes free first; NONE if none is sending. */
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
