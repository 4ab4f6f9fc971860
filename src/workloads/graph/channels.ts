/**
 * Channels: each is the messages with one source, destination and tag, numbered in order of appearance. A hash table in
 * columns, because there may be millions.
 */
const FIRST_SLOTS = 1024;

/** Assigns numbers to triples of source, destination and tag. */
export class ChannelTable {
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  #count = 0;
  #source = new Uint32Array(FIRST_SLOTS);
  #destination = new Uint32Array(FIRST_SLOTS);
  #tag = new Uint32Array(FIRST_SLOTS);

  /** Number of channels so far. */
  get length(): number {
    return this.#count;
  }

  /** Returns the number of a triple, adding it if it is new. */
  add(source: number, destination: number, tag: number): number {
    const slot = this.#slotOf(source, destination, tag);
    const known = this.#slots[slot];
    if (known >= 0) return known;
    const number = this.#count++;
    this.#slots[slot] = number;
    this.#source[number] = source;
    this.#destination[number] = destination;
    this.#tag[number] = tag;
    if (2 * this.#count > this.#slots.length) this.#grow();
    return number;
  }

  /** Returns the number of a triple; -1 if it is unknown. */
  find(source: number, destination: number, tag: number): number {
    return this.#slots[this.#slotOf(source, destination, tag)];
  }

  sourceOf(channel: number): number {
    return this.#source[channel];
  }

  destinationOf(channel: number): number {
    return this.#destination[channel];
  }

  tagOf(channel: number): number {
    return this.#tag[channel];
  }

  #slotOf(source: number, destination: number, tag: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(source, destination, tag) & mask;
    for (;;) {
      const number = this.#slots[slot];
      const isIt = number < 0 ||
        (this.#source[number] === source && this.#destination[number] === destination && this.#tag[number] === tag);
      if (isIt) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const slots = this.#slots.length * 2;
    this.#slots = new Int32Array(slots).fill(-1);
    [this.#source, this.#destination, this.#tag] = [this.#source, this.#destination, this.#tag].map((column) => {
      const longer = new Uint32Array(slots);
      longer.set(column);
      return longer;
    });
    for (let number = 0; number < this.#count; number++) {
      const slot = this.#slotOf(this.#source[number], this.#destination[number], this.#tag[number]);
      this.#slots[slot] = number;
    }
  }
}

/** Mixing steps of MurmurHash3 (A. Appleby, public domain). */
function hash(source: number, destination: number, tag: number): number {
  let mixed = Math.imul(source ^ 0x9e3779b9, 0xcc9e2d51);
  mixed = Math.imul(((mixed << 13) | (mixed >>> 19)) ^ destination, 0x1b873593);
  mixed = Math.imul(((mixed << 13) | (mixed >>> 19)) ^ tag, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}
