/** The ports of a result as CSV, one row per port. Columns: docs/reference/result-members.md. */
import { checkRecord } from '../../config/field-rules.js';
import type { PortResult, SimResult } from '../result.js';
import { PORT } from '../result-schema/ports.js';
import { columnsOf, toCsv, type CsvColumn } from './csv.js';

/** Members that every port has. */
const MEMBERS = (Object.keys(PORT.shape) as (keyof typeof PORT.shape)[])
  .filter((member) => member !== 'name' && PORT.shape[member].type !== 'optional');

export const PORT_COLUMNS: readonly CsvColumn<PortResult>[] = [
  { name: 'port', value: ({ name }) => name },
  ...columnsOf<PortResult>(...MEMBERS),
];

/** The ports of a result as CSV, one row per port, with a header line. */
export function portsToCsv(result: Pick<SimResult, 'ports'>): string {
  checkRecord(result, 'result');
  const { ports } = result;
  return toCsv(PORT_COLUMNS, ports);
}
