/** Send times of a QP's packets in flight, for algorithms that use round trips; a full table keeps the newest. */

const FEWEST = 64;
const MOST = 2 ** 16;

export class SentTimes {
  #timesPs = new Float64Array(FEWEST).fill(NaN);
  #packets = new Float64Array(FEWEST).fill(-1);

  /** @param inFlight packets in flight, including this one. */
  note(packet: number, timePs: number, inFlight: number): void {
    while (inFlight > this.#timesPs.length && this.#timesPs.length < MOST) this.#grow();
    const at = packet % this.#timesPs.length;
    this.#timesPs[at] = timePs;
    this.#packets[at] = packet;
  }

  /** When a packet was last sent, picoseconds; NaN if the time is no longer stored. */
  of(packet: number): number {
    const at = packet % this.#timesPs.length;
    return this.#packets[at] === packet ? this.#timesPs[at] : NaN;
  }

  #grow(): void {
    const [timesPs, packets] = [this.#timesPs, this.#packets];
    this.#timesPs = new Float64Array(2 * timesPs.length).fill(NaN);
    this.#packets = new Float64Array(2 * timesPs.length).fill(-1);
    for (const [at, packet] of packets.entries()) {
      if (packet >= 0) this.note(packet, timesPs[at], 0);
    }
  }
}
