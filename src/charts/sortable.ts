/** Tables sorted by a click on a column head: numbers by value in any unit, else by text. */

const FACTORS: Readonly<Record<string, number>> = {
  ps: 1,
  ns: 1e3,
  us: 1e6,
  µs: 1e6,
  ms: 1e9,
  s: 1e12,
  bytes: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  PB: 1e15,
  'b/s': 1,
  'kb/s': 1e3,
  'Mb/s': 1e6,
  'Gb/s': 1e9,
  'Tb/s': 1e12,
};
const QUANTITY = /^(-?[\d,]+(?:\.\d+)?)(?: ([%a-zµ][a-z/]*))?$/i;

/** Makes the heads of a table buttons. */
export function makeSortable(table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll<HTMLTableCellElement>('thead th')];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const isAscending = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
      sort(table, column, isAscending ? 1 : -1);
    });
  });
}

/** Rows that are equal keep their order. */
function sort(table: HTMLTableElement, column: number, direction: number): void {
  const [body] = table.tBodies;
  if (body === undefined) return;
  const keyed = [...body.rows].map((row) => ({ row, key: row.cells[column]?.textContent.trim() ?? '' }));
  keyed.sort((a, b) => direction * compare(a.key, b.key));
  body.append(...keyed.map(({ row }) => row));
}

/** Numbers before words: what is not done, or none. */
function compare(a: string, b: string): number {
  const [left, right] = [valueOf(a), valueOf(b)];
  if (left !== undefined && right !== undefined) return left - right;
  if (left === undefined && right === undefined) return a.localeCompare(b, 'en', { numeric: true });
  return left === undefined ? 1 : -1;
}

function valueOf(text: string): number | undefined {
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const factor = match[2] === undefined || match[2] === '%' ? 1 : FACTORS[match[2]];
  return factor === undefined ? undefined : Number(match[1]?.replaceAll(',', '')) * factor;
}
