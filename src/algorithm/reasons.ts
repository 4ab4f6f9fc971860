/** Texts of why a rate changes, and their numbers in traces: 1 is the first, 0 means none. */
export class Reasons {
  readonly #texts: string[];
  readonly #numbers = new Map<string, number>();
  #lastText = '';
  #lastNumber = 0;

  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    texts.forEach((text, index) => this.#numbers.set(text, index + 1));
  }

  /** Handlers often give the same reason again. */
  numberOf(text: string): number {
    if (text !== this.#lastText || this.#lastNumber === 0) {
      this.#lastNumber = this.#numbers.get(text) ?? this.#added(text);
      this.#lastText = text;
    }
    return this.#lastNumber;
  }

  #added(text: string): number {
    const number = this.#texts.push(text);
    this.#numbers.set(text, number);
    return number;
  }

  /** undefined: there is no such number. */
  textOf(number: number): string | undefined {
    return this.#texts[number - 1];
  }
}
