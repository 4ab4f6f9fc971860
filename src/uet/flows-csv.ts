/** Flows and messages of a run as CSV, with the columns and line ends of the golden files. */
import { checkField, checkRecord, numberIn, reject } from '../config/field-rules.js';
import { UET_FLOW_COLUMNS, UET_MESSAGE_COLUMNS, type UetResult } from './results.js';

const NUMBER = numberIn(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/**
 * One line per flow below a line of names: times in ps, sizes in bytes.
 * @throws RoceError `invalid-config`: `result` is not a result.
 */
export function uetFlowsToCsv(result: UetResult): string {
  checkRecord(result, 'result');
  return textOf(UET_FLOW_COLUMNS, result.flows, 'result.flows');
}

/**
 * One line per message below a line of names; runs without `-conn_reuse` have none.
 * @throws RoceError `invalid-config`: `result` is not a result.
 */
export function uetMessagesToCsv(result: UetResult): string {
  checkRecord(result, 'result');
  return textOf(UET_MESSAGE_COLUMNS, result.messages, 'result.messages');
}

function textOf<Column extends string>(columns: readonly Column[], rows: readonly Readonly<Record<Column, number>>[],
  where: string): string {
  if (!isList(rows)) reject({ got: rows, allowed: 'a list of rows', where });
  const lines = rows.map((row, at) => lineOf(columns, row, `${where}[${at}]`));
  return [columns.join(','), ...lines, ''].join('\n');
}

function lineOf<Column extends string>(columns: readonly Column[], row: Readonly<Record<Column, number>>,
  where: string): string {
  checkRecord(row, where);
  for (const column of columns) checkField(row[column], NUMBER, `${where}.${column}`);
  return columns.map((column) => row[column]).join(',');
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}
