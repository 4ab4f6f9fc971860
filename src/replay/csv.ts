/** CSV as RFC 4180 has it, with blanks around fields, empty lines and lines that begin with # passed over. */

/** Blank lines and comments. */
const PASSED_OVER = /(?:[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$))+/y;
const FIELD = /(?:[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*|([^",\r\n]*))(,|\r?\n|$)/y;

/** One record of a table. */
export interface CsvRow {
  readonly fields: readonly string[];
  /** Where it begins, counted from 1. */
  readonly line: number;
}

/**
 * The records of `text`, the header among them.
 *
 * @param refuse is told the line of a record with a quote at a wrong place, and throws.
 */
export function readCsv(text: string, refuse: (line: number) => never): CsvRow[] {
  const rows: CsvRow[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const passed = matchAt(PASSED_OVER, text, at);
    line += newlinesIn(passed?.[0]);
    at += passed?.[0].length ?? 0;
    if (at === text.length) break;
    const row = { fields: [] as string[], line };
    for (let end = ','; end === ',';) {
      const field = matchAt(FIELD, text, at) ?? refuse(row.line);
      row.fields.push(field[1]?.replaceAll('""', '"') ?? (field[2] ?? '').trim());
      at += field[0].length;
      line += newlinesIn(field[0]);
      end = field[3] ?? '';
    }
    rows.push(row);
  }
  return rows;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function newlinesIn(text = ''): number {
  return text.split('\n').length - 1;
}
