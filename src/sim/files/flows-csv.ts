/**
 * The flows of a result as CSV, a row each. Columns and units: docs/results.md.
 */
import type { FlowResult, SimResult } from '../result.js';
import { toCsv, type CsvColumn } from './csv.js';

export const FLOW_COLUMNS: readonly CsvColumn<FlowResult>[] = [
  { name: 'flow', value: ({ index }) => index },
  { name: 'from', value: ({ from }) => from },
  { name: 'to', value: ({ to }) => to },
  { name: 'algorithm', value: ({ algorithm }) => algorithm },
  { name: 'size_bytes', value: ({ sizeBytes }) => sizeBytes },
  { name: 'start_ps', value: ({ startPs }) => startPs },
  { name: 'completion_ps', value: ({ completionPs }) => completionPs },
  { name: 'ideal_ps', value: ({ idealPs }) => idealPs },
  { name: 'slowdown', value: ({ slowdown }) => slowdown },
  { name: 'delivered_bytes', value: ({ deliveredBytes }) => deliveredBytes },
  { name: 'retransmitted_packets', value: ({ retransmittedPackets }) => retransmittedPackets },
  { name: 'timeouts', value: ({ timeouts }) => timeouts },
  { name: 'cnps', value: ({ cnps }) => cnps },
  { name: 'fast_cnps', value: ({ fastCnps }) => fastCnps },
  { name: 'duplicate_notifications', value: ({ duplicateNotifications }) => duplicateNotifications },
  { name: 'first_notification_ps', value: ({ firstNotificationPs }) => firstNotificationPs },
  { name: 'final_rate_bps', value: ({ finalRateBps }) => finalRateBps },
];

/** The flows of a result as CSV, a row each, with a header line. */
export function flowsToCsv({ flows }: Pick<SimResult, 'flows'>): string {
  return toCsv(FLOW_COLUMNS, flows);
}
