/** Tables of the pages that `npm run study` writes. */

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** @param textColumns columns of words, from the first on; all others are numbers, aligned to the right. */
export function table(heads: readonly string[], rows: readonly string[], textColumns = 2): string {
  const ruler = heads.map((_, column) => (column < textColumns ? '---' : '---:'));
  return [tableRow(heads), `|${ruler.join('|')}|`, ...rows].join('\n');
}
