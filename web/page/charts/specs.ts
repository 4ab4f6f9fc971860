/** Defines the lines of each chart, those of A before those of B. */
import type { Lab } from '../lab.js';
import { activeSpan } from './active-span.js';
import { completionCdf } from './completion-cdf.js';
import { BYTE_UNITS, formatCount, RATE_UNITS, timeText } from '../../../src/view/format.js';
import { flowColor, palette, runColor, runDash } from '../../../src/view/charts/palette.js';
import type { RunData } from '../run-data.js';
import type { VariantName } from '../variant.js';
import type { Level, Line, TimeChartSpec } from '../../../src/view/charts/time-chart.js';

const WAITING = 'Run the scenario to see this.';
/** With more flows, only the sum is drawn during a run, so that the page stays responsive. */
const FLOWS_WHILE_RUNNING = 8;
/** The axis extends beyond the last completion, so that its step is visible. */
const CDF_SPAN = 1.03;
const STALLED = 'No flow delivers data: there is nothing to share.';

interface ShownRun {
  readonly name: VariantName;
  readonly data: RunData;
  readonly color: string;
  readonly dash: readonly number[];
  /** Index of the shown port. */
  readonly port: number;
  readonly portName: string;
}

export type ChartId = 'queue' | 'goodput' | 'sent' | 'rates' | 'notifications' | 'pauses' | 'fairness' | 'cdf';

const SPECS: Readonly<Record<ChartId, (runs: readonly ShownRun[], lab: Lab) => TimeChartSpec>> = {
  queue: (runs, lab) => withBefore(queueSpec(runs), runs, lab, (data, port) => data.queueOf(port)),
  goodput: (runs, lab) => withBefore(goodputSpec(runs, lab.view.value.flow), runs, lab, (data) => data.goodput),
  sent: (runs, lab) => withBefore(sendingSpec(runs), runs, lab, (data, port) => data.sendingRateOf(port)),
  rates: (runs, lab) => withBefore(allowedSpec(runs, lab.view.value.flow), runs, lab, (data) => data.meanRate),
  notifications: notificationsSpec,
  pauses: (runs) => counterSpec(runs, 'pauses', 'pause frames', 'No pause frames.'),
  fairness: fairnessSpec,
  cdf: cdfSpec,
};

/** Makes the lines of one chart, in the frame that draws it. */
export function chartSpec(lab: Lab, id: ChartId): TimeChartSpec {
  const runs = shownRuns(lab);
  if (id === 'cdf') return cdfSpec(runs);
  const moments = [...new Set(runs.flatMap(({ data }) => data.facts.changes.map(({ timePs }) => timePs)))];
  return { ...SPECS[id](runs, lab), moments, spanPs: lab.isWholeRun.value ? undefined : activeSpan(runs) };
}

/**
 * The runs of A and B with the same port, so that they can be compared: the user's choice, or the port with A's longest
 * queue.
 */
