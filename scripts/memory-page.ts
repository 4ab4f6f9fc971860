/**
 * Draws docs/internals/memory.md from the tables of src/abi/records: `npm run docs` writes the page, and test/abi/memory-page.test.ts fails when
 * it is out of date.
 */
import { recordFiles, type CodeEntry, type RecordEntry, type RecordFile, type SlotsEntry } from './records.mjs';

const INTRODUCTION = `# Memory records

The records of linear memory that host and kernel share, drawn from the tables in src/abi/records (\`npm run docs\` redraws this
page; a test fails when it is out of date). Offsets count bytes from the start of a record; numbers are little-endian, times
picoseconds, rates bits per second, unless a field says otherwise. Fields that the host writes come first in most records.
`;

/** The page as the code would have it. */
export async function memoryPage(): Promise<string> {
  const files = await recordFiles();
  return `${INTRODUCTION}\n${files.map(chapter).join('\n')}`;
}

function chapter({ file, comment, records, slots, codes }: RecordFile): string {
  const parts = [...slots.map(slotSection), ...records.map(recordSection), ...codeSection(codes)];
  return `## ${file}\n\n${comment.join('\n')}\n\n${parts.join('\n')}`;
}

function recordSection({ name, comment, bytes, fields, base }: RecordEntry): string {
  const rows = fields.filter(({ type }) => type !== 'free').map((field) => {
    const type = field.isArray ? `${field.count} ${field.type}` : field.type.replace('wide-', '');
    return `| ${field.offset} | ${type} | ${field.name} | ${cell(field.comment)} |`;
  });
  return table(base === undefined ? `${name}: ${bytes} bytes` : `${name}: over ${base}`, comment, [
    '| byte | type | field | |',
    '|---|---|---|---|',
    ...rows,
  ]);
}

function slotSection({ name, comment, type, count, entries }: SlotsEntry): string {
  const rows = entries.map((entry) => `| ${entry.index} | ${entry.name} | ${cell(entry.comment)} |`);
  return table(`${name}: ${count} ${type}`, comment, ['| index | name | |', '|---|---|---|', ...rows]);
}

function codeSection(codes: readonly CodeEntry[]): readonly string[] {
  if (codes.length === 0) return [];
  const rows = codes.map(({ constant, value, comment }) => `| ${constant} | ${value} | ${cell(comment)} |`);
  return [table('Codes', [], ['| name | value | |', '|---|---|---|', ...rows])];
}

function table(title: string, comment: readonly string[], rows: readonly string[]): string {
  const text = comment.length === 0 ? '' : `${comment.join('\n')}\n\n`;
  return `### ${title}\n\n${text}${rows.join('\n')}\n`;
}

function cell(comment: readonly string[]): string {
  return comment.join(' ').replaceAll('|', '\\|');
}
