/** Texts of why a rate changes, and their numbers in traces: 1 is the first, 0 means none. */
export class Reasons {
  readonly #texts: string[];
  readonly #numbers = new Map<string, number>();

  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    texts.forEach((text, index) => this.#numbers.set(text, index + 1));
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.push(text);
    this.#numbers.set(text, number);
    return number;
  }

  /** undefined: there is no such number. */
  textOf(number: number): string | undefined {
    return this.#texts[number - 1];
  }
}
