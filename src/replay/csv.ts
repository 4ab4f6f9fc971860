/** CSV as in RFC 4180. Skips blanks around fields, empty lines, and lines that begin with #. */

/** Maximum number of fields in a record; bounds memory when the input is not a table. */
export const CSV_FIELDS_MAX = 1000;

const [TAB, LINE_FEED, RETURN, BLANK, QUOTE, HASH, COMMA] = Array.from('\t\n\r "#,',
  (character) => character.charCodeAt(0));

/** One record of a table. */
export interface CsvRow {
  readonly fields: readonly string[];
  /** Line on which it begins, from 1. */
  readonly line: number;
}

/** Throws an error that states the problem of the record that begins on this line. */
export type CsvRejection = (line: number, problem: string) => never;

/**
 * Reads the records of `text` one by one, the header first. Parsed by hand, because a regular expression with
 * repetition overflows the stack on a text of megabytes.
 */
export function* readCsv(text: string, reject: CsvRejection): Generator<CsvRow, undefined> {
  const reader = new CsvReader(text, reject);
  for (let row = reader.next(); row !== undefined; row = reader.next()) yield row;
}

class CsvReader {
  readonly #text: string;
  readonly #reject: CsvRejection;
  #at: number;
  #line = 1;

  constructor(text: string, reject: CsvRejection) {
    this.#text = text;
    this.#reject = reject;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  next(): CsvRow | undefined {
    while (this.#skipEmptyLine());
    if (this.#at === this.#text.length) return undefined;
    const line = this.#line;
    const fields = [this.#field(line)];
    while (this.#skip(COMMA)) {
      if (fields.length === CSV_FIELDS_MAX) this.#reject(line, `has more than ${CSV_FIELDS_MAX} fields`);
      fields.push(this.#field(line));
    }
    this.#skipLineEnd();
    return { fields, line };
  }

  /** Skips a blank line or a comment; returns whether there was one. */
  #skipEmptyLine(): boolean {
    const text = this.#text;
    let at = this.#afterBlanks(this.#at);
    if (text.charCodeAt(at) === HASH) { while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++; }
    if (at === this.#at && at === text.length || !this.#isLineEndAt(at)) return false;
    this.#at = at;
    this.#skipLineEnd();
    return true;
  }

  /** Reads a field and the blanks around it, up to its delimiter. */
  #field(line: number): string {
    const quoteAt = this.#afterBlanks(this.#at);
    const field = this.#text.charCodeAt(quoteAt) === QUOTE ? this.#quoted(quoteAt + 1, line) : this.#plain();
    if (this.#text.charCodeAt(this.#at) !== COMMA && !this.#isLineEndAt(this.#at))
      this.#reject(line, 'has a quote within a field');
    return field;
  }

  #plain(): string {
    const text = this.#text;
    const from = this.#at;
    while (this.#at < text.length && !isEndOfPlain(text.charCodeAt(this.#at))) this.#at++;
    return text.slice(from, this.#at).trim();
  }

  #quoted(from: number, line: number): string {
    const text = this.#text;
    let end = text.indexOf('"', from);
    while (end >= 0 && text.charCodeAt(end + 1) === QUOTE) end = text.indexOf('"', end + 2);
    if (end < 0) this.#reject(line, 'has a quote within a field');
    this.#at = this.#afterBlanks(end + 1);
    this.#line += countOf(text, '\n', from, end);
    return text.slice(from, end).replaceAll('""', '"');
  }

  #afterBlanks(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) === BLANK || this.#text.charCodeAt(at) === TAB) at++;
    return at;
  }

  #isLineEndAt(at: number): boolean {
    const text = this.#text;
    const code = text.charCodeAt(at);
    return at === text.length || code === LINE_FEED || (code === RETURN && text.charCodeAt(at + 1) === LINE_FEED);
  }

  #skipLineEnd(): void {
    this.#skip(RETURN);
    if (this.#skip(LINE_FEED)) this.#line++;
  }

  #skip(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === RETURN;
}

function isEndOfPlain(code: number): boolean {
  return code === COMMA || code === QUOTE || isLineEnd(code);
}

function countOf(text: string, part: string, from: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf(part, from); at >= 0 && at < end; at = text.indexOf(part, at + 1)) count++;
  return count;
}
