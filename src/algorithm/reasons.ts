/** Numbers for reason texts of rate changes, as used in traces: 1 is the first, 0 means none. */
export class Reasons {
  readonly #texts: string[];
  readonly #numbers = new Map<string, number>();
  #lastText = '';
  #lastNumber = 0;

  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    texts.forEach((text, index) => this.#numbers.set(text, index + 1));
  }

  /** Handlers often repeat the previous reason. */
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

  /** The text of a reason; undefined if the number is unknown. */
  textOf(number: number): string | undefined {
    return this.#texts[number - 1];
  }
}
