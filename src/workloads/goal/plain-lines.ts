/**
 * Fast path for lines as programs write them: single blanks, no comment, small numbers. All other lines, including
 * invalid ones, are left to GoalParser, which reads them from the start; so this code reports no errors and tries no
 * alternatives.
 *
 *   LABEL: send SIZEb to RANK[ tag T][ cpu C][ nic K]      recv … from …      calc NS[ cpu C]      LABEL requires LABEL
 */
import { COMPUTE, RECEIVE, SEND } from '../graph/workload-graph.js';
import { hashEnd, hashOf, HASH_BEGIN, HASH_PRIME } from './label-table.js';

const [NEWLINE, COLON, SPACE, DIGIT_0] = [10, 58, 32, 48];
/** Maximum digits of a number that is exact, and of one that fits in 32 bits. */
const [LONG_DIGITS, SHORT_DIGITS] = [15, 9];
const VERB_BYTES = 4;
const word = (text: string): Uint8Array => new TextEncoder().encode(text);
const SENDS = word('send ');
const RECEIVES = word('recv ');
const COMPUTES = word('calc ');
const BYTES_TO = word('b to ');
const BYTES_FROM = word('b from ');
const TAGGED = word(' tag ');
const ON_LANE = word(' cpu ');
const BY_PORT = word(' nic ');
const WAITS = word(' requires ');

/** Kind of a line: not plain, an operation, or a dependency. */
export const NOT_PLAIN = 0;
export const OPERATION = 1;
export const DEPENDENCY = 2;

/**
 * Hashes of labels that would be mistaken for operations. Other labels may have the same hash, and then take the slow
 * path.
 */
const VERBS = ['send', 'recv', 'calc'].map((verb) => hashOf(word(verb), 0, verb.length));

/** 1 for letters, digits and underscores; a word begins with a letter. */
const OF_WORD = Uint8Array.from({ length: 256 },
  (_, byte) => Number(/\w/.test(String.fromCharCode(byte)) && byte < 128));

/** Reads line by line; the fields describe the last line read. */
export class PlainLines {
  bytes: Uint8Array = new Uint8Array(0);
  /** Position after the text that was read. */
  at = 0;
  kind = 0;
  amount = 0;
  peer = 0;
  tag = 0;
  lane = 0;
  nic = 0;
  /** The label and its hash; in a dependency, also the operation that it waits for. */
  labelBegin = 0;
  labelEnd = 0;
  labelHash = 0;
  awaitedBegin = 0;
  awaitedEnd = 0;
  awaitedHash = 0;
  #hash = 0;
  /** Set if a number is missing or too long. */
  #isWrong = false;

  /** Reads the line at a position; it must end with a line end. `at` advances only if the line is plain. */
  read(bytes: Uint8Array, from: number): number {
    this.bytes = bytes;
    this.at = from;
    this.#isWrong = false;
    const begin = bytes[from] | SPACE;
    if (begin < 97 || begin > 122) return NOT_PLAIN;
    this.labelBegin = from;
    this.#readWord();
    this.labelEnd = this.at;
    this.labelHash = this.#hash;
    if (this.labelEnd - from === VERB_BYTES && VERBS.includes(this.labelHash)) return NOT_PLAIN;
    const isOperation = bytes[this.at] === COLON;
    if (!(isOperation ? this.#readOperation() : this.#readDependency())) return NOT_PLAIN;
    if (this.#isWrong || bytes[this.at] !== NEWLINE) return NOT_PLAIN;
    return isOperation ? OPERATION : DEPENDENCY;
  }

  #readOperation(): boolean {
    if (this.bytes[this.at + 1] !== SPACE) return false;
    this.at += 2;
    if (this.#takeIf(SENDS)) return this.#readMessage(SEND, BYTES_TO);
    if (this.#takeIf(RECEIVES)) return this.#readMessage(RECEIVE, BYTES_FROM);
    if (!this.#takeIf(COMPUTES)) return false;
    this.kind = COMPUTE;
    this.amount = this.#readNumber(LONG_DIGITS);
    this.lane = this.#takeIf(ON_LANE) ? this.#readNumber(SHORT_DIGITS) : 0;
    return true;
  }

  #readMessage(kind: number, direction: Uint8Array): boolean {
    this.kind = kind;
    this.amount = this.#readNumber(LONG_DIGITS);
    if (!this.#takeIf(direction)) return false;
    this.peer = this.#readNumber(SHORT_DIGITS);
    this.tag = this.#takeIf(TAGGED) ? this.#readNumber(SHORT_DIGITS) : 0;
    this.lane = this.#takeIf(ON_LANE) ? this.#readNumber(SHORT_DIGITS) : 0;
    this.nic = this.#takeIf(BY_PORT) ? this.#readNumber(SHORT_DIGITS) : 0;
    return true;
  }

  #readDependency(): boolean {
    if (!this.#takeIf(WAITS)) return false;
    const begin = this.bytes[this.at] | SPACE;
    if (begin < 97 || begin > 122) return false;
    this.awaitedBegin = this.at;
    this.#readWord();
    this.awaitedEnd = this.at;
    this.awaitedHash = this.#hash;
    return true;
  }

  #readWord(): void {
    const { bytes } = this;
    let [at, hash] = [this.at, HASH_BEGIN];
    for (let byte = bytes[at]; OF_WORD[byte] === 1; byte = bytes[++at]) hash = Math.imul(hash ^ byte, HASH_PRIME);
    this.at = at;
    this.#hash = hashEnd(hash);
  }

  #takeIf(text: Uint8Array): boolean {
    const { bytes, at } = this;
    const { length } = text;
    for (let index = 0; index < length; index++) {
      if (bytes[at + index] !== text[index]) return false;
    }
    this.at = at + length;
    return true;
  }

  #readNumber(mostDigits: number): number {
    const { bytes } = this;
    const from = this.at;
    let [at, value] = [from, 0];
    for (let digit = bytes[at] - DIGIT_0; digit >= 0 && digit <= 9; digit = bytes[++at] - DIGIT_0)
      value = value * 10 + digit;
    if (at === from || at - from > mostDigits) this.#isWrong = true;
    this.at = at;
    return value;
  }
}
