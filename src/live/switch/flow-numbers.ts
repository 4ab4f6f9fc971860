/** Numbers of flows, by hosts and destination QP: limited, with one for all others, so odd frames can't make them grow. */

const FLOWS_MAX = 65_536;
const QPNS = 2 ** 24;

export class FlowNumbers {
  readonly #numbers = new Map<number, number>();
  readonly #hosts: number;

  constructor(hosts: number) {
    this.#hosts = hosts + 1;
  }

  /** @param source index of a host, -1: unknown; so `destination`. */
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
