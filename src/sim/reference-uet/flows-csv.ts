/** Flows and messages of a run as CSV, with the columns and line ends of the golden files. */
import { UET_FLOW_COLUMNS, UET_MESSAGE_COLUMNS, type UetResult } from './results.js';

/** One line per flow below a line of names: times in ps, sizes in bytes. */
export function uetFlowsToCsv({ flows }: UetResult): string {
  return textOf(UET_FLOW_COLUMNS, flows);
}

/** One line per message below a line of names; runs without `-conn_reuse` have none. */
export function uetMessagesToCsv({ messages }: UetResult): string {
  return textOf(UET_MESSAGE_COLUMNS, messages);
}

function textOf<Column extends string>(columns: readonly Column[],
  rows: readonly Readonly<Record<Column, number>>[]): string {
  const lines = rows.map((row) => columns.map((column) => row[column]).join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}
