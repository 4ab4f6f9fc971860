/** A set of bytes as ordered ranges that neither touch nor overlap. */
import type { ByteRange } from '../packet.js';

interface Range {
  readonly from: number;
  /** One past the last byte. */
  readonly to: number;
}

export class ByteRanges {
  #ranges: readonly Range[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  get first(): Range | undefined {
    return this.#ranges.at(0);
  }

  add({ sequence, bytes }: ByteRange): void {
    let [from, to] = [sequence, sequence + bytes];
    const apart: Range[] = [];
    for (const range of this.#ranges) {
      if (range.to < from || range.from > to) apart.push(range);
      else [from, to] = [Math.min(from, range.from), Math.max(to, range.to)];
    }
    this.#ranges = [...apart, { from, to }].sort((a, b) => a.from - b.from);
  }

  /** Whether a single range holds all of these. */
  holds({ sequence, bytes }: ByteRange): boolean {
    return this.#ranges.some(({ from, to }) => from <= sequence && sequence + bytes <= to);
  }

  /** Removes everything below a byte. */
  trim(below: number): void {
    this.#ranges = this.#ranges.filter(({ to }) => to > below)
      .map(({ from, to }) => ({ from: Math.max(from, below), to }));
  }
}
