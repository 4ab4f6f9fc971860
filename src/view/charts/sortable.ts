/** Makes tables sortable by a click on a column head, by the cells' `data-value` or else by text. */
/** Puts a button into each column head of the table. */
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

/** Sorts rows; equal ones keep their order. */
function sort(table: HTMLTableElement, column: number, direction: number): void {
  const [body] = table.tBodies;
  if (body === undefined) return;
  const keyed = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[column]) }));
  keyed.sort((a, b) => direction * compare(a.key, b.key));
  body.append(...keyed.map(({ row }) => row));
}

function keyOf(cell: HTMLTableCellElement | undefined): number | string {
  const value = cell?.dataset.value;
  return value === undefined ? cell?.textContent.trim() ?? '' : Number(value);
}

/** Orders numbers before words, such as `not done`. */
function compare(left: number | string, right: number | string): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string')
    return left.localeCompare(right, 'en', { numeric: true });
  return typeof left === 'number' ? -1 : 1;
}
