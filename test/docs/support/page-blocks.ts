/** The fenced blocks of a page of docs/, and what a reader does with them. */

/** A block: ```language file, lines, ```. */
export interface PageBlock {
  readonly language: string;
  /** Named in the block's head; empty when it has none. */
  readonly file: string;
  readonly text: string;
  /** The rest of the line of its opening fence. */
  readonly head: string;
  /** Line of its head, counted from 1. */
  readonly line: number;
}

/** One place that a diff block changes: these lines become those. */
interface Change {
  readonly before: readonly string[];
  readonly after: readonly string[];
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

/**
 * Makes the changes of a diff block.
 * @throws Error naming the place that is not there, or there more than once, or before the one ahead of it.
 */
export function applyDiff(text: string, diff: string): string {
  const lines = text.split('\n');
  let from = 0;
  for (const { before, after } of changesOf(diff)) {
    const at = onlyPlace(lines, before);
    if (at < from) throw new Error(`out of order:\n${before.join('\n')}`);
    lines.splice(at, before.length, ...after);
    from = at + after.length;
  }
  return lines.join('\n');
}

function changesOf(diff: string): readonly Change[] {
  return diff.split(/^@@\n/m).map((part) => {
    const lines = part.split('\n').slice(0, -1);
    const odd = lines.find((line) => !/^[ +-]/.test(line));
    if (odd !== undefined) throw new Error(`a line of a diff begins with a space, + or -, got ${JSON.stringify(odd)}`);
    const side = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
    return { before: side('+'), after: side('-') };
  });
}

function onlyPlace(lines: readonly string[], wanted: readonly string[]): number {
  if (wanted.length === 0) throw new Error('a change that does not say where');
  const places = lines.flatMap((_, at) => (wanted.every((line, i) => lines[at + i] === line) ? [at] : []));
  if (places.length !== 1) throw new Error(`found ${places.length} times instead of once:\n${wanted.join('\n')}`);
  return places[0]!;
}

/** The rows of the page's table with this first heading: cells by heading. */
export function pageTable(page: string, firstHeading: string): readonly Readonly<Record<string, string>>[] {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${firstHeading} |`));
  if (head < 0) throw new Error(`no table that begins with ${firstHeading}`);
  const behind = lines.slice(head).findIndex((line) => !line.startsWith('|'));
  const [headings = [], , ...rows] = lines.slice(head, head + behind).map(cellsOf);
  return rows.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i] ?? ''])));
}

function cellsOf(line: string): readonly string[] {
  return line.split('|').slice(1, -1).map((cell) => cell.trim());
}
