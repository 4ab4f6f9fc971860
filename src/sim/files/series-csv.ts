/** The series of a result as CSV: one row per sample, one column per port and flow. Columns and units: docs/guides/results.md. */
import { checkRecord } from '../../config/field-rules.js';
import type { SeriesResult, SimResult } from '../result.js';
import { toCsv, type CsvColumn } from './csv.js';

/** The series of a result as CSV, one row per sample, with a header line. */
export function seriesToCsv(result: Pick<SimResult, 'series'>): string {
  checkRecord(result, 'result');
  const { series } = result;
  return toCsv(seriesColumns(series), series.timesPs.keys());
}

/** Columns of the series; a row is the index of a sample. */
function seriesColumns(series: SeriesResult): CsvColumn<number>[] {
  return [
    { name: 'time_ps', value: (sample) => series.timesPs[sample] },
    { name: 'fairness', value: (sample) => series.fairness[sample] ?? null },
    ...columnsOf('queue_bytes', series.queueBytes),
    ...columnsOf('utilization', series.utilization),
    ...columnsOf('rate_bps', series.rateBps),
    ...columnsOf('most_queue_bytes', series.mostQueueBytes ?? {}),
  ];
}

function columnsOf(quantity: string, values: Readonly<Record<string, readonly number[]>>): CsvColumn<number>[] {
  return Object.entries(values).map(([name, samples]) => ({
    name: `${quantity}[${name}]`,
    value: (sample) => samples[sample] ?? null,
  }));
}
