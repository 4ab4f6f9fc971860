/**
 * Next hops from each switch to each node: a table of groups of next hops with a row for each switch and a column for each
 * destination.
 *
 * Hosts attached to one switch by one link share a column: everywhere else they have the same next hops. At their own switch the
 * column has DIRECT, and each has a separate group. So the table of a fat-tree has k^2/2 columns instead of k^3/4.
 */
import { checkField, checkRecord, reject, wholeIn } from '../config/field-rules.js';

/** Instead of a group: no path leads there. */
export const NO_PATH = -1;
/** In a column: the destination is attached to this switch; `directOf` has the group. */
export const DIRECT = -2;

/** The parts of a table. Groups are indices into the plan's `groups`. */
export interface RouteParts {
  /** Row of each node, or -1 if it has none: hosts with one link. */
  readonly rowOf: Int32Array;
  /** By column, then by row: a group, NO_PATH or DIRECT. */
  readonly columns: readonly Int32Array[];
  /** Column of each node as a destination; -1: no path leads to it. */
  readonly columnOf: Int32Array;
  /** Group of each node at the switch to which its single link leads; -1: none. */
  readonly directOf: Int32Array;
}

/** The next hops of all switches. */
export class RouteTable {
  /** Its parts, for code that stores them elsewhere. */
  readonly parts: RouteParts;

  /** @throws RoceError `invalid-config` if a part is missing, or the parts differ in length by node, or by row. */
  constructor(parts: RouteParts) {
    checkParts(parts);
    this.parts = parts;
  }

  /**
   * The table of a plan made by hand: nodes with entries are switches.
   *
   * @param rows by node, then by destination: index into the plan's `groups`, or -1 where there is no path; of hosts an empty
   * array.
   * @throws RoceError `invalid-config` if a row is neither empty nor as long as there are nodes, or an entry is no group.
   */
  static of(rows: readonly (readonly number[])[]): RouteTable {
    checkRows(rows);
    const filled = rows.filter((row) => row.length > 0);
    let count = 0;
    return new RouteTable({
      rowOf: Int32Array.from(rows, (row) => (row.length > 0 ? count++ : -1)),
      columns: rows.map((_, destination) => Int32Array.from(filled, (row) => row[destination])),
      columnOf: Int32Array.from(rows.keys()),
      directOf: new Int32Array(rows.length).fill(NO_PATH),
    });
  }

  /**
   * The group of next hops from a node towards a destination, or -1: no path leads there, or the node is a host of one link.
   *
   * @param node index of the node, as `destination` is.
   */
  group(node: number, destination: number): number {
    const { rowOf, columns, columnOf, directOf } = this.parts;
    // Called for each packet by the plain model, so the check is made only on failure.
    if (!isIndex(node, rowOf.length)) checkField(node, wholeIn(0, rowOf.length - 1), 'node');
    if (!isIndex(destination, rowOf.length)) checkField(destination, wholeIn(0, rowOf.length - 1), 'destination');
    const row = rowOf[node];
    const column = columnOf[destination];
    if (row < 0 || column < 0) return NO_PATH;
    const group = columns[column][row];
    return group === DIRECT ? directOf[destination] : group;
  }
}

function isIndex(index: number, length: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < length;
}

function checkParts(parts: RouteParts): void {
  const { rowOf, columnOf, directOf, columns } = checkRecord(parts, 'parts') as Partial<RouteParts>;
  for (const [where, got] of Object.entries({ rowOf, columnOf, directOf })) {
    if (!(got instanceof Int32Array))
      reject({ got, allowed: 'an Int32Array with an entry for each node', where: `parts.${where}` });
    if (got.length !== rowOf?.length)
      reject({ got: got.length, allowed: 'as many entries as rowOf has', where: `parts.${where}` });
  }
  const rows = (rowOf ?? []).filter((row) => row >= 0).length;
  if (!Array.isArray(columns)) reject({ got: columns, allowed: 'an array of columns', where: 'parts.columns' });
  columns.forEach((column: unknown, i) => {
    if (!(column instanceof Int32Array && column.length === rows))
      reject({ got: column, allowed: `an Int32Array of ${rows} rows`, where: `parts.columns[${i}]` });
  });
}

function checkRows(rows: unknown): void {
  if (!Array.isArray(rows)) reject({ got: rows, allowed: 'an array of rows', where: 'rows' });
  const group = wholeIn(NO_PATH, 2 ** 31 - 1);
  rows.forEach((row: unknown, node) => {
    if (!(Array.isArray(row) && (row.length === 0 || row.length === rows.length))) {
      reject({ got: row, allowed: `an array of no entry or ${rows.length}`, where: `rows[${node}]` });
    }
    row.forEach((entry, destination) => {
      checkField(entry, group, `rows[${node}][${destination}]`);
    });
  });
}
