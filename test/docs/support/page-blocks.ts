/** The fenced blocks and the tables of a page. */

/** A block: ```language file, lines, ```. */
export interface PageBlock {
  readonly language: string;
  /** The file name in the block's head; empty when it has none. */
  readonly file: string;
  readonly text: string;
  /** The rest of the line of its opening fence. */
  readonly head: string;
  /** Line of its head, counted from 1. */
  readonly line: number;
}

const FENCE = '```';

/** All blocks of a page, in order. @throws Error when one has no end. */
export function pageBlocks(page: string): readonly PageBlock[] {
  const lines = page.split('\n');
  const blocks: PageBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]!.startsWith(FENCE)) continue;
    const end = lines.indexOf(FENCE, at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: a block without end`);
    const head = lines[at]!.slice(FENCE.length);
    const [language = '', file = ''] = head.split(' ');
    const text = lines.slice(at + 1, end).map((line) => `${line}\n`).join('');
    blocks.push({ language, file, text, head, line: at + 1 });
    at = end;
  }
  return blocks;
}

/** The rows of the page's table with this first heading: cells by heading. */
export function pageTable(page: string, firstHeading: string): readonly Readonly<Record<string, string>>[] {
  const [rows] = tablesOf(page, firstHeading);
  if (rows === undefined) throw new Error(`no table that begins with ${firstHeading}`);
  return rows;
}

/** The rows of all tables whose first heading this is. */
export function pageTables(page: string, firstHeading: string): readonly Readonly<Record<string, string>>[] {
  return tablesOf(page, firstHeading).flat();
}

function tablesOf(page: string, firstHeading: string): (readonly Readonly<Record<string, string>>[])[] {
  const lines = page.split('\n');
  return lines.flatMap((line, head) => {
    if (!line.startsWith(`| ${firstHeading} |`)) return [];
    const behind = lines.slice(head).findIndex((one) => !one.startsWith('|'));
    const [headings = [], , ...rows] = lines.slice(head, head + behind).map(cellsOf);
    return [rows.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i] ?? ''])))];
  });
}

function cellsOf(line: string): readonly string[] {
  return line.split('|').slice(1, -1).map((cell) => cell.trim());
}
