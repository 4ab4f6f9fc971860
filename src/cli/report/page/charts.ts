/** Selects the lines of each chart of a report. */
import { flowColor, runColor, runDash, styleColor } from '../../../view/charts/palette.js';
import { BPS_PER_MBPS, PS_PER_US } from '../../../units.js';
import { logSplits } from '../../../view/log-axis.js';
import { queueLevels } from '../../../view/charts/thresholds.js';
import type { Line, TimeChartOptions, TimeChartSpec } from '../../../view/charts/time-chart.js';
import { BYTE_UNITS, PERCENT, RATE_UNITS, TIME_UNITS, type Unit, unitFor } from '../../../view/format.js';
import type { PageData, PagePort, PageRun } from '../report-data.js';
import type { BarSpec } from './bar-chart.js';

const TIME_GROUP = 'time';
const EVERYTHING = 1;
const DECADES_MAX = 4;
/** With more lines, a name is shown only when the reader points at its line. */
const NAMED_MAX = 6;

export interface ReportChart {
  readonly spec: TimeChartSpec;
  readonly titles: Required<TimeChartOptions>['titles'];
  readonly group?: string;
}

/**
 * @param kind value of the placeholder's `data-chart`.
 * @param run index of the run, for charts of a single run. @param port chosen by the reader; empty: the port with the
 * longest queue, in each run.
 */
export function timeChart(kind: string, data: PageData, run: number, port: string): ReportChart | undefined {
  if (kind === 'completions') {
    return { spec: completionSpec(data), titles: { x: 'Completion time', y: 'Flows done' } };
  }
  const overTime = (y: string, spec: TimeChartSpec): ReportChart => ({
    spec,
    titles: { x: timeTitle(data), y },
    group: TIME_GROUP,
  });
  if (kind === 'queue') return overTime('Queue', queueSpec(data, port));
  if (kind === 'utilization') return overTime('Utilization', utilizationSpec(data, port));
  if (kind === 'fairness') return overTime("Jain's index", fairnessSpec(data));
  const one = data.runs[run];
  return kind === 'rates' && one !== undefined ? overTime('Rate', rateSpec(data, one)) : undefined;
}

function queueSpec(data: PageData, port: string): TimeChartSpec {
  const shown = data.runs.flatMap((run) => chosenPort(run, port) ?? []);
  const spec = runLines(data, BYTE_UNITS, 0, (run) => ({
    label: labelWithPort(run, port),
    values: chosenPort(run, port)?.queueBytes,
  }));
  return { ...spec, levels: queueLevels(shown) };
}

function utilizationSpec(data: PageData, port: string): TimeChartSpec {
  return runLines(data, [PERCENT], EVERYTHING, (run) => ({
    label: labelWithPort(run, port),
    values: chosenPort(run, port)?.utilization,
  }));
}

function fairnessSpec(data: PageData): TimeChartSpec {
  return runLines(data, [], EVERYTHING, (run) => ({ label: run.name, values: run.fairness }));
}

interface RunLine {
  readonly label: string;
  readonly values: readonly (number | null)[] | undefined;
}

/** A line over time for each run. */
function runLines(data: PageData, units: readonly Unit[], top: number,
  lineOf: (run: PageRun) => RunLine): TimeChartSpec {
  const lines = data.runs.flatMap((run, index): Line[] => {
    const { label, values } = lineOf(run);
    return values === undefined ?
      [] :
      [{
        label,
        timesPs: column(run.timesUs, PS_PER_US),
        values: column(values, 1),
        color: runColor(index),
        dash: runDash(index),
        width: 2,
        isNamed: true,
      }];
  });
  return { lines, levels: [], units, top, hasGaps: true, empty: '' };
}

function rateSpec(data: PageData, run: PageRun): TimeChartSpec {
  const top = BPS_PER_MBPS *
    largestOf(data.runs.flatMap(({ flows }) => flows.map(({ rateMbps }) => largestOf(rateMbps))));
  // Charts of all runs have the same axes, as the longest and the fastest run need them.
  const endUs = lastTimeUs(data);
  const times = endUs > (run.timesUs.at(-1) ?? 0) ? [...run.timesUs, endUs] : run.timesUs;
  const timesPs = column(times, PS_PER_US);
  const rates = (values: readonly (number | null)[]): Float64Array =>
    column(times.map((_, index) => values[index] ?? null), BPS_PER_MBPS);
  const lines = run.flows.map(({ label, rateMbps }, index): Line => ({
    label,
    timesPs,
    values: rates(rateMbps),
    color: flowColor(index),
    dash: [],
    width: 1.25,
    isNamed: run.flows.length <= NAMED_MAX,
  }));
  const mean: Line = {
    label: 'mean',
    timesPs,
    values: rates(meanRates(run)),
    color: styleColor('--text'),
    dash: [],
    width: 3,
    isNamed: true,
  };
  return {
    lines: [...lines, mean],
    levels: [],
    units: RATE_UNITS,
    top,
    logBottom: lowEnd(data, top),
    hasGaps: true,
    empty: '',
  };
}

