/**
 * The ports of a result as CSV, a row each. Columns and units: docs/results.md.
 */
import type { PortResult, SimResult } from '../result.js';
import { toCsv, type CsvColumn } from './csv.js';

export const PORT_COLUMNS: readonly CsvColumn<PortResult>[] = [
  { name: 'port', value: ({ name }) => name },
  { name: 'node', value: ({ node }) => node },
  { name: 'peer', value: ({ peer }) => peer },
  { name: 'rate_bps', value: ({ rateBps }) => rateBps },
  { name: 'tx_packets', value: ({ txPackets }) => txPackets },
  { name: 'tx_bytes', value: ({ txBytes }) => txBytes },
  { name: 'utilization', value: ({ utilization }) => utilization },
  { name: 'max_class_queue_bytes', value: ({ maxClassQueueBytes }) => maxClassQueueBytes },
  { name: 'max_queue_bytes', value: ({ maxQueueBytes }) => maxQueueBytes },
  { name: 'mean_queue_bytes', value: ({ meanQueueBytes }) => meanQueueBytes },
  { name: 'marks', value: ({ marks }) => marks },
  { name: 'drops', value: ({ drops }) => drops },
  { name: 'fast_cnps', value: ({ fastCnps }) => fastCnps },
  { name: 'pauses_sent', value: ({ pausesSent }) => pausesSent },
  { name: 'pauses_received', value: ({ pausesReceived }) => pausesReceived },
  { name: 'paused_ps', value: ({ pausedPs }) => pausedPs },
];

/** The ports of a result as CSV, a row each, with a header line. */
export function portsToCsv({ ports }: Pick<SimResult, 'ports'>): string {
  return toCsv(PORT_COLUMNS, ports);
}
