/**
 * Next hops from each switch to each node: a table of groups of next hops, with one row per switch and one column per
 * destination.
 *
 * Hosts attached to the same switch by one link share a column, as they have the same next hops everywhere else. At their own
 * switch the column has DIRECT, and each host has its own group. So the table of a fat-tree has k^2/2 columns instead of k^3/4.
 */
import { checkField, checkRecord, reject, wholeIn } from '../config/field-rules.js';

/** Replaces a group if there is no path. */
export const NO_PATH = -1;
/** Replaces a group if the destination is attached to the switch: `directOf` has the group. */
export const DIRECT = -2;

/** The parts of a table. Groups are indices into the plan's `groups`. */
export interface RouteParts {
  /** Row of each node; -1: no row, as for hosts with one link. */
  readonly rowOf: Int32Array;
  /** Columns, each with an entry per row: a group, NO_PATH or DIRECT. */
  readonly columns: readonly Int32Array[];
  /** Column of each node as a destination; -1: no path leads to it. */
  readonly columnOf: Int32Array;
  /** Group of each node at the switch to which its single link leads; -1: none. */
  readonly directOf: Int32Array;
}

/** The next hops of all switches. */
export class RouteTable {
  /** The parts of the table, for code that stores them elsewhere. */
  readonly parts: RouteParts;

  /**
   * @throws RoceError `invalid-config` if a part is missing, or if parts that are indexed by node, or by row, differ in length.
   */
  constructor(parts: RouteParts) {
    checkParts(parts);
    this.parts = parts;
  }

  /**
   * The table of a hand-written plan, in which nodes with entries are switches.
   *
   * @param rows one array per node, with an index into the plan's `groups` for each destination, or -1 if there is no path; an
   * empty array for a host.
   * @throws RoceError `invalid-config` if a row is neither empty nor has one entry per node, or if an entry is not a group.
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
   * The group of next hops from a node towards a destination; -1: there is no path, or the node is a host with one link.
   *
   * @param node index of the node. @param destination index of the destination.
   */
  group(node: number, destination: number): number {
    const { rowOf, columns, columnOf, directOf } = this.parts;
    // The plain model calls this for each packet, so the slow check runs only on failure.
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
