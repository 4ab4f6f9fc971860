/** Packets of a sender that are neither acknowledged nor given up: by number, and by the time they were sent. */

export class SentPacket {
  readonly seq: number;
  readonly sizeBytes: number;
  readonly sentPs: number;
  /** Neighbours in the order of sending. */
  older: SentPacket | undefined = undefined;
  newer: SentPacket | undefined = undefined;
  /** Whether the timer watches it. */
  isTimed = true;

  constructor(seq: number, sizeBytes: number, sentPs: number) {
    this.seq = seq;
    this.sizeBytes = sizeBytes;
    this.sentPs = sentPs;
  }
}

export class SentPackets {
  readonly #bySeq: (SentPacket | undefined)[] = [];
  #lowest = 0;
  #oldest: SentPacket | undefined = undefined;
  #newest: SentPacket | undefined = undefined;

  /** The one sent first of those that the timer watches. */
  get oldest(): SentPacket | undefined {
    return this.#oldest;
  }

  get(seq: number): SentPacket | undefined {
    return this.#bySeq[seq];
  }

  add(seq: number, sizeBytes: number, sentPs: number): void {
    const before = this.#bySeq[seq];
    if (before !== undefined) this.remove(before);
    const packet = new SentPacket(seq, sizeBytes, sentPs);
    this.#bySeq[seq] = packet;
    packet.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = packet;
    else this.#newest.newer = packet;
    this.#newest = packet;
  }

  remove(packet: SentPacket): void {
    this.#bySeq[packet.seq] = undefined;
    if (packet.isTimed) this.untime(packet);
  }

  /** Removes the lowest number below `end`; undefined: there is none. */
  shiftBelow(end: number): SentPacket | undefined {
    for (; this.#lowest < end; this.#lowest += 1) {
      const packet = this.#bySeq[this.#lowest];
      if (packet === undefined) continue;
      this.remove(packet);
      return packet;
    }
    return undefined;
  }

  /** Takes a packet from the timer alone. */
  untime(packet: SentPacket): void {
    const { older, newer } = packet;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    packet.isTimed = false;
  }
}
