/**
 * Turns recorded columns into the series of a result.
 */
import type { SeriesResult } from '../result.js';
import type { SeriesRecorder } from './series-recorder.js';

/** The column of each series: ports by name, flows by index. Columns that are not listed are omitted from the result. */
export interface SeriesLayout {
  readonly queueBytes: Readonly<Record<string, number>>;
  readonly mostQueueBytes?: Readonly<Record<string, number>>;
  readonly utilization: Readonly<Record<string, number>>;
  readonly rateBps: Readonly<Record<string, number>>;
  readonly fairness: number;
}

export function seriesResult(recorder: SeriesRecorder, layout: SeriesLayout): SeriesResult {
  return {
    intervalPs: recorder.intervalPs,
    timesPs: recorder.timesPs(),
    queueBytes: columnsOf(recorder, layout.queueBytes),
    ...(layout.mostQueueBytes && { mostQueueBytes: columnsOf(recorder, layout.mostQueueBytes) }),
    utilization: columnsOf(recorder, layout.utilization),
    rateBps: columnsOf(recorder, layout.rateBps),
    fairness: recorder.column(layout.fairness),
  };
}

function columnsOf(recorder: SeriesRecorder, columns: Readonly<Record<string, number>>): Record<string, number[]> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, recorder.column(column)]));
}
