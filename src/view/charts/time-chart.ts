/** A chart over time, drawn by uPlot, with a legend of names and values below it. */
import uPlot from 'uplot';
import { axisText, NO_UNIT, scaledText, tickTexts, TIME_UNITS, timeText, type Unit, unitFor } from '../format.js';
import { logSplits } from '../log-axis.js';
import { changeOf, dataOf, indexAt, inGroups, type Change, type Line } from './chart-data.js';
import { fill, h, oncePerFrame } from './dom.js';
import { plotPicture, type Picture } from './exports.js';
import { drawMoments, drawLevels, topWithLevels, type Level } from './thresholds.js';
import { palette } from './palette.js';

export type { Line } from './chart-data.js';
export type { Level } from './thresholds.js';

export interface TimeChartSpec {
  readonly lines: readonly Line[];
  readonly levels: readonly Level[];
  /** Instants at which settings change, picoseconds. Default: none. */
  readonly moments?: readonly number[];
  /** Possible units, largest first; the axis uses the one that fits. Empty for plain numbers. */
  readonly units: readonly Unit[];
  /** Top of the axis; 0 to fit the lines. */
  readonly top: number;
  /** Bottom of a logarithmic axis; absent for a linear one from 0. */
  readonly logBottom?: number;
  /** Range of times shown until the user zooms, picoseconds; absent: all. */
  readonly spanPs?: readonly [fromPs: number, toPs: number] | undefined;
  /** Whether lines have gaps at missing values. */
  readonly hasGaps?: boolean;
  /** Text shown if the chart is empty. */
  readonly empty: string;
}

export interface TimeChartOptions {
  readonly heightPx: number;
  /** Charts of one group share a cursor. */
  readonly group?: string;
  /** Titles of the axes, shown with their units. Without titles, the last time tick has the unit. */
  readonly titles?: { readonly x: string; readonly y: string };
  /** Called on a click, with the time and value at that position. */
  readonly onPoint?: (timePs: number, value: number) => void;
  /** Called with the unit of the values whenever it is recomputed. */
  readonly onUnit?: (unit: Unit) => void;
  /** Called with the time from new lines to their picture, milliseconds. */
  readonly onDrawn?: (ms: number) => void;
}

const FONT = '12px system-ui, sans-serif';
const TITLE_FONT = '600 13px system-ui, sans-serif';
/** A line with dashes shorter than this is shown as dotted in the legend. */
const DOT_LONGEST = 4;
const FOCUS_PX = 30;
const DIMMED = 0.25;
const LEAST_WIDTH_PX = 200;
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- uPlot's enum is there for the compiler only
const LOGARITHMIC = { distr: 3 } as uPlot.Scale;

export class TimeChart {
  readonly #host: HTMLElement;
  readonly #legend: HTMLElement;
  readonly #options: TimeChartOptions;
  readonly #marker = h('div', { class: 'instant', hidden: true });
  #plot: uPlot | undefined;
  #spec: TimeChartSpec = { lines: [], levels: [], units: [], top: 0, empty: '' };
  #unit: Unit = NO_UNIT;
  #instantPs = -1;
  /** Time at which data that is not drawn yet was passed; 0 if all is drawn. */
  #shownMs = 0;

  /** @param host the element for the picture. @param legend the element for names and values at the cursor. */
  constructor(host: HTMLElement, legend: HTMLElement, options: TimeChartOptions) {
    this.#host = host;
    this.#legend = legend;
    this.#options = options;
    // Resize in the next frame: a resize within this one would trigger the observer again, which browsers report as an
    // error.
    new ResizeObserver(oncePerFrame(() => {
      this.#resize();
    })).observe(host);
  }

  /** Unit of the values. */
  get unit(): Unit {
    return this.#unit;
  }

