/**
 * Numbers flows by hosts and destination QP. The table is limited: all further flows share one number, so that
 * malicious frames cannot make it grow.
 */

const FLOWS_MAX = 65_536;
const QPNS = 2 ** 24;

export class FlowNumbers {
  readonly #numbers = new Map<number, number>();
  readonly #hosts: number;

  constructor(hosts: number) {
    this.#hosts = hosts + 1;
  }

  /** @param source index of a host, or -1 if it is unknown; likewise `destination`. */
  of(source: number, destination: number, destQpn: number): number {
    const key = ((source + 1) * this.#hosts + destination + 1) * QPNS + destQpn;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= FLOWS_MAX) return FLOWS_MAX;
    this.#numbers.set(key, number);
    return number;
  }
}
