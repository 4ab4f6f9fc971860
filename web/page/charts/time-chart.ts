/** A chart over time, drawn by uPlot; all charts of the page share one cursor. */
import uPlot from 'uplot';
import { fill, h, oncePerFrame } from '../dom.js';
import { noteDraw } from '../frames.js';
import { changeOf, dataOf, inGroups, type Change, type Line } from './chart-data.js';
import { palette } from '../palette.js';
import { shortNumber, TIME_UNITS, timeText, unitFor, type Unit } from '../units.js';

/** A level across the whole chart. */
export interface Level {
  readonly label: string;
  readonly value: number;
  readonly dash: readonly number[];
}

export type { Line } from './chart-data.js';

export interface TimeChartSpec {
  readonly lines: readonly Line[];
  readonly levels: readonly Level[];
  /** From the smallest up; the axis has the one that fits. Empty: numbers. */
  readonly units: readonly Unit[];
  /** Top of the axis; 0: as the lines need. */
  readonly top: number;
  /** Said in place of an empty chart. */
  readonly empty: string;
}

const HEIGHT_PX = 150;
const FONT = '12px system-ui, sans-serif';
/** Shorter dashes look like dots. */
const DOT_LONGEST = 4;
const NO_UNIT: Unit = { name: '', size: 1 };

export class TimeChart {
  readonly element: HTMLElement;
  readonly #host = h('div', { class: 'plot' });
  readonly #legend = h('div', { class: 'legend' });
  readonly #unitText = h('span', { class: 'unit' });
  readonly #marker = h('div', { class: 'instant', hidden: true });
  readonly #group: string;
  readonly #onPoint: (timePs: number, value: number) => void;
  #plot: uPlot | undefined;
  #spec: TimeChartSpec = { lines: [], levels: [], units: [], top: 0, empty: '' };
  #unit: Unit = NO_UNIT;
  #instantPs = -1;
  /** When the data came that are not drawn yet; 0: all are. */
  #shownMs = 0;

