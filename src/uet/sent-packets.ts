/** A sender's packets that are neither acknowledged nor considered lost, by number and by send time. */

export class SentPacket {
  readonly seq: number;
  readonly sizeBytes: number;
  readonly sentPs: number;
  /** Neighbours in the order of send times. */
  older: SentPacket | undefined = undefined;
  newer: SentPacket | undefined = undefined;
  /** Whether the retransmission timer covers it. */
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

  /** The oldest packet that the timer covers. */
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

  /** Removes and returns the packet with the lowest number below `end`; undefined if there is none. */
  shiftBelow(end: number): SentPacket | undefined {
    for (; this.#lowest < end; this.#lowest += 1) {
      const packet = this.#bySeq[this.#lowest];
      if (packet === undefined) continue;
      this.remove(packet);
      return packet;
    }
    return undefined;
  }

  /** Excludes a packet from the timer, but keeps it as outstanding. */
  untime(packet: SentPacket): void {
    const { older, newer } = packet;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    packet.isTimed = false;
  }
}
