/** Which lines each chart has. Lines of the variants come in their order: those of A before those of B. */
import type { Lab } from '../lab.js';
import { flowColor, palette } from '../palette.js';
import type { RunData } from '../run-data.js';
import { BYTE_UNITS, RATE_UNITS } from '../units.js';
import type { VariantName } from '../variant.js';
import type { Level, Line, TimeChartSpec } from './time-chart.js';

const B_DASH = [7, 4];
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
  const colors = palette();
  return lab.variants.flatMap(({ name, client }): ShownRun[] => {
    const data = client.data.value;
    if (data === undefined) return [];
    const wanted = data.facts.ports.findIndex((port) => port.name === lab.view.value.port);
    const port = wanted < 0 ? data.peakPort : wanted;
    const isA = name === 'A';
    return [{
      name,
      data,
      color: isA ? colors.a : colors.b,
      dash: isA ? [] : B_DASH,
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
  return { ...spec, lines, levels: runs.slice(0, 1).flatMap(levelsOf) };
}

function levelsOf({ data, port }: ShownRun): Level[] {
  const facts = data.facts.ports[port];
  if (facts === undefined) return [];
  const marking = facts.isMarking ?
    [
      { label: 'Kmin', value: facts.kminBytes, dash: [2, 3] },
      { label: 'Kmax', value: facts.kmaxBytes, dash: [6, 3] },
    ] :
    [];
  return [...marking, ...pauseThreshold(data, port)];
}

/** Of the switch's input that came nearest to a pause: what comes in there is paused when it holds so much. */
function pauseThreshold({ facts, outcome }: RunData, port: number): Level[] {
  const input = outcome?.ports.tightestInput[port] ?? NaN;
  const value = outcome?.ports.minPauseThresholdBytes[input] ?? NaN;
  return value > 0 ? [{ label: `pause, input ${facts.ports[input]?.name ?? ''}`, value, dash: [12, 4] }] : [];
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