  /**
   * @param group charts of one group share a cursor.
   * @param onPoint is told where the reader clicked: the instant, and the value at that height.
   */
  constructor(id: string, title: string, group: string, onPoint: (timePs: number, value: number) => void) {
    this.#group = group;
    this.#onPoint = onPoint;
    const caption = h('figcaption', { id: `${id}-title` }, h('strong', {}, title), ' ', this.#unitText);
    this.#host.setAttribute('role', 'img');
    this.#host.setAttribute('aria-labelledby', `${id}-title ${id}-legend`);
    this.#legend.id = `${id}-legend`;
    this.element = h('figure', { id, class: 'chart' }, caption, this.#host, this.#legend);
    // What is drawn anew may change sizes itself, which within the same frame browsers report as an error.
    new ResizeObserver(oncePerFrame(() => {
      this.#resize();
    })).observe(this.#host);
  }

  /** The picture as a PNG. */
  png(): Promise<Blob | null> {
    const canvas = this.#plot?.ctx.canvas;
    return new Promise((resolve) => {
      if (canvas === undefined) resolve(null);
      else canvas.toBlob(resolve);
    });
  }

  show(spec: TimeChartSpec): void {
    this.#shownMs = performance.now();
    const before = this.#spec;
    this.#spec = { ...spec, lines: inGroups(spec.lines) };
    this.#redraw(this.#plot === undefined ? 'lines' : changeOf(before.lines, this.#spec.lines),
      JSON.stringify(before.levels) !== JSON.stringify(spec.levels));
    this.#tellValues();
  }

  #redraw(change: Change, hasOtherLevels: boolean): void {
    const { lines, units, top } = this.#spec;
    if (change === 'lines' || change === 'values') {
      const most = Math.max(top, ...lines.map(({ values }) => largest(values)));
      this.#unit = units.length === 0 ? NO_UNIT : unitFor(most, units);
      this.#unitText.textContent = this.#unit.name === '' ? '' : `in ${this.#unit.name}`;
    }
    if (change === 'lines') this.#make(dataOf(lines));
    else {
      lines.forEach(({ width }, index) => {
        const series = this.#plot?.series[index + 1];
        if (series !== undefined) series.width = width;
      });
      // Levels can change how far the axis reaches, which only new values make uPlot look at.
      if (change === 'values' || hasOtherLevels) this.#plot?.setData(dataOf(lines));
      else if (change === 'widths') this.#plot?.redraw(false);
      else this.#shownMs = 0;
    }
    this.showInstant(this.#instantPs);
  }

  /** Draws all anew, in the colours that hold now. */
  restyle(spec: TimeChartSpec = this.#spec): void {
    this.#shownMs = performance.now();
    this.#spec = { ...spec, lines: inGroups(spec.lines) };
    this.#redraw('lines', true);
    this.#tellValues();
  }

  /** @param timePs -1: none. */
  showInstant(timePs: number): void {
    this.#instantPs = timePs;
    const plot = this.#plot;
    const place = plot === undefined || timePs < 0 ? NaN : plot.valToPos(timePs, 'x');
    // Not from the element, whose width would make the browser lay the page out.
    const isSeen = place >= 0 && plot !== undefined && place <= plot.bbox.width / devicePixelRatio;
    this.#marker.hidden = !isSeen;
    if (isSeen) this.#marker.style.transform = `translateX(${Math.round(place)}px)`;
  }

  #make(data: uPlot.AlignedData): void {
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#options(), data, this.#host);
    this.#plot.over.append(this.#marker);
    this.#plot.over.addEventListener('click', (event) => {
      const plot = this.#plot;
      if (plot === undefined || event.offsetX < 0) return;
      this.#onPoint(Math.max(0, plot.posToVal(event.offsetX, 'x')), plot.posToVal(event.offsetY, 'y'));
    });
  }

  #options(): uPlot.Options {
    const colors = palette();
    const axis: uPlot.Axis = {
      stroke: colors.muted,
      font: FONT,
      grid: { stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.grid, width: 1, size: 4 },
    };
    return {
      width: Math.max(200, this.#host.clientWidth),
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: {
        y: false,
        sync: { key: this.#group, scales: ['x', null], setSeries: false },
        drag: { x: true, y: false },
      },
      scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, this.#topOf(high)] } },
      axes: [
        { ...axis, size: 26, gap: 3, space: 70, values: (_plot, splits) => timeTicks(splits) },
        { ...axis, size: 48, gap: 4, space: 28, values: (_plot, splits) => splits.map((value) => this.#tick(value)) },
      ],
      series: [{}, ...this.#spec.lines.map(seriesOf)],
      hooks: {
        draw: [(plot) => {
          this.#drawLevels(plot);
          if (this.#shownMs > 0 && this.element.id === 'chart-rates') noteDraw(performance.now() - this.#shownMs);
          this.#shownMs = 0;
        }],
        setCursor: [() => {
          this.#tellValues();
        }],
        setScale: [() => {
          this.showInstant(this.#instantPs);
        }],
      },
    };
  }

  #topOf(high: number | null): number {
    const { levels, top } = this.#spec;
    if (top > 0) return top * 1.05;
    const most = high ?? 0;
    // Levels far above all lines would make these flat; those are named in the legend instead.
    const near = levels.map(({ value }) => value).filter((value) => value <= 2 * most);
    const reached = Math.max(most, ...near);
    return reached > 0 ? reached * 1.08 : 1;
  }

  #tick(value: number): string {
    return shortNumber(Number((value / this.#unit.size).toPrecision(6)));
  }

  #drawLevels(plot: uPlot): void {
    const colors = palette();
    const { ctx, bbox } = plot;
    ctx.save();
    const seen = this.#spec.levels.map((level) => ({ ...level, y: plot.valToPos(level.value, 'y', true) }))
      .filter(({ y }) => y >= bbox.top);
    ctx.strokeStyle = colors.muted;
    ctx.lineWidth = devicePixelRatio;
    for (const { dash, y } of seen) {
      ctx.setLineDash(dash.map((part) => part * devicePixelRatio));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    // After all lines, or the next level would strike the name of this one through.
    ctx.setLineDash([]);
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = 'right';
    // Each name stands to the left of the one before, as levels can lie close together.
    let right = bbox.left + bbox.width - 4 * devicePixelRatio;
    for (const { label, y } of seen) {
      const width = ctx.measureText(label).width;
      ctx.fillStyle = colors.paper;
      ctx.fillRect(right - width - 2 * devicePixelRatio, y - 13 * devicePixelRatio, width + 4 * devicePixelRatio,
        12 * devicePixelRatio);
      ctx.fillStyle = colors.muted;
      ctx.fillText(label, right, y - 4 * devicePixelRatio);
      right -= width + 10 * devicePixelRatio;
    }
    ctx.restore();
  }

  /** Names, colours and values at the cursor, or the last ones. */
  #tellValues(): void {
    const { lines, levels, empty } = this.#spec;
    if (lines.every(({ values }) => values.length === 0)) {
      fill(this.#legend, h('span', {}, empty));
      return;
    }
    const plot = this.#plot;
    const left = plot?.cursor.left ?? -1;
    const timePs = plot !== undefined && left >= 0 ? plot.posToVal(left, 'x') : Infinity;
    const shownPs = Math.min(timePs, ...lines.slice(0, 1).map(({ timesPs }) => timesPs.at(-1) ?? 0));
    fill(this.#legend, ...lines.filter(({ isNamed }) => isNamed).map((line) => this.#entry(line, timePs)),
      ...levels.map(({ label, value }) => h('span', { class: 'level' }, `${label} ${this.#withUnit(value)}`)),
      h('span', { class: 'at' }, `at ${timeText(Number(shownPs.toPrecision(4)))}`));
  }

  #entry({ label, color, dash, timesPs, values }: Line, timePs: number): HTMLElement {
    const [on = 0] = dash;
    const swatch = h('i', { class: on === 0 ? 'swatch' : on < DOT_LONGEST ? 'swatch dotted' : 'swatch dashed' });
    swatch.style.borderTopColor = color;
    const value = values[indexAt(timesPs, timePs)] ?? NaN;
    return h('span', {}, swatch, `${label} `, h('b', {}, Number.isFinite(value) ? this.#withUnit(value) : '–'));
  }

  #withUnit(value: number): string {
    const { units } = this.#spec;
    const { name, size } = units.length === 0 ? NO_UNIT : unitFor(value, units);
    return `${shortNumber(Number((value / size).toPrecision(4)))} ${name}`.trim();
  }

  #resize(): void {
    const width = this.#host.clientWidth;
    if (this.#plot === undefined || width < 50 || width === this.#plot.width) return;
    this.#plot.setSize({ width, height: HEIGHT_PX });
    this.showInstant(this.#instantPs);
  }
}

function timeTicks(splits: readonly number[]): string[] {
  const unit = unitFor(splits[splits.length - 1] ?? 0, TIME_UNITS);
  return splits.map((split, index) =>
    `${shortNumber(Number((split / unit.size).toPrecision(6)))}${index === splits.length - 1 ? ` ${unit.name}` : ''}`
  );
}

function seriesOf({ label, color, dash, width, isStepped }: Line): uPlot.Series {
  const paths = isStepped === true ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    label,
    stroke: color,
    width,
    dash: [...dash],
    spanGaps: true,
    points: { show: false },
    ...(paths && { paths }),
  };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

function indexAt(timesPs: Float64Array, timePs: number): number {
  let [low, high] = [0, timesPs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((timesPs[middle] ?? 0) <= timePs) low = middle;
    else high = middle - 1;
  }
  return low;
}
