/** Numbers, in the capture, of the frames that wait for the engine: a ring, first in first out. */

export class FrameNumbers {
  readonly #numbers: Float64Array;
  #first = 0;
  #end = 0;

  /** @param capacity of the engine's batch. One more, since a frame is numbered before a full batch is passed on. */
  constructor(capacity: number) {
    this.#numbers = new Float64Array(capacity + 1);
  }

  push(number: number): void {
    this.#numbers[this.#end] = number;
    this.#end = this.#after(this.#end);
  }

  shift(): number {
    const number = this.#numbers[this.#first] ?? 0;
    this.#first = this.#after(this.#first);
    return number;
  }

  #after(at: number): number {
    return at + 1 === this.#numbers.length ? 0 : at + 1;
  }
}
