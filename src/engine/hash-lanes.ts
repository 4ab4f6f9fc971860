/** Hashes 32-bit words in two lanes, with the mixing steps of MurmurHash3 and different seeds. */

export class HashLanes {
  #a = 0x2545f491;
  #b = 0x51ed270b;

  mix(word: number): void {
    this.#a = Math.imul(rotate(this.#a ^ Math.imul(word, 0xcc9e2d51), 13), 5) + 0x1b873593;
    this.#b = Math.imul(rotate(this.#b ^ Math.imul(word, 0x85ebca6b), 17), 9) + 0x38b34ae5;
  }

  /** The hash as 16 hexadecimal digits. */
  digits(): string {
    return hex(finish(this.#a)) + hex(finish(this.#b));
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finish(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
