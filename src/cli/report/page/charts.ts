/** Which lines each chart of the page has. */
import type { PageData, PagePort, PageRun } from '../page-data.js';
import { flowColor, runColor, runDash, styleColor } from './colors.js';
import type { ChartLine, ChartSpec } from './line-chart.js';
import { logSplits } from './log-axis.js';
import { thresholdsOf, withThresholds } from './thresholds.js';
import { BYTE_UNITS, NO_UNIT, PERCENT, RATE_UNITS, TIME_UNITS, unitFor, type Unit } from './units.js';

const TIME_GROUP = 'time';
const EVERYTHING = 1;
const DECADES_MAX = 4;

/**
 * @param kind as the place of the chart says.
 * @param run index of the run, for charts of one.
 * @param port chosen by the reader; empty = of each run the one with its longest queue.
 */
export function chartSpec(kind: string, data: PageData, run: number, port: string): ChartSpec | undefined {
  if (kind === 'queue') return queueSpec(data, port);
  if (kind === 'utilization') return utilizationSpec(data, port);
  if (kind === 'fairness') return fairnessSpec(data);
  if (kind === 'completions') return completionSpec(data);
  if (kind === 'pauses') return pauseSpec(data);
  const one = data.runs[run];
  return kind === 'rates' && one !== undefined ? rateSpec(data, one) : undefined;
}

function queueSpec(data: PageData, port: string): ChartSpec {
  const largest = largestOf(data.runs.flatMap((run) => chosenPort(run, port)?.queueBytes ?? []));
  const unit = unitFor(largest, BYTE_UNITS);
  const thresholds = thresholdsOf(data.runs.flatMap((run) => chosenPort(run, port) ?? []), unit);
  const spec = runLines(data, 'Queue', unit, largest, (run) => ({
    label: labelWithPort(run, port),
    values: chosenPort(run, port)?.queueBytes,
  }));
  return { ...spec, thresholds, yMax: withThresholds(spec.yMax, thresholds) };
}

function utilizationSpec(data: PageData, port: string): ChartSpec {
  return runLines(data, 'Utilisation', PERCENT, EVERYTHING, (run) => ({
    label: labelWithPort(run, port),
    values: chosenPort(run, port)?.utilization,
  }));
}

function fairnessSpec(data: PageData): ChartSpec {
  return runLines(data, "Jain's index", NO_UNIT, EVERYTHING, (run) => ({ label: run.name, values: run.fairness }));
}

interface RunLine {
  readonly label: string;
  readonly values: readonly (number | null)[] | undefined;
}

/** A line over time for each run. */
function runLines(data: PageData, yLabel: string, yUnit: Unit, largest: number,
  lineOf: (run: PageRun) => RunLine): ChartSpec {
  const xUnit = timeUnit(data);
  const lines = data.runs.flatMap((run, index): ChartLine[] => {
    const { label, values } = lineOf(run);
    return values === undefined ?
      [] :
      [{
        label,
        x: scaled(run.timesUs, xUnit),
        y: scaled(values, yUnit),
        color: runColor(index),
        dash: runDash(index),
      }];
  });
  return {
    xLabel: timeLabel(data),
    yLabel,
    xUnit,
    yUnit,
    lines,
    yMax: largest / yUnit.size,
    shape: 'line',
    group: TIME_GROUP,
  };
}

function rateSpec(data: PageData, run: PageRun): ChartSpec {
  const xUnit = timeUnit(data);
  const largest = largestOf(data.runs.flatMap(({ flows }) => flows.map(({ rateMbps }) => largestOf(rateMbps))));
  const yUnit = unitFor(largest, RATE_UNITS);
  // All runs' charts have the axes of the longest and fastest run.
  const endUs = lastTimeUs(data);
  const x = [...scaled(run.timesUs, xUnit), ...(endUs > (run.timesUs.at(-1) ?? 0) ? [endUs / xUnit.size] : [])];
  const pad = (values: readonly (number | null)[]): (number | null)[] =>
    Array.from(x, (_, index) => values[index] ?? null);
  const lines = run.flows.map(({ label, rateMbps }, index): ChartLine => ({
    label,
    x,
    y: pad(scaled(rateMbps, yUnit)),
    color: flowColor(index),
    width: 1.25,
  }));
  const mean: ChartLine = {
    label: 'mean',
    x,
    y: pad(scaled(meanRates(run), yUnit)),
    color: styleColor('--text'),
    width: 3,
  };
  const yMax = largest / yUnit.size;
  return {
    xLabel: timeLabel(data),
    yLabel: 'Rate',
    xUnit,
    yUnit,
    lines: [...lines, mean],
    yMax,
    yLogMin: lowEnd(data, yUnit, yMax),
    shape: 'line',
    group: TIME_GROUP,
  };
}

