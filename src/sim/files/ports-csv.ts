/**
 * The ports of a result as CSV, a row each. Columns and units: docs/results.md.
 */
import type { PortResult, SimResult } from '../result.js';
import { columnsOf, toCsv, type CsvColumn } from './csv.js';

export const PORT_COLUMNS: readonly CsvColumn<PortResult>[] = [
  { name: 'port', value: ({ name }) => name },
  ...columnsOf<PortResult>('node', 'peer', 'rateBps', 'txPackets', 'txBytes', 'utilization', 'maxClassQueueBytes',
    'maxQueueBytes', 'meanQueueBytes', 'marks', 'drops', 'fastCnps', 'pausesSent', 'pausesReceived', 'pausedPs'),
];

/** The ports of a result as CSV, a row each, with a header line. */
export function portsToCsv({ ports }: Pick<SimResult, 'ports'>): string {
  return toCsv(PORT_COLUMNS, ports);
}