function shownRuns(lab: Lab): ShownRun[] {
  const [first] = lab.variants.flatMap(({ client }) => client.data.value ?? []);
  const portName = lab.view.value.port === '' ? first?.facts.ports[first.peakPort]?.name : lab.view.value.port;
  return lab.variants.flatMap(({ name, client }): ShownRun[] => {
    const data = client.data.value;
    if (data === undefined) return [];
    const wanted = data.facts.ports.findIndex(({ name: of }) => of === portName);
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

/** Adds the run before the last change behind the current one, if only one run is shown. */
function withBefore(spec: TimeChartSpec, [run, ...others]: readonly ShownRun[], { a: { before } }: Lab,
  valuesOf: (data: RunData, port: number) => Float64Array): TimeChartSpec {
  if (run === undefined || others.length > 0 || before === undefined || before === run.data) return spec;
  const port = before.facts.ports.findIndex(({ name }) => name === run.portName);
  const ghost: Line = {
    label: 'before the change',
    timesPs: before.timesPs,
    values: valuesOf(before, port < 0 ? before.peakPort : port),
    color: palette().muted,
    dash: [3, 3],
    width: 1,
    isNamed: true,
  };
  return { ...spec, lines: [...spec.lines, ghost] };
}

function queueSpec(runs: readonly ShownRun[]): TimeChartSpec {
  const spec = perRun(runs, ({ data, port }) => data.queueOf(port), BYTE_UNITS, '');
  const lines = spec.lines.map((line, index) => ({
    ...line,
    label: `${line.label} ${runs[index]?.portName ?? ''}`.trim(),
  }));
  return { ...spec, lines, levels: markingLevels(runs) };
}

/** Kmin and Kmax of a port at the start and after each change; empty if it does not mark. */
function thresholdsOf({ ports, changes }: RunData['facts'],
  port: number): { readonly fromPs: number; readonly kminBytes: number; readonly kmaxBytes: number }[] {
  const first = ports[port];
  if (!first?.isMarking) return [];
  const later = changes.flatMap(({ timePs, marking }) => {
    const of = marking?.[port];
    return of === undefined ? [] : [{ fromPs: timePs, ...of }];
  });
  return [{ fromPs: 0, kminBytes: first.kminBytes, kmaxBytes: first.kmaxBytes }, ...later];
}

/**
 * Kmin and Kmax of the shown ports, once if the runs agree. Pause thresholds are not shown, as PFC compares them with
 * ingress occupancy.
 */
export function markingLevels(runs: readonly Pick<ShownRun, 'name' | 'data' | 'port'>[]): Level[] {
  const all = runs.flatMap(({ name, data: { facts }, port }) =>
    thresholdsOf(facts, port).flatMap(({ fromPs, kminBytes, kmaxBytes }, index, steps) => {
      const from = fromPs > 0 ? ` from ${timeText(fromPs)} on` : '';
      const before = steps[index - 1];
      return [
        ...(kminBytes === before?.kminBytes ? [] : [{ name, label: `Kmin${from}`, value: kminBytes, dash: [2, 3] }]),
        ...(kmaxBytes === before?.kmaxBytes ? [] : [{ name, label: `Kmax${from}`, value: kmaxBytes, dash: [6, 3] }]),
      ];
    })
  );
  const levels = all.map(({ name, label, value, dash }): Level => {
    const isShared = all.every((other) => other.label !== label || other.value === value);
    return { label: isShared ? label : `${name} ${label}`, value, dash };
  });
  const byLabel = new Map(levels.map((level) => [level.label, level]));
  return [...byLabel.values()].sort((a, b) => a.value - b.value);
}

/** The sampled flows, in words: `4 flows`, `the first 64 of 480 flows`. */
export function flowsText({ flows, ratedFlows }: RunData['facts']): string {
  return ratedFlows < flows ?
    `the first ${ratedFlows} of ${flows} flows` :
    `${flows} ${flows === 1 ? 'flow' : 'flows'}`;
}

/** One thin line per sampled flow; with several runs, only the chosen flow. */
function flowLines(runs: readonly ShownRun[], chosen: number,
  valuesOf: (data: RunData, flow: number) => Float64Array): Line[] {
  return runs.flatMap(({ name, data, color, dash }) => {
    const flows = Array.from({ length: data.facts.ratedFlows }, (_, flow) => flow);
    const shown = runs.length > 1 ? flows.filter((flow) => flow === chosen) : flows;
    return shown.map((flow): Line => ({
      label: `${prefix(runs, name)}flow ${flow}`,
      timesPs: data.timesPs,
      values: valuesOf(data, flow),
      color: runs.length > 1 ? color : flowColor(flow),
      dash,
      width: runs.length === 1 && flow === chosen ? 3 : 1,
      isNamed: flow === chosen,
    }));
  });
}

function bold(runs: readonly ShownRun[], { name, data, color, dash }: ShownRun, label: string,
  values: Float64Array): Line {
  return {
    label: `${prefix(runs, name)}${label}`,
    timesPs: data.timesPs,
    values,
    color: runs.length > 1 ? color : palette().text,
    dash,
    width: 2.5,
    isNamed: true,
  };
}

/** The sum covers all flows; only sampled flows have a line. */
function goodputSpec(runs: readonly ShownRun[], chosen: number): TimeChartSpec {
  const drawn = runs.filter(({ data }) => data.outcome !== undefined || data.facts.ratedFlows <= FLOWS_WHILE_RUNNING);
  const lines = [
    ...(drawn.length < runs.length ? [] : flowLines(runs, chosen, (data, flow) => data.goodputOf(flow))),
    ...runs.map((run) => bold(runs, run, `sum of ${allFlowsText(run.data)}${inOrderText(run.data)}`, run.data.goodput)),
  ];
  return { lines, levels: [], units: RATE_UNITS, top: 0, hasGaps: true, empty: WAITING };
}

/** Explains why goodput may exceed the link rate. */
function inOrderText({ facts }: RunData): string {
  return facts.keepsEarlyPackets ? ', counted in order: a filled gap counts at once' : '';
}

function allFlowsText({ facts: { flows, ratedFlows } }: RunData): string {
  if (ratedFlows === 0 || ratedFlows === flows) return flows === 1 ? 'one flow' : `all ${flows} flows`;
  return `all ${flows} flows; lines only for the first ${ratedFlows}`;
}

function sendingSpec(runs: readonly ShownRun[]): TimeChartSpec {
  const spec = perRun(runs, ({ data, port }) => data.sendingRateOf(port), RATE_UNITS, '');
  const lines = spec.lines.map((line, index) => ({
    ...line,
    label: `${line.label} ${runs[index]?.portName ?? ''}`.trim(),
  }));
  const rates = new Set(runs.map(({ data, port }) => data.facts.ports[port]?.rateBps ?? 0));
  const levels = [...rates].map((value): Level => ({ label: 'link rate', value, dash: [6, 3] }));
  return { ...spec, lines, levels };
}

/** Rates that congestion control allows; a flow that is paused or limited by its window sends less. */
function allowedSpec(runs: readonly ShownRun[], chosen: number): TimeChartSpec {
  const lines = [
    ...flowLines(runs, chosen, (data, flow) => data.rateOf(flow)),
    ...runs.flatMap((run) =>
      run.data.facts.ratedFlows === 0 ?
        [] :
        [bold(runs, run, `mean of ${flowsText(run.data.facts)}`, run.data.meanRate)]
    ),
  ];
  return {
    lines,
    levels: [],
    units: RATE_UNITS,
    top: 0,
    hasGaps: true,
    empty: runs.length === 0 ? WAITING : 'This scenario records no rates: see record.flows.',
  };
}

function fairnessSpec(runs: readonly ShownRun[]): TimeChartSpec {
  const spec = perRun(runs, ({ data }) => data.fairness, [], 'of the allowed rates');
  const moves = runs.some(({ data }) => data.fairness.some((index) => !Number.isNaN(index)));
  const isEmpty = runs.length > 0 && !moves;
  return { ...spec, lines: isEmpty ? [] : spec.lines, top: 1, hasGaps: true, empty: isEmpty ? STALLED : WAITING };
}

/** Distribution of completion times; its horizontal axis is time since each flow's start. */
function cdfSpec(runs: readonly ShownRun[]): TimeChartSpec {
  const lines = runs.flatMap(({ name, data: { outcome }, color, dash }): Line[] => {
    if (outcome === undefined) return [];
    const { timesPs, shares, done, flows } = completionCdf(outcome);
    const label = `${prefix(runs, name)}${formatCount(done)} of ${formatCount(flows)} flows done`;
    return [{ label, timesPs, values: shares, color, dash, width: 2, isNamed: true, isStepped: true }];
  });
  const lastPs = Math.max(0, ...lines.map(({ timesPs }) => timesPs.at(-1) ?? 0));
  const spanPs = lastPs > 0 ? [0, CDF_SPAN * lastPs] as const : undefined;
  return {
    lines,
    levels: [],
    units: [],
    top: 1,
    spanPs,
    empty: 'Drawn when the run is over, of the flows that are done.',
  };
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
