/**
 * The picture of docs/getting-started/teacher.md, drawn from runs of the simulator.
 *
 * Four flows to one receiver start a while apart, under three algorithms: their rates, and the queue before the receiver.
 */
import { runScenarioSync } from '../src/sim/index.js';
import { type Curve, figureSvg } from './svg-figure.js';

const FLOWS = 4;
const LINE_RATE_GBPS = 100;
const STAGGER_US = 1000;
const DURATION_US = 6000;
/** Upper end of the queue axis. */
const QUEUE_MAX_KB = 300;

/** Presets, and what each is called above its column. */
const COLUMNS = [
  ['dcqcn-sigcomm15', 'DCQCN'],
  ['swift-sigcomm20', 'Swift'],
  ['hpcc-sigcomm19', 'HPCC'],
] as const;

/** Rates and queue of one run over time. */
function runOf(preset: string): { rates: Curve[]; queue: Curve } {
  const { series } = runScenarioSync({
    name: 'Four flows to one receiver',
    topology: { kind: 'star', hosts: FLOWS + 1, rateGbps: LINE_RATE_GBPS },
    workload: { kind: 'incast', senders: FLOWS, sizeBytes: 1e9, staggerUs: STAGGER_US },
    algorithms: { one: { preset } },
    durationUs: DURATION_US,
    record: { intervalUs: 10 },
  });
  const curve = (values: readonly number[], unit: number) =>
    values.map((value, index): [number, number] => [series.timesPs[index] / 1e9, value / unit]);
  return {
    rates: Object.values(series.rateBps).map((values) => curve(values, 1e9).filter(([, rateGbps]) => rateGbps > 0)),
    queue: curve(series.queueBytes[`s0:h${FLOWS}`], 1000),
  };
}

/** The picture as SVG text. */
export function picture(): string {
  const runs = COLUMNS.map(([preset, title]) => ({ title, ...runOf(preset) }));
  return figureSvg({
    title: 'Four flows to one receiver at 100 Gb/s, one starting each millisecond',
    description: 'Rates of the flows and the queue before the receiver, under DCQCN, Swift and HPCC',
    rows: [
      {
        label: 'rate of each flow',
        panels: runs.map(({ title, rates }) => ({ title, unit: 'Gb/s', max: LINE_RATE_GBPS, curves: rates })),
      },
      {
        label: 'queue at the switch',
        panels: runs.map(({ queue }) => ({ title: '', unit: 'kB', max: QUEUE_MAX_KB, curves: [queue] })),
      },
    ],
    maxX: DURATION_US / 1000,
    unitX: 'ms',
  });
}
