/**
 * Draws docs/reference/wire.md from the layouts that the codecs state of themselves: `npm run docs` writes the page, and
 * test/wire/wire-page.test.ts fails when it is not the one that the code would draw.
 */
import { LAYOUT_CHAPTERS } from '../src/wire/layouts.js';
import type { FieldLayout, HeaderLayout } from '../src/wire/header/define-header.js';

const ROW_BITS = 32;
const CELL_CHARS = 2;

const INTRODUCTION = `# Wire formats

Every format that \`roce-cc/wire\` reads and writes, drawn from the offsets in its code (\`npm run docs\` redraws this page;
a test fails when it is out of date). Bit 0 is the most significant one, numbers are big-endian, offsets count
bytes from the start of the header. Where sources leave something open, the codec has a named option; docs/reference/sources.md
lists them.
`;

/** The page as the code would have it. */
export function wirePage(): string {
  const chapters = LAYOUT_CHAPTERS.map(({ title, headers }) => `## ${title}\n\n${headers.map(section).join('\n')}`);
  return `${INTRODUCTION}\n${chapters.join('\n')}`;
}

function section(layout: HeaderLayout): string {
  const { title, source, lenBytes, followedBy } = layout;
  const rest = followedBy === undefined ? '' : `Followed by: ${followedBy}.\n\n`;
  return `### ${title}\n\n${source}. ${lenBytes} bytes.\n\n\`\`\`\n${drawing(layout)}\n\`\`\`\n\n${rest}${
    fieldTable(layout)
  }\n`;
}

function fieldTable({ fields }: HeaderLayout): string {
  const rows = fields.map(({ name, offset, bit = 0, bits }) => `| ${offset} | ${bit} | ${bits} | ${name} |`);
  return ['| byte | bit | bits | field |', '|---|---|---|---|', ...rows].join('\n');
}

/** One field in one row. */
interface Cell {
  readonly field: FieldLayout;
  readonly from: number;
  readonly to: number;
}

/** The fields in rows of 32 bits, as RFCs draw them. */
export function drawing({ lenBytes, fields }: HeaderLayout): string {
  const rows = Array.from({ length: Math.ceil((lenBytes * 8) / ROW_BITS) }, (_, row) => cellsOf(fields, row));
  const lines = [ruler(0), ruler(1)];
  rows.forEach((cells, row) => {
    lines.push(border(rows[row - 1] ?? [], cells), cellLine(cells, rows, row));
  });
  lines.push(border(rows.at(-1) ?? [], []));
  return lines.join('\n');
}

/** Tens or units of the bit numbers. */
function ruler(line: 0 | 1): string {
  const digit = (bit: number): string => (line === 1 ? String(bit % 10) : bit % 10 === 0 ? String(bit / 10) : ' ');
  return ` ${Array.from({ length: ROW_BITS }, (_, bit) => digit(bit)).join(' ')}`.trimEnd();
}

function cellsOf(fields: readonly FieldLayout[], row: number): Cell[] {
  const start = row * ROW_BITS;
  return fields.flatMap((field) => {
    const first = field.offset * 8 + (field.bit ?? 0);
    const from = Math.max(first, start) - start;
    const to = Math.min(first + field.bits, start + ROW_BITS) - start;
    return from < to && to > 0 ? [{ field, from, to }] : [];
  });
}

/** The line between two rows; open where one field continues. */
function border(above: readonly Cell[], below: readonly Cell[]): string {
  const width = Math.max(above.at(-1)?.to ?? 0, below.at(-1)?.to ?? 0);
  const isOpen = (bit: number): boolean => {
    const [a, b] = [above, below].map((cells) => cells.find(({ from, to }) => from <= bit && bit < to));
    return a !== undefined && a.field === b?.field;
  };
  const bits = Array.from({ length: width }, (_, bit) => (isOpen(bit) ? '  ' : '-+'));
  const line = `+${bits.join('')}`;
  const drawn = line.trimEnd();
  return drawn === line ? line : `${drawn.padEnd(line.length - 1)}+`;
}

function cellLine(cells: readonly Cell[], rows: readonly (readonly Cell[])[], row: number): string {
  return `|${
    cells.map((cell) => centred(labelOf(cell, rows, row), (cell.to - cell.from) * CELL_CHARS - 1)).join('|')
  }|`;
}

/** A field in several rows is named in its widest cell, in the middle one of them. */
function labelOf({ field }: Cell, rows: readonly (readonly Cell[])[], row: number): string {
  const widths = rows.map((cells) => {
    const cell = cells.find((candidate) => candidate.field === field);
    return cell ? cell.to - cell.from : 0;
  });
  const widest = widths.flatMap((width, index) => (width === Math.max(...widths) ? [index] : []));
  return widest[Math.floor((widest.length - 1) / 2)] === row ? field.name : '';
}

function centred(text: string, width: number): string {
  const cut = text.slice(0, width);
  const left = Math.floor((width - cut.length) / 2);
  return cut.padStart(left + cut.length).padEnd(width);
}