/** The step of a logarithmic axis below all rates, of those within some decades of the largest. */
function lowEnd({ runs }: PageData, { size }: Unit, yMax: number): number {
  const floor = yMax / 10 ** DECADES_MAX;
  const start = yMax > 0 ? yMax : 1;
  const lower = (low: number,
    rate: number | null): number => (rate !== null && rate / size >= floor ? Math.min(low, rate / size) : low);
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

/** A staircase for each run over the union of all times, from 0 on. */
function completionSpec(data: PageData): ChartSpec {
  const times = [...new Set([0, ...data.runs.flatMap(({ completions }) => completions.map(([timeUs]) => timeUs))])]
    .sort((a, b) => a - b);
  const last = times.at(-1) ?? 0;
  const xUnit = unitFor(last, TIME_UNITS);
  const all = [...times, last * 1.03];
  const lines = data.runs.map(({ name, completions }, index): ChartLine => ({
    label: name,
    x: scaled(all, xUnit),
    y: scaled(sharesAt(all, completions), PERCENT),
    color: runColor(index),
    dash: runDash(index),
  }));
  return {
    xLabel: 'Completion time',
    yLabel: 'Flows done',
    xUnit,
    yUnit: PERCENT,
    lines,
    yMax: EVERYTHING / PERCENT.size,
    shape: 'step',
  };
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
function pauseSpec({ runs }: PageData): ChartSpec {
  const ports = [...new Set(runs.flatMap(({ pauses }) => pauses.map(({ port }) => port)))];
  const pausedUs = (run: PageRun, name: string): number => run.pauses.find(({ port }) => port === name)?.pausedUs ?? 0;
  const largest = largestOf(runs.flatMap(({ pauses }) => pauses.map((pause) => pause.pausedUs)));
  const yUnit = unitFor(largest, TIME_UNITS);
  const groupWidth = runs.length + 1;
  const edges = [-1, ports.length * groupWidth - 1];
  const lines = runs.map((run, index): ChartLine => ({
    label: run.name,
    x: [edges[0] ?? 0, ...ports.map((_, group) => group * groupWidth + index), edges[1] ?? 0],
    y: [null, ...ports.map((name) => pausedUs(run, name) / yUnit.size), null],
    color: runColor(index),
  }));
  const xNames = { at: ports.map((_, group) => group * groupWidth + (runs.length - 1) / 2), names: ports };
  return {
    xLabel: 'Port (node:peer)',
    yLabel: 'Paused',
    xUnit: NO_UNIT,
    yUnit,
    lines,
    yMax: largest / yUnit.size,
    shape: 'bars',
    xNames,
  };
}

function chosenPort({ ports, peakPort }: PageRun, port: string): PagePort | undefined {
  const wanted = port === '' ? peakPort : port;
  return ports.find(({ name }) => name === wanted);
}

/** Runs may have their longest queues at different ports. */
function labelWithPort(run: PageRun, port: string): string {
  return port === '' && run.peakPort !== null ? `${run.name}, ${run.peakPort}` : run.name;
}

function timeLabel({ runs }: PageData): string {
  return runs.some(({ isShifted }) => isShifted) ? 'Time since the first start' : 'Time';
}

function timeUnit(data: PageData): Unit {
  return unitFor(lastTimeUs(data), TIME_UNITS);
}

function lastTimeUs({ runs }: PageData): number {
  return runs.reduce((last, { timesUs }) => Math.max(last, timesUs.at(-1) ?? 0), 0);
}

/** Not by spreading: a function takes only so many arguments. */
function largestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
}

function scaled<T extends number | null>(values: readonly T[], { size }: Unit): T[] {
  return values.map((value) => (value === null ? value : value / size) as T);
}
