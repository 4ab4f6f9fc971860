/** HTML tables, and JSON embedded in HTML. */
import { escapeHtml } from '../../view/escape.js';

/** JSON that is safe in a script element: it can't end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

export interface HtmlColumn {
  readonly head: string;
  /** Tooltip that explains the column. */
  readonly title?: string;
  readonly isNumeric?: boolean;
  /** Whether the column contains sentences. */
  readonly isWide?: boolean;
}

/** A text, or a text with the number to sort it by. */
export type HtmlCell = string | { readonly text: string; readonly value: number };

/**
 * A table that scrolls sideways; its first column contains row headers.
 *
 * @param rows plain text, not HTML.
 */
export function htmlTable(caption: string, columns: readonly HtmlColumn[], rows: readonly (readonly HtmlCell[])[],
  { isSortable = false }: { readonly isSortable?: boolean } = {}): string {
  const heads = columns.map((column) =>
    `<th scope="col"${cellClass(column)}${hint(column.title)}>${escapeHtml(column.head)}</th>`
  );
  const body = rows.map((row) =>
    `<tr>${row.map((cell, index) => htmlCell(cell, index, columns[index])).join('')}</tr>`
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table${
    isSortable ? ' data-sortable' : ''
  }>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>`;
}

function htmlCell(cell: HtmlCell, index: number, column: HtmlColumn | undefined): string {
  const [text, value] = typeof cell === 'string' ? [cell, ''] : [cell.text, ` data-value="${cell.value}"`];
  return index === 0 ?
    `<th scope="row"${value}>${escapeHtml(text)}</th>` :
    `<td${cellClass(column)}${value}>${escapeHtml(text)}</td>`;
}

function cellClass(column: HtmlColumn | undefined): string {
  if (column?.isNumeric === true) return ' class="number"';
  return column?.isWide === true ? ' class="wide"' : '';
}

function hint(title: string | undefined): string {
  return title === undefined ? '' : ` title="${escapeHtml(title)}"`;
}