  /** Unit of the horizontal axis. */
  get timeUnit(): Unit {
    return unitFor(this.#spec.lines.reduce((last, { timesPs }) => Math.max(last, timesPs.at(-1) ?? 0), 0), TIME_UNITS);
  }

  /** The chart as currently drawn; undefined before the first drawing. */
  get picture(): Picture | undefined {
    return this.#plot && plotPicture(this.#plot, this.timeUnit, this.#unit);
  }

  show(spec: TimeChartSpec): void {
    this.#shownMs = performance.now();
    const before = this.#spec;
    this.#spec = { ...spec, lines: inGroups(spec.lines) };
    const change = changeOf(before.lines, this.#spec.lines);
    // Titles contain units, which may change with the values.
    const isRebuilt = this.#plot === undefined || (this.#options.titles !== undefined && change !== 'none');
    this.#redraw(isRebuilt ? 'lines' : change, JSON.stringify(before.levels) !== JSON.stringify(spec.levels));
    this.#writeLegend();
  }

  /** Redraws everything in the current colours. */
  restyle(spec: TimeChartSpec = this.#spec): void {
    this.#shownMs = performance.now();
    this.#spec = { ...spec, lines: inGroups(spec.lines) };
    this.#redraw('lines', true);
    this.#writeLegend();
  }

  /** @param timePs time to mark; -1: none. */
  showInstant(timePs: number): void {
    const isOther = timePs !== this.#instantPs;
    this.#instantPs = timePs;
    if (isOther) this.#writeLegend();
    const plot = this.#plot;
    const place = plot === undefined || timePs < 0 ? NaN : plot.valToPos(timePs, 'x');
    // Use the plot's width: reading the element's would force the browser to lay out the page.
    const isSeen = place >= 0 && plot !== undefined && place <= plot.bbox.width / devicePixelRatio;
    this.#marker.hidden = !isSeen;
    if (isSeen) this.#marker.style.transform = `translateX(${Math.round(place)}px)`;
  }

  /**
   * Redraws in a batch, which is synchronous; otherwise uPlot draws later, and the frame queue could not measure the
   * time.
   */
  #redraw(change: Change, hasOtherLevels: boolean): void {
    const { lines, units, top } = this.#spec;
    if (change === 'lines' || change === 'values') {
      const most = Math.max(top, ...lines.map(({ values }) => largest(values)));
      this.#unit = units.length === 0 ? NO_UNIT : unitFor(most, units);
      this.#options.onUnit?.(this.#unit);
    }
    if (change === 'lines') this.#make(dataOf(lines));
    else {
      lines.forEach(({ width }, index) => {
        const series = this.#plot?.series[index + 1];
        if (series !== undefined) series.width = width;
      });
      // Other levels can change the top of the axis, which uPlot recomputes only for new data.
      if (change === 'values' || hasOtherLevels) {
        this.#plot?.batch((plot: uPlot) => {
          plot.setData(dataOf(lines));
        });
      } else if (change === 'widths') this.#plot?.redraw(false);
      else this.#shownMs = 0;
    }
    this.showInstant(this.#instantPs);
  }

