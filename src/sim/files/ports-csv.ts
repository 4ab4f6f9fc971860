/**
 * The ports of a result as CSV, a row each. Columns and units: docs/results.md.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { PortResult, SimResult } from '../result.js';
import { columnsOf, toCsv, type CsvColumn } from './csv.js';

export const PORT_COLUMNS: readonly CsvColumn<PortResult>[] = [
  { name: 'port', value: ({ name }) => name },
  ...columnsOf<PortResult>('node', 'peer', 'rateBps', 'txPackets', 'txBytes', 'utilization', 'maxClassQueueBytes',
    'maxQueueBytes', 'meanQueueBytes', 'marks', 'drops', 'fastCnps', 'pausesSent', 'pausesReceived', 'pausedPs'),
];

/** The ports of a result as CSV, a row each, with a header line. */
export function portsToCsv(result: Pick<SimResult, 'ports'>): string {
  checkRecord(result, 'result');
  const { ports } = result;
  return toCsv(PORT_COLUMNS, ports);
}
