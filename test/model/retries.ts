/** Counts consecutive retries of one flow with nothing newly acknowledged (IBTA vol. 1, 9.9.2.1.1). */
export class Retries {
  readonly #limit: number | null;
  readonly #countsNaks: boolean;
  #count = 0;
  #una = 0;

  /** @param limit null: unlimited. */
  constructor(limit: number | null, countsNaks: boolean) {
    this.#limit = limit;
    this.#countsNaks = countsNaks;
  }

  /** Counts a loss found with `una` bytes acknowledged; returns whether the flow may retry. */
  allows(found: 'fast' | 'timeout' | 'nack', una: number): boolean {
    if (this.#limit === null || (found === 'fast' && !this.#countsNaks)) return true;
    if (una !== this.#una) this.#count = 0;
    this.#una = una;
    this.#count += 1;
    return this.#count <= this.#limit;
  }
}