/** Bottom of the logarithmic axis: a tick below all rates within some decades of the largest. */
function lowEnd({ runs }: PageData, top: number): number {
  const floor = top / 10 ** DECADES_MAX;
  const start = top > 0 ? top : 1;
  const lower = (low: number, rate: number | null): number =>
    rate !== null && rate > 0 && rate * BPS_PER_MBPS >= floor ? Math.min(low, rate * BPS_PER_MBPS) : low;
  const low = runs.flatMap(({ flows }) => flows).reduce(
    (lowest, { rateMbps }) => rateMbps.reduce<number>(lower, lowest),
    start,
  );
  return logSplits(low / 100, low * 0.999).at(-1) ?? low;
}

function meanRates({ timesUs, flows }: PageRun): (number | null)[] {
  return timesUs.map((_, index) => {
    const rates = flows.flatMap(({ rateMbps }) => rateMbps[index] ?? []);
    return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  });
}

/** A step line for each run, over the union of all completion times, starting at 0. */
function completionSpec(data: PageData): TimeChartSpec {
  const times = [...new Set([0, ...data.runs.flatMap(({ completions }) => completions.map(([timeUs]) => timeUs))])]
    .sort((a, b) => a - b);
  const all = [...times, (times.at(-1) ?? 0) * 1.03];
  const timesPs = column(all, PS_PER_US);
  const lines = data.runs.map(({ name, completions }, index): Line => ({
    label: name,
    timesPs,
    values: column(sharesAt(all, completions), 1),
    color: runColor(index),
    dash: runDash(index),
    width: 2,
    isNamed: true,
    isStepped: true,
  }));
  return { lines, levels: [], units: [PERCENT], top: EVERYTHING, empty: '' };
}

function sharesAt(times: readonly number[], completions: PageRun['completions']): number[] {
  let next = 0;
  let share = 0;
  return times.map((timeUs) => {
    for (let point = completions[next]; point !== undefined && point[0] <= timeUs; point = completions[++next]) {
      share = point[1];
    }
    return share;
  });
}

/** Bars in groups: a group for each port, a bar for each run. */
export function pauseBars({ runs }: PageData): BarSpec {
  const ports = [...new Set(runs.flatMap(({ pauses }) => pauses.map(({ port }) => port)))];
  const pausedPs = (run: PageRun, name: string): number =>
    PS_PER_US * (run.pauses.find(({ port }) => port === name)?.pausedUs ?? 0);
  const bars = runs.map((run, index) => ({
    label: run.name,
    color: runColor(index),
    values: ports.map((name) => pausedPs(run, name)),
  }));
  const yUnit = unitFor(largestOf(bars.flatMap(({ values }) => values)), TIME_UNITS);
  return { xTitle: 'Port (node:peer)', yTitle: 'Paused', yUnit, names: ports, bars };
}

function chosenPort({ ports, peakPort }: PageRun, port: string): PagePort | undefined {
  const wanted = port === '' ? peakPort : port;
  return ports.find(({ name }) => name === wanted);
}

/** Adds the port's name, as each run may have its longest queue at another port. */
function labelWithPort(run: PageRun, port: string): string {
  return port === '' && run.peakPort !== null ? `${run.name}, ${run.peakPort}` : run.name;
}

function timeTitle({ runs }: PageData): string {
  return runs.some(({ isShifted }) => isShifted) ? 'Time since the first start' : 'Time';
}

function lastTimeUs({ runs }: PageData): number {
  return runs.reduce((last, { timesUs }) => Math.max(last, timesUs.at(-1) ?? 0), 0);
}

/** Maximum of a list too long to pass as arguments of Math.max. */
function largestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
}

/** Scales values; null becomes NaN. */
function column(values: readonly (number | null)[], factor: number): Float64Array {
  return Float64Array.from(values, (value) => (value === null ? NaN : value * factor));
}
