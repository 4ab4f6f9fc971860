/**
 * Flow lists: CSV with a header line. The columns `sender_addr, sender_qpn, peer_addr, peer_qpn` are required, `flow`
 * (a name) is optional, others are ignored. QPNs are decimal or 0x hexadecimal; lines that begin with # are comments.
 */
import { QPN_MAX } from '../abi/layout.js';
import { RoceError, type RoceErrorFields } from '../errors.js';
import { formatIpAddress, parseIpAddress } from '../wire/ip/ip-address.js';

/** A connection, named from the data sender's side. */
export interface Flow {
  /** Name from the column `flow`, or else the flow's index in the list, from 0. */
  readonly name: string;
  /** IP address of the data sender, in canonical form. */
  readonly senderAddress: string;
  /** QP number at the sender, 1..2^24 - 1. Notifications carry it. */
  readonly senderQpn: number;
  /** IP address of the data receiver, in canonical form. */
  readonly peerAddress: string;
  /** QP number at the receiver, 1..2^24 - 1. Data frames and Fast CNPs carry it. */
  readonly peerQpn: number;
  /** `file:line`, for errors. */
  readonly where: string;
}

/** A row of the list, its values by column name, with its position. */
interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly where: string;
}

/** One record of a table. */
interface CsvRow {
  readonly fields: readonly string[];
  /** Line on which it begins, from 1. */
  readonly line: number;
}

/** Throws an error that states the problem of the record that begins on this line. */
type CsvRejection = (line: number, problem: string) => never;

const REQUIRED_COLUMNS = ['sender_addr', 'sender_qpn', 'peer_addr', 'peer_qpn'] as const;
const QPN_PATTERN = /^(?:\d+|0x[0-9a-f]+)$/i;
/** Maximum number of fields in a record; bounds memory when the input is not a table. */
const CSV_FIELDS_MAX = 1000;

const [TAB, LINE_FEED, RETURN, BLANK, QUOTE, HASH, COMMA] = Array.from('\t\n\r "#,',
  (character) => character.charCodeAt(0));

/**
 * Reads a flow list.
 *
 * @param text the CSV.
 * @param file name of the file, for errors.
 * @throws RoceError `invalid-flows`, `where` = file and line.
 * @example
 * const flows = parseFlows('sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,0x11,10.0.0.2,0x12\n', 'flows.csv');
 */
export function parseFlows(text: string, file: string): Flow[] {
  for (const [where, got] of Object.entries({ text, file })) {
    if (typeof got !== 'string') throw new RoceError('invalid-argument', { where, got, allowed: 'a string' });
  }
  const rows = readCsv(text, (line, problem) => {
    throw invalidFlows({ what: 'flow list', problem, where: `${file}:${line}` });
  });
  const header = rows.next().value;
  const columns = header === undefined ? [] : checkHeader(header.fields, `${file}:${header.line}`);
  const flows: Flow[] = [];
  for (const { fields, line } of rows) {
    flows.push(readFlow(rowOf(columns, fields, `${file}:${line}`), flows.length));
  }
  if (flows.length === 0) throw invalidFlows({ what: 'flow list', problem: 'has no flows', where: file });
  return flows;
}

/** Makes an `invalid-flows` error. */
export function invalidFlows(fields: RoceErrorFields & { readonly where: string }): RoceError {
  return new RoceError('invalid-flows', fields);
}

function rowOf(columns: readonly string[], fields: readonly string[], where: string): Row {
  if (fields.length !== columns.length) {
    throw invalidFlows({ what: 'number of fields', got: fields.length, allowed: columns.length, where });
  }
  return { record: Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ''])), where };
}

function checkHeader(header: readonly string[], where: string): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw invalidFlows({ what: 'header', problem: `lacks ${missing.join(', ')}`, got: columns, where });
  }
  return columns;
}

function readFlow({ record, where }: Row, index: number): Flow {
  const { flow = '' } = record;
  return {
    name: flow === '' ? String(index) : flow,
    senderAddress: readAddress(record, 'sender_addr', where),
    senderQpn: readQpn(record, 'sender_qpn', where),
    peerAddress: readAddress(record, 'peer_addr', where),
    peerQpn: readQpn(record, 'peer_qpn', where),
    where,
  };
}

/** Reads an address into canonical form, so that equal addresses are equal strings. */
function readAddress(record: Row['record'], column: string, where: string): string {
  const text = record[column] ?? '';
  try {
    return formatIpAddress(parseIpAddress(text, column));
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}, ${column}`, 'invalid-flows');
  }
}

function readQpn(record: Row['record'], column: string, where: string): number {
  const text = record[column] ?? '';
  const qpn = QPN_PATTERN.test(text) ? Number(text) : NaN;
  if (qpn >= 1 && qpn <= QPN_MAX) return qpn;
  throw invalidFlows({ what: column, got: text, allowed: `1 to ${QPN_MAX}, decimal or 0x hexadecimal`, where });
}

/**
 * Reads the records of a CSV (RFC 4180) one by one, the header first; skips blanks around fields, empty lines, and lines
 * that begin with #. Parsed by hand, because a regular expression with
 * repetition overflows the stack on a text of megabytes.
 */
function* readCsv(text: string, reject: CsvRejection): Generator<CsvRow, undefined> {
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
