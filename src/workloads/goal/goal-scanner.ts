/**
 * Scans words and numbers of GOAL text: letters, digits and a few signs, separated by blanks, with comments anywhere.
 * It gets whole lines, so that no word is split; a comment may continue on the next lines.
 */
import { rejectWorkload, type WorkloadFault } from '../workload-error.js';
import type { Allowed } from '../../errors.js';

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];
const [SLASH, STAR, MINUS, DIGIT_0, DIGIT_9, UNDERSCORE] = [47, 42, 45, 48, 57, 95];
const TOKEN_SHOWN = 40;
/** Value for a number too large to be represented exactly. */
const TOO_LARGE = Infinity;

/** A position in the text that advances. */
export class GoalScanner {
  bytes = new Uint8Array(0) as Uint8Array;
  at = 0;
  line = 1;
  /** Start and end of the last word read. */
  wordBegin = 0;
  wordEnd = 0;
  readonly #name: string;
  #end = 0;
  #inComment = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** Continues scanning with the next lines. */
  load(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.at = from;
    this.#end = to;
    // A comment may have started on an earlier line.
    if (this.#inComment) this.#skipComment();
  }

  /** Whether a comment has started but not ended. */
  get isInComment(): boolean {
    return this.#inComment;
  }

  /** Skips to the next word, sign or line end on this line; returns false at the end of the lines. */
  skipBlanks(): boolean {
    while (this.at < this.#end) {
      const byte = this.bytes[this.at];
      if (byte === SPACE || byte === TAB || byte === RETURN) this.at++;
      else if (byte !== SLASH || !this.#skipIfComment()) return true;
    }
    return false;
  }

  /** Skips to the next word or sign on any line; returns false at the end of the lines. */
  skipLines(): boolean {
    while (this.skipBlanks()) {
      if (this.bytes[this.at] !== NEWLINE) return true;
      this.at++;
      this.line++;
    }
    return false;
  }

  /** Whether only blanks and comments remain on the line. */
  isLineEnd(): boolean {
    return !this.skipBlanks() || this.bytes[this.at] === NEWLINE;
  }

  /** Consumes a sign if it is next on the line. */
  take(sign: number): boolean {
    if (!this.skipBlanks() || this.bytes[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  /** Consumes a word if one is next on the line: a letter, then letters, digits and underscores. */
  takeWord(): boolean {
    if (!this.skipBlanks() || !isLetter(this.bytes[this.at])) return false;
    this.wordBegin = this.at;
    while (this.at < this.#end && isOfWord(this.bytes[this.at])) this.at++;
    this.wordEnd = this.at;
    return true;
  }

  /** Whether the last word equals this one. */
  isWord(word: Uint8Array): boolean {
    if (this.wordEnd - this.wordBegin !== word.length) return false;
    for (let index = 0; index < word.length; index++) {
      if (this.bytes[this.wordBegin + index] !== word[index]) return false;
    }
    return true;
  }

  /** Consumes this word if it is next. */
  takeIf(word: Uint8Array): boolean {
    const before = this.at;
    if (this.takeWord() && this.isWord(word)) return true;
    this.at = before;
    return false;
  }

  /** Consumes a whole number with optional sign; NaN if none is next, Infinity beyond 2^53. */
  takeNumber(): number {
    if (!this.skipBlanks()) return NaN;
    const isNegative = this.bytes[this.at] === MINUS;
    let at = isNegative ? this.at + 1 : this.at;
    let value = 0;
    const first = at;
    for (; at < this.#end && isDigit(this.bytes[at]); at++) value = value * 10 + this.bytes[at] - DIGIT_0;
    if (at === first) return NaN;
    this.at = at;
    const number = value > Number.MAX_SAFE_INTEGER ? TOO_LARGE : value;
    return isNegative ? -number : number;
  }

  /** The text at this position, for a message. */
  token(): string {
    if (!this.skipBlanks()) return 'the end of the file';
    if (this.bytes[this.at] === NEWLINE) return 'the end of the line';
    let end = this.at + 1;
    const isWord = isOfWord(this.bytes[this.at]) || this.bytes[this.at] === MINUS;
    while (isWord && end < this.#end && end - this.at < TOKEN_SHOWN && isOfWord(this.bytes[end])) end++;
    return new TextDecoder().decode(this.bytes.subarray(this.at, end));
  }

  /** The file and line, for a message. */
  where(line = this.line): string {
    return `${this.#name}, line ${line}`;
  }

  /** Rejects the text at this position. @throws RoceError `invalid-workload`, always. */
  rejectToken(allowed: Allowed, fault: WorkloadFault = 'GOAL_SYNTAX'): never {
    rejectWorkload(fault, { what: 'the next word', got: this.token(), allowed, where: this.where() });
  }

  #skipIfComment(): boolean {
    const next = this.at + 1 < this.#end ? this.bytes[this.at + 1] : 0;
    if (next === SLASH) {
      while (this.at < this.#end && this.bytes[this.at] !== NEWLINE) this.at++;
      return true;
    }
    if (next !== STAR) return false;
    this.at += 2;
    this.#skipComment();
    return true;
  }

  #skipComment(): void {
    this.#inComment = true;
    while (this.at < this.#end) {
      const byte = this.bytes[this.at++];
      if (byte === NEWLINE) this.line++;
      if (byte !== STAR || this.at >= this.#end || this.bytes[this.at] !== SLASH) continue;
      this.at++;
      this.#inComment = false;
      return;
    }
  }
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

function isLetter(byte: number): boolean {
  const lower = byte | 32;
  return lower >= 97 && lower <= 122;
}

function isOfWord(byte: number): boolean {
  return isLetter(byte) || isDigit(byte) || byte === UNDERSCORE;
}
