/**
 * Maps the labels of one rank block to operation numbers. It is a hash table over the bytes of all labels, because a
 * string for each of millions of labels would cost more than the rest of the reader.
 */
/** Hash of a label: FNV-1a with a final mix of MurmurHash3, because table slots depend on the low bits. */
export const HASH_BEGIN = 0x811c9dc5;
export const HASH_PRIME = 0x01000193;

/** @param hash FNV-1a hash of all bytes. @returns 0 to 2^31 - 1. */
export function hashEnd(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & 0x7fffffff;
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_BEGIN;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], HASH_PRIME);
  return hashEnd(hash);
}

const FIRST_SLOTS = 256;
const FIRST_BYTES = 4096;
/** The label was used but is not defined yet. */
export const UNDEFINED = -1;

/** Numbers labels in the order in which they appear; `clear` forgets them. */
export class LabelTable {
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  #count = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  /** End of each label; it starts at the end of the previous one. */
  #ends = new Uint32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  #operations = new Int32Array(FIRST_SLOTS);
  #lines = new Uint32Array(FIRST_SLOTS);

  /** Number of labels in the block. */
  get length(): number {
    return this.#count;
  }

  /** The number of a label. A new label is UNDEFINED, and first used on that line. */
  find(bytes: Uint8Array, from: number, to: number, line: number): number {
    return this.findHashed(bytes, from, to, hashOf(bytes, from, to), line);
  }

  /** As `find`, with a known hash. */
  findHashed(bytes: Uint8Array, from: number, to: number, hash: number, line: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const label = this.#slots[slot];
      if (label < 0) break;
      if (this.#hashes[label] === hash && this.#isEqual(label, bytes, from, to)) return label;
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#count;
    return this.#add(bytes, from, to, hash, line);
  }

  operationOf(label: number): number {
    return this.#operations[label];
  }

  define(label: number, operation: number): void {
    this.#operations[label] = operation;
  }

  /** Line of the label's first use. */
  lineOf(label: number): number {
    return this.#lines[label];
  }

  textOf(label: number): string {
    return new TextDecoder().decode(this.#bytes.subarray(this.#beginOf(label), this.#ends[label]));
  }

  clear(): void {
    // Clearing a large table for each of many small blocks would cost more than reading them.
    if (this.#slots.length > 8 * this.#count) {
      for (let label = 0; label < this.#count; label++) this.#clearFrom(this.#hashes[label] & (this.#slots.length - 1));
    } else this.#slots.fill(-1);
    this.#count = 0;
    this.#length = 0;
  }

  /** Clears a slot and the used slots that follow it. */
  #clearFrom(first: number): void {
    const mask = this.#slots.length - 1;
    for (let slot = first; this.#slots[slot] >= 0; slot = (slot + 1) & mask) this.#slots[slot] = -1;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, line: number): number {
    const label = this.#count++;
    while (this.#length + to - from > this.#bytes.length)
      this.#bytes = longer(this.#bytes, new Uint8Array(this.#bytes.length * 2));
    for (let at = from; at < to; at++) this.#bytes[this.#length++] = bytes[at];
    this.#ends[label] = this.#length;
    this.#hashes[label] = hash;
    this.#operations[label] = UNDEFINED;
    this.#lines[label] = line;
    if (2 * this.#count > this.#slots.length) this.#grow();
    return label;
  }

  #beginOf(label: number): number {
    return label === 0 ? 0 : this.#ends[label - 1];
  }

  #isEqual(label: number, bytes: Uint8Array, from: number, to: number): boolean {
    const begin = this.#beginOf(label);
    if (this.#ends[label] - begin !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (this.#bytes[begin + at - from] !== bytes[at]) return false;
    }
    return true;
  }

  #grow(): void {
    const slots = this.#slots.length * 2;
    this.#ends = longer(this.#ends, new Uint32Array(slots));
    this.#hashes = longer(this.#hashes, new Int32Array(slots));
    this.#operations = longer(this.#operations, new Int32Array(slots));
    this.#lines = longer(this.#lines, new Uint32Array(slots));
    this.#slots = new Int32Array(slots).fill(-1);
    for (let label = 0; label < this.#count; label++) {
      let slot = this.#hashes[label] & (slots - 1);
      while (this.#slots[slot] >= 0) slot = (slot + 1) & (slots - 1);
      this.#slots[slot] = label;
    }
  }
}

function longer<Column extends Uint8Array | Uint32Array | Int32Array>(column: Column, made: Column): Column {
  made.set(column);
  return made;
}
