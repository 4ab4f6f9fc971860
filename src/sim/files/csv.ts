/**
 * Tables as CSV (RFC 4180): a header line, lines that end with CR LF, quotes where a field has a comma, quote or line
 * break.
 *
 * A text that a spreadsheet would evaluate gets a leading apostrophe: one that begins with =, +, -, @, a tab, or a line break
 * (OWASP, CSV injection). Numbers are unchanged.
 */

import { reject } from '../../config/field-rules.js';

/** A table's column: its name, which carries the unit, and its value in a row. Null is an empty field. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | null;
}

/** Number of lines per part. */
const PART_LINES = 500;
/** First characters of texts that a spreadsheet treats as formulas. */
const COMPUTED = /^[=+\-@\t\r\n]/;

export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): string {
  return [...csvParts(columns, rows)].join('');
}

/** A table as CSV, in parts of some hundred lines. */
export function* csvParts<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  let lines = [columns.map(({ name }) => csvField(name)).join(',')];
  for (const row of rows) {
    lines.push(columns.map(({ value }) => csvField(value(row))).join(','));
    if (lines.length < PART_LINES) continue;
    yield textOf(lines);
    lines = [];
  }
  yield textOf(lines);
}

/** A line of a table, including CR LF. */
export function csvLine(values: readonly (string | number | null)[]): string {
  if (!Array.isArray(values)) reject({ got: values, allowed: 'a list of texts and numbers', where: 'values' });
  return `${values.map(csvField).join(',')}\r\n`;
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Columns for members of a record, named after them in snake case: `sizeBytes` becomes `size_bytes`. */
export function columnsOf<Row extends object>(...members: readonly (keyof Row & string)[]): CsvColumn<Row>[] {
  return members.map((member) => ({
    name: snakeCase(member),
    value: (row) => row[member] as string | number | null,
  }));
}

/** The column name of a member. */
export const snakeCase = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A CSV field. A number becomes the shortest text that parses to the same number. */
export function csvField(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && COMPUTED.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
