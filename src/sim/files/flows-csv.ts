/**
 * The flows of a result as CSV, a row each. Columns and units: docs/results.md.
 */
import { checkRecord } from '../../config/field-rules.js';
import type { FlowResult, SimResult } from '../result.js';
import { LOSS_FIGURES, VERB_FIGURES } from '../results/loss-figures.js';
import { columnsOf, csvParts, toCsv, type CsvColumn } from './csv.js';

export const FLOW_COLUMNS: readonly CsvColumn<FlowResult>[] = [
  { name: 'flow', value: ({ index }) => index },
  ...columnsOf<FlowResult>('from', 'to', 'algorithm', 'sizeBytes', 'startPs', 'completionPs', 'idealPs', 'slowdown',
    'deliveredBytes', 'retransmittedPackets', 'timeouts', 'cnps', 'fastCnps', 'duplicateNotifications',
    'firstNotificationPs', 'finalRateBps'),
  ...columnsOf<FlowResult>('qp', 'beganPs', 'beganRateBps').map(({ name, value }) => ({
    name,
    value: (row: FlowResult) => value(row) ?? null,
  })),
  { name: 'failure', value: ({ failure = '' }) => failure },
  ...columnsOf<FlowResult>(...LOSS_FIGURES, 'detours', ...VERB_FIGURES).map(({ name, value }) => ({
    name,
    value: (row: FlowResult) => value(row) ?? 0,
  })),
];

/** The flows of a result as CSV, a row each, with a header line. */
export function flowsToCsv(result: Pick<SimResult, 'flows'>): string {
  checkRecord(result, 'result');
  const { flows } = result;
  return toCsv(FLOW_COLUMNS, flows);
}

/** The same text in parts: for millions of flows it is too long for one string. */
export function flowsCsvParts(result: Pick<SimResult, 'flows'>): Iterable<string> {
  checkRecord(result, 'result');
  const { flows } = result;
  return csvParts(FLOW_COLUMNS, flows);
}
