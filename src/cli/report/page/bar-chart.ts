/** Bars in groups with their axes and a legend, drawn by uPlot. */
import uPlot from 'uplot';
import { styleColor } from '../../../view/charts/palette.js';
import { axisText, NO_UNIT, scaledText, tickText, TIME_UNITS, type Unit } from '../../../view/format.js';

export interface BarSpec {
  readonly xTitle: string;
  readonly yTitle: string;
  readonly yUnit: Unit;
  /** Names of the groups. */
  readonly names: readonly string[];
  /** Each has one bar in each group; values in picoseconds. */
  readonly bars: readonly { readonly label: string; readonly color: string; readonly values: readonly number[] }[];
}

const FONT = '12px system-ui, sans-serif';
const TITLE_FONT = '600 13px system-ui, sans-serif';
const LEAST_WIDTH_PX = 200;

/** Draws into `host`, at its current width. */
export function drawBars(host: HTMLElement, spec: BarSpec, heightPx: number): uPlot {
  const { names, bars } = spec;
  const groupWidth = bars.length + 1;
  const places = Array.from({ length: names.length * groupWidth + 1 }, (_, at) => at - 1);
  const data: uPlot.AlignedData = [
    places,
    ...bars.map(({ values }, bar) =>
      places.map((at) => (at >= 0 && at % groupWidth === bar ? values[Math.floor(at / groupWidth)] ?? null : null))
    ),
  ];
  const most = bars.reduce((top, { values }) => values.reduce((high, value) => Math.max(high, value), top), 0);
  const centres = names.map((_, group) => group * groupWidth + (bars.length - 1) / 2);
  const chart = new uPlot({
    width: Math.max(LEAST_WIDTH_PX, host.clientWidth),
    height: heightPx,
    scales: { x: { time: false }, y: { range: [0, most > 0 ? most * 1.05 : 1] } },
    axes: [
      {
        ...axis(axisText(spec.xTitle, NO_UNIT), 26),
        splits: () => centres,
        values: () => [...names],
        grid: { show: false },
        space: 10,
      },
      {
        ...axis(axisText(spec.yTitle, spec.yUnit), 48),
        values: (_chart, splits) => splits.map((split) => tickText(split, spec.yUnit)),
      },
    ],
    series: [
      { label: spec.xTitle, value: (_chart, at: number | null) => names[Math.floor((at ?? NaN) / groupWidth)] ?? '–' },
      ...bars.map(seriesOf),
    ],
    legend: { markers: { width: 3 } },
  }, data, host);
  // A layout table, not a data table.
  chart.root.querySelector('.u-legend')?.setAttribute('role', 'presentation');
  return chart;
}

function seriesOf({ label, color }: BarSpec['bars'][number]): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.8, 60] });
  return {
    label,
    stroke: color,
    fill: color,
    points: { show: false },
    value: (_chart, value: number | null) => scaledText(value ?? NaN, TIME_UNITS),
    ...(paths && { paths }),
  };
}

function axis(label: string, size: number): uPlot.Axis {
  const line = { stroke: styleColor('--grid'), width: 1 };
  return {
    label,
    stroke: styleColor('--text'),
    font: FONT,
    labelFont: TITLE_FONT,
    labelSize: 24,
    grid: line,
    ticks: line,
    size,
  };
}