  #make(data: uPlot.AlignedData): void {
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#plotOptions(), data, this.#host);
    this.#plot.batch((plot: uPlot) => {
      plot.over.append(this.#marker);
      plot.over.addEventListener('click', (event) => {
        if (event.offsetX < 0) return;
        this.#options.onPoint?.(Math.max(0, plot.posToVal(event.offsetX, 'x')), plot.posToVal(event.offsetY, 'y'));
      });
    });
  }

  #plotOptions(): uPlot.Options {
    const { heightPx, group, titles } = this.#options;
    const write = (): void => {
      this.#writeLegend();
    };
    return {
      width: Math.max(LEAST_WIDTH_PX, this.#host.clientWidth),
      height: heightPx,
      legend: { show: false },
      cursor: {
        ...(group !== undefined && { y: false, sync: { key: group, scales: ['x', null], setSeries: false } }),
        drag: { x: true, y: false },
        focus: { prox: this.#spec.lines.every(({ isNamed }) => isNamed) ? -1 : FOCUS_PX },
      },
      // Dimming unfocused lines redraws everything, which is too slow for charts of a live run.
      focus: { alpha: titles === undefined ? 1 : DIMMED },
      scales: { x: { time: false, range: (plot, low, high) => this.#span(plot, low, high) }, y: this.#scale() },
      axes: this.#axes(),
      series: [{ label: titles?.x ?? 'Time' }, ...this.#spec.lines.map((line) => seriesOf(line, this.#spec))],
      hooks: {
        draw: [(plot) => {
          drawMoments(plot, this.#spec.moments ?? []);
          drawLevels(plot, this.#spec.levels);
          // The axes have their final width only now.
          this.showInstant(this.#instantPs);
          if (this.#shownMs > 0) this.#options.onDrawn?.(performance.now() - this.#shownMs);
          this.#shownMs = 0;
        }],
        setCursor: [write],
        setSeries: [write],
      },
    };
  }

  /** Range of the time axis. If all data is in range, the user has not zoomed. */
  #span(plot: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
    const [times] = plot.data;
    const isAll = low !== null && high !== null && low <= (times[0] ?? low) &&
      high >= (times[times.length - 1] ?? high);
    const { spanPs } = this.#spec;
    return isAll && spanPs !== undefined ? [spanPs[0], spanPs[1]] : [low, high];
  }

  #scale(): uPlot.Scale {
    const { logBottom } = this.#spec;
    return logBottom === undefined ?
      { range: (_plot, _low, high) => [0, this.#topOf(high)] } :
      { ...LOGARITHMIC, range: (_plot, _low, high) => [logBottom, Math.max(this.#topOf(high), 2 * logBottom)] };
  }

  #axes(): uPlot.Axis[] {
    const { titles } = this.#options;
    const { logBottom } = this.#spec;
    const colors = palette();
    const axis: uPlot.Axis = {
      stroke: colors.muted,
      font: FONT,
      grid: { stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.grid, width: 1, size: 4 },
      labelFont: TITLE_FONT,
      labelSize: 24,
    };
    const y: uPlot.Axis = {
      ...axis,
      size: 48,
      gap: 4,
      space: 28,
      values: (_plot, splits) => tickTexts(splits, this.#unit),
      ...(titles && { label: axisText(titles.y, this.#unit) }),
      ...(logBottom !== undefined && {
        splits: (plot: uPlot) =>
          logSplits(logBottom / this.#unit.size, (plot.scales.y?.max ?? 1) / this.#unit.size)
            .map((split) => split * this.#unit.size),
        filter: (_plot: uPlot, splits: number[]) => splits,
      }),
    };
    const x: uPlot.Axis = { ...axis, size: 26, gap: 3, space: 70 };
    const { timeUnit } = this;
    return [
      titles === undefined ?
        { ...x, values: (_plot, splits) => timeTicks(splits) } :
        {
          ...x,
          values: (_plot, splits) => tickTexts(splits, timeUnit),
          label: axisText(titles.x, timeUnit),
        },
      y,
    ];
  }

  #topOf(high: number | null): number {
    const { levels, top } = this.#spec;
    if (top > 0) return top * 1.05;
    const reached = topWithLevels(high ?? 0, levels);
    return reached > 0 ? reached * 1.08 : 1;
  }

  /** Writes names, colours and values: at the cursor, otherwise at the marked instant, otherwise the last ones. */
  #writeLegend(): void {
    const { lines, levels, empty } = this.#spec;
    if (lines.every(({ values }) => values.length === 0)) {
      fill(this.#legend, h('span', {}, empty));
      return;
    }
    const plot = this.#plot;
    const left = plot?.cursor.left ?? -1;
    const restPs = this.#instantPs < 0 ? this.#spec.spanPs?.[1] ?? Infinity : this.#instantPs;
    const timePs = plot !== undefined && left >= 0 ? plot.posToVal(left, 'x') : restPs;
    const shownPs = Math.min(timePs, Math.max(...lines.map(({ timesPs }) => timesPs.at(-1) ?? 0)));
    const named = lines.filter(({ isNamed }, index) => isNamed || (left >= 0 && isFocused(plot?.series[index + 1])));
    fill(this.#legend, ...named.map((line) => this.#entry(line, shownPs)),
      ...levels.map(({ label, value }) => h('span', { class: 'level' }, `${label} ${this.#withUnit(value)}`)),
      h('span', { class: 'at' }, `at ${timeText(rounded(shownPs))}`));
  }

  #entry({ label, color, dash, timesPs, values, isStepped }: Line, timePs: number): HTMLElement {
    const [on = 0] = dash;
    const swatch = h('i', { class: on === 0 ? 'swatch' : on < DOT_LONGEST ? 'swatch dotted' : 'swatch dashed' });
    swatch.style.borderTopColor = color;
    const endPs = timesPs.at(-1) ?? 0;
    const value = values[indexAt(timesPs, timePs)] ?? NaN;
    return h('span', { class: 'line' }, swatch, h('span', { class: 'name' }, label), ' ',
      timePs > endPs && isStepped !== true ?
        `ended at ${timeText(rounded(endPs))}` :
        h('b', {}, this.#withUnit(value)));
  }

  #withUnit(value: number): string {
    const { units } = this.#spec;
    return scaledText(value, units.length === 0 ? [NO_UNIT] : units);
  }

  #resize(): void {
    const width = this.#host.clientWidth;
    if (this.#plot === undefined || width < 50 || width === this.#plot.width) return;
    this.#plot.setSize({ width, height: this.#options.heightPx });
    this.showInstant(this.#instantPs);
  }
}

/** Whether a series has focus, which uPlot's types do not declare. */
function isFocused(series: uPlot.Series | undefined): boolean {
  return (series as { _focus?: boolean | null } | undefined)?._focus === true;
}

const rounded = (timePs: number): number => Number(timePs.toPrecision(4));

function timeTicks(splits: readonly number[]): string[] {
  const unit = unitFor(splits[splits.length - 1] ?? 0, TIME_UNITS);
  return tickTexts(splits, unit).map((text, index) => `${text}${index === splits.length - 1 ? ` ${unit.name}` : ''}`);
}

function seriesOf({ label, color, dash, width, isStepped }: Line, { hasGaps }: TimeChartSpec): uPlot.Series {
  const paths = isStepped === true ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    label,
    stroke: color,
    width,
    dash: [...dash],
    spanGaps: hasGaps !== true,
    points: { show: false },
    ...(paths && { paths }),
  };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}
