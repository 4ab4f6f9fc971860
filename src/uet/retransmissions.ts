/** Packet numbers waiting for retransmission, lowest first, with their sizes. */

export class Retransmissions {
  /** Packet numbers, ascending. */
  readonly #seqs: number[] = [];
  readonly #sizes = new Map<number, number>();
  #bytes = 0;

  get count(): number {
    return this.#seqs.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(seq: number): boolean {
    return this.#sizes.has(seq);
  }

  /** Size of the lowest-numbered packet; 0 if there is none. */
  get firstBytes(): number {
    return this.#sizes.get(this.#seqs[0]) ?? 0;
  }

  /** The lowest packet number; -1 if there is none. */
  get firstSeq(): number {
    return this.#seqs[0] ?? -1;
  }

  add(seq: number, sizeBytes: number): void {
    if (this.#sizes.has(seq)) return;
    this.#seqs.splice(this.#placeOf(seq), 0, seq);
    this.#sizes.set(seq, sizeBytes);
    this.#bytes += sizeBytes;
  }

  /** Removes a number and returns the packet's bytes; 0 if it is not waiting. */
  remove(seq: number): number {
    const sizeBytes = this.#sizes.get(seq);
    if (sizeBytes === undefined) return 0;
    this.#seqs.splice(this.#placeOf(seq), 1);
    this.#sizes.delete(seq);
    this.#bytes -= sizeBytes;
    return sizeBytes;
  }

  #placeOf(seq: number): number {
    const seqs = this.#seqs;
    let [low, high] = [0, seqs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (seqs[middle] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
