/** The metrics of a run as a table column, on the terminal and in the report. */
import { isFairnessDefined, metricOf, type MetricKey } from '../../sim/metrics.js';
import type { SimResult } from '../../sim/result.js';
import { allUseNoCnps } from '../../sim/explain/why-notified.js';
import { formatByUnit } from '../../view/format.js';
import { AT_PORT, RARE_METRICS, RUN_METRICS, SHORT_RUN_METRICS } from '../../view/metric-tables.js';
import { formatCount, formatCountOf } from '../format.js';

/** One line of the table, with a value for each run. */
interface MetricRow {
  /** Absent for a line that is not a metric. */
  readonly key?: MetricKey;
  readonly title: string;
  readonly meaning: string;
  readonly values: readonly string[];
}

export const NONE = '-';
const NEVER = 'never';

/** Lines of the table with the value of each run. */
export function metricRows(results: readonly SimResult[], isShort = false): MetricRow[] {
  const lines = isShort ? SHORT_RUN_METRICS : RUN_METRICS;
  return lines.flatMap((line) => {
    if (line === AT_PORT) return [portRow(results)];
    const { key, title, meaning, read } = metricOf(line);
    if (RARE_METRICS.has(key) && results.every((result) => (read(result) ?? 0) === 0)) return [];
    return [{ key, title, meaning, values: results.map((result) => textOf(result, key)) }];
  });
}

function portRow(results: readonly SimResult[]): MetricRow {
  return {
    title: AT_PORT,
    meaning: 'The port with the longest queue, as node:peer.',
    values: results.map(({ summary }) => summary.maxQueuePort || NONE),
  };
}

function textOf(result: SimResult, key: MetricKey): string {
  const { read, unit } = metricOf(key);
  const value = read(result);
  if (value === null) return textOfNone(result, key);
  const text = formatByUnit(value, unit);
  return key === 'flowsDone' ? `${text} of ${formatCount(flowsOf(result))}` : text;
}

/** Number of all flows, including endless ones. */
export function flowsOf({ summary: { flowsDone, flowsUnfinished, flowsEndless = 0 } }: SimResult): number {
  return flowsDone + flowsUnfinished + flowsEndless;
}

function textOfNone(result: SimResult, key: MetricKey): string {
  const isNever = (key === 'meanNotificationDelayPs' && !allUseNoCnps(result) && result.uet === undefined) ||
    (key === 'fairAfterPs' && isFairnessDefined(result));
  return isNever ? NEVER : NONE;
}

/** Why a run ended, unless it ended normally. */
export function endedWords({ ended, flows, summary, simulatedPs }: SimResult): string | undefined {
  const failures = flows.flatMap(({ failure }) => failure ?? []);
  const { flowsUnfinished, flowsEndless = 0 } = summary;
  const unfinished = `${formatCount(flowsUnfinished)} of ${
    formatCount(flows.length - flowsEndless)
  } flows are not done${
    failures.length === 0 ?
      '' :
      `, ${formatCount(failures.length)} of them failed (${[...new Set(failures)].join(', ')})`
  }`;
  const endless = `${formatCountOf(flowsEndless, 'flow')} without an end sent until then`;
  if (ended === 'time' && flowsEndless > 0)
    return `Ended at the stated time; ${flowsUnfinished === 0 ? '' : `${unfinished}; `}${endless}.`;
  const open = unfinished;
  if (ended === 'cancelled') return `Cancelled: the results show the state at that time; ${open}.`;
  if (ended === 'deadlock') return `Deadlock: queues wait for each other, and no events are left; ${open}.`;
  if (ended === 'stuck') return `Stuck: no events are left; ${open}.`;
  if (ended === 'jobs-done' && summary.flowsUnfinished > 0) return `Ended when its jobs were done; ${open}.`;
  return ended === 'time' ? `Stopped at the time limit of ${formatByUnit(simulatedPs, 'ps')}; ${open}.` : undefined;
}
