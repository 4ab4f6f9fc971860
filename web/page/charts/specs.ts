/** Lines of each chart. Lines of the variants come in their order: those of A before those of B. */
import type { Lab } from '../lab.js';
import { flowColor, palette, runColor, runDash } from '../../../src/charts/palette.js';
import type { RunData } from '../run-data.js';
import { BYTE_UNITS, RATE_UNITS } from '../../../src/charts/units.js';
import type { VariantName } from '../variant.js';
import { queueLevels, type QueueThresholds } from '../../../src/charts/thresholds.js';
import type { Line, TimeChartSpec } from '../../../src/charts/time-chart.js';

const WAITING = 'Run the scenario to see this.';

interface ShownRun {
  readonly name: VariantName;
  readonly data: RunData;
  readonly color: string;
  readonly dash: readonly number[];
  /** Number of the port that the reader looks at. */
  readonly port: number;
  readonly portName: string;
}

export type ChartId = 'queue' | 'rates' | 'notifications' | 'pauses' | 'fairness';

const SPECS: Readonly<Record<ChartId, (runs: readonly ShownRun[], lab: Lab) => TimeChartSpec>> = {
  queue: queueSpec,
  rates: (runs, lab) => ratesSpec(runs, lab.view.value.flow),
  notifications: notificationsSpec,
  pauses: (runs) => counterSpec(runs, 'pauses', 'pause frames', 'No pause frames.'),
  fairness: (runs) => ({
    ...perRun(runs, ({ data }) => data.fairness, [], 'of the running flows'),
    top: 1,
  }),
};

/** One by one, so that each chart's lines are made in the frame that draws it. */
export function chartSpec(lab: Lab, id: ChartId): TimeChartSpec {
  return SPECS[id](shownRuns(lab), lab);
}

function shownRuns(lab: Lab): ShownRun[] {
  return lab.variants.flatMap(({ name, client }): ShownRun[] => {
    const data = client.data.value;
    if (data === undefined) return [];
    const wanted = data.facts.ports.findIndex((port) => port.name === lab.view.value.port);
    const port = wanted < 0 ? data.peakPort : wanted;
    const place = name === 'A' ? 0 : 1;
    return [{
      name,
      data,
      color: runColor(place),
      dash: runDash(place),
      port,
      portName: data.facts.ports[port]?.name ?? '',
    }];
  });
}

const prefix = (runs: readonly ShownRun[], name: VariantName): string => (runs.length > 1 ? `${name} ` : '');

function perRun(runs: readonly ShownRun[], valuesOf: (run: ShownRun) => Float64Array, units: TimeChartSpec['units'],
  label: string): TimeChartSpec {
  const lines = runs.map((run): Line => ({
    label: `${prefix(runs, run.name)}${label}`.trim(),
    timesPs: run.data.timesPs,
    values: valuesOf(run),
    color: run.color,
    dash: run.dash,
    width: 2,
    isNamed: true,
  }));
  return { lines, levels: [], units, top: 0, empty: WAITING };
}

function queueSpec(runs: readonly ShownRun[]): TimeChartSpec {
  const spec = perRun(runs, ({ data, port }) => data.queueOf(port), BYTE_UNITS, '');
  const lines = spec.lines.map((line, index) => ({
    ...line,
    label: `${line.label} ${runs[index]?.portName ?? ''}`.trim(),
  }));
  return { ...spec, lines, levels: queueLevels(runs.slice(0, 1).flatMap(thresholdsOf)) };
}

/** Of the switch's inputs the one that came nearest to a pause. */
function thresholdsOf({ data: { facts, outcome }, port }: ShownRun): QueueThresholds[] {
  const { isMarking = false, kminBytes, kmaxBytes } = facts.ports[port] ?? {};
  const input = outcome?.ports.tightestInput[port] ?? NaN;
  return [{
    ...(isMarking && { kminBytes, kmaxBytes }),
    pauseBytes: outcome?.ports.minPauseThresholdBytes[input],
    pauseInput: facts.ports[input]?.name,
  }];
}

/** Mean and the chosen flow where variants are compared; every flow where there is one. */
function ratesSpec(runs: readonly ShownRun[], chosen: number): TimeChartSpec {
  const many = runs.length > 1;
  const lines = runs.flatMap((run): Line[] => {
    const rates = Array.from({ length: run.data.facts.ratedFlows }, (_, flow) => run.data.rateOf(flow));
    const line = { timesPs: run.data.timesPs, dash: run.dash };
    const thin = many ? [] : rates.map((values, flow): Line => ({
      ...line,
      label: `flow ${flow}`,
      values,
      color: flowColor(flow),
      width: flow === chosen ? 3 : 1,
      isNamed: flow === chosen,
    }));
    const one = many && rates[chosen] !== undefined ?
      [{
        ...line,
        label: `${run.name} flow ${chosen}`,
        values: rates[chosen],
        color: run.color,
        width: 1,
        isNamed: true,
      }] :
      [];
    const mean: Line = {
      ...line,
      label: `${prefix(runs, run.name)}mean of ${rates.length} flows`.trim(),
      values: run.data.meanRate,
      color: many ? run.color : palette().text,
      width: 2.5,
      isNamed: true,
    };
    return rates.length === 0 ? [] : [...thin, ...one, mean];
  });
  return { lines, levels: [], units: RATE_UNITS, top: 0, empty: WAITING };
}

function notificationsSpec(runs: readonly ShownRun[]): TimeChartSpec {
  const colors = palette();
  const cnps = perRun(runs, ({ data }) => data.counter('cnps'), [], 'CNPs');
  const fast = perRun(runs, ({ data }) => data.counter('fastCnps'), [], 'Fast CNPs');
  const fastLines = fast.lines.map((line) => ({
    ...line,
    dash: [2, 3],
    color: runs.length > 1 ? line.color : colors.marking,
  }));
  return { ...cnps, lines: [...cnps.lines, ...fastLines] };
}

function counterSpec(runs: readonly ShownRun[], name: 'pauses', label: string, empty: string): TimeChartSpec {
  const spec = perRun(runs, ({ data }) => data.counter(name), [], label);
  return { ...spec, empty: runs.length === 0 ? WAITING : empty };
}
