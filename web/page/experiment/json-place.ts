/** Finds a path in a JSON text, so that an error can be shown at its key. */
import { syntaxErrorAt } from './json-syntax.js';

export interface TextPlace {
  readonly from: number;
  readonly to: number;
  /** Line number, from 1. */
  readonly line: number;
}

/** Steps of `workload[0].flows[1].sizeBytes`. */
export function stepsOf(where: string): (string | number)[] {
  return [...where.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map((
    [, index = '', name = ''],
  ) => (index === '' ? name : Number(index)));
}

/** Location of the key and value at a path, or of the nearest existing parent. */
export function placeOf(text: string, where: string): TextPlace | undefined {
  const scanner = new Scanner(text);
  const found = scanner.find(stepsOf(where));
  if (found === undefined) return undefined;
  return { ...found, line: text.slice(0, found.from).split('\n').length };
}

/** Location of the first invalid character, or of the end of an incomplete text; undefined if the text is JSON. */
export function placeOfSyntaxError(text: string): TextPlace | undefined {
  const from = syntaxErrorAt(text);
  if (from === undefined) return undefined;
  return { from, to: Math.min(text.length, from + 1), line: text.slice(0, from).split('\n').length };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Scans a text that is known to be JSON. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(steps: readonly (string | number)[]): Span | undefined {
    if (syntaxErrorAt(this.#text) !== undefined) return undefined;
    this.#space();
    let best: Span | undefined;
    for (const step of steps) {
      const from = this.#enter(step);
      if (from === undefined) return best;
      const value = this.#at;
      this.#skip();
      best = { from, to: this.#at };
      this.#at = value;
    }
    return best;
  }

  /** Moves to the member's value. @returns the offset of its key, or of itself in a list. */
  #enter(step: string | number): number | undefined {
    const open = this.#text[this.#at];
    if (open !== '{' && open !== '[') return undefined;
    this.#at++;
    for (let index = 0;; index++) {
      this.#space();
      if (this.#text[this.#at] === '}' || this.#text[this.#at] === ']') return undefined;
      const from = this.#at;
      const key = open === '{' ? this.#key() : index;
      if (key === step) return from;
      this.#skip();
      this.#space();
      if (this.#text[this.#at] === ',') this.#at++;
    }
  }

  #key(): string {
    const from = this.#at;
    this.#string();
    const key = JSON.parse(this.#text.slice(from, this.#at)) as string;
    this.#space();
    this.#at++;
    this.#space();
    return key;
  }

  /** Moves to the end of the value. */
  #skip(): void {
    this.#space();
    let depth = 0;
    do {
      const character = this.#text[this.#at] ?? '';
      if (character === '"') this.#string();
      else {
        if (character === '{' || character === '[') depth++;
        if (character === '}' || character === ']') depth--;
        this.#at++;
      }
    } while (this.#at < this.#text.length && (depth > 0 || !/[\s,}\]]/.test(this.#text[this.#at] ?? '')));
  }

  #string(): void {
    this.#at++;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }
}
