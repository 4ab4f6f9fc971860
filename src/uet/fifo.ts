/** A FIFO queue in a ring buffer that grows by doubling; the newest member can also be removed. */

const FIRST_SIZE = 8;

export class Fifo<Member> {
  #ring: (Member | undefined)[] = new Array<Member | undefined>(FIRST_SIZE).fill(undefined);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The oldest member; undefined if the queue is empty. */
  get first(): Member | undefined {
    return this.#ring[this.#head];
  }

  push(member: Member): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#length) & (this.#ring.length - 1)] = member;
    this.#length += 1;
  }

  shift(): Member | undefined {
    const member = this.#ring[this.#head];
    if (member === undefined) return undefined;
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#length -= 1;
    return member;
  }

  /** Removes and returns the newest member. */
  pop(): Member | undefined {
    if (this.#length === 0) return undefined;
    const at = (this.#head + this.#length - 1) & (this.#ring.length - 1);
    const member = this.#ring[at];
    this.#ring[at] = undefined;
    this.#length -= 1;
    return member;
  }

  #grow(): void {
    const ring = this.#ring;
    const tail = new Array<Member | undefined>(ring.length).fill(undefined);
    this.#ring = [...ring.slice(this.#head), ...ring.slice(0, this.#head), ...tail];
    this.#head = 0;
  }
}
