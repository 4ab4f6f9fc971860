/** A chart of completion time by flow size: a dot for each flow, both axes logarithmic. */
import { axisText, BYTE_UNITS, bytesText, TIME_UNITS, timeText, type Unit, unitFor } from '../format.js';
import { logAxis, type LogAxis } from '../log-axis.js';
import { fill, h, oncePerFrame } from './dom.js';
import { csvText, numberText, type Picture } from './exports.js';
import { palette } from './palette.js';

const LEAST_WIDTH_PX = 200;
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 12, 10, 30];
const DOT_PX = 2.5;
/** Width of the longest tick label, with the space around it. */
const WORD_PX = 64;

/** The flows of a run. */
export interface SizeDots {
  readonly name: string;
  readonly color: string;
  /** Whether its dots are rings, to distinguish them from those of another run. */
  readonly isHollow: boolean;
  readonly sizeBytes: Float64Array;
  /** 0 or NaN if not done. */
  readonly completionPs: Float64Array;
  /** Number of all flows of the run, if only some have dots. */
  readonly flowCount?: number;
}

export class SizesChart {
  readonly #host: HTMLElement;
  readonly #legend: HTMLElement;
  readonly #heightPx: number;
  readonly #canvas = h('canvas');
  #shown: readonly SizeDots[] = [];

  /** @param host the element for the picture. @param legend the element for the runs' names. */
  constructor(host: HTMLElement, legend: HTMLElement, heightPx: number) {
    this.#host = host;
    this.#legend = legend;
    this.#heightPx = heightPx;
    host.append(this.#canvas);
    new ResizeObserver(oncePerFrame(() => {
      if (this.#width() !== this.#canvas.clientWidth) this.#draw();
    })).observe(host);
  }

  /** Draws the chart in the current colours. @param empty text shown if there is nothing to draw. */
  show(runs: readonly SizeDots[], empty = ''): void {
    this.#shown = runs;
    this.#draw();
    fill(this.#legend, ...(runs.length === 0 ? [empty] : runs.map((dots) => h('span', {}, ...legendOf(dots)))));
  }

  get picture(): Picture | undefined {
    const runs = this.#shown;
    if (runs.length === 0) return undefined;
    return {
      canvas: this.#canvas,
      names: runs.map(({ name, color }) => ({ label: name, color })),
      csv: () => csvOf(runs),
    };
  }

  #width(): number {
    return Math.max(LEAST_WIDTH_PX, this.#host.clientWidth);
  }

  #draw(): void {
    const width = this.#width();
    const [all, scale, heightPx] = [this.#shown, devicePixelRatio, this.#heightPx];
    this.#canvas.width = width * scale;
    this.#canvas.height = heightPx * scale;
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${heightPx}px`;
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    context.scale(scale, scale);
    const done = all.flatMap(({ completionPs }) => Array.from(completionPs).filter((ps) => ps > 0));
    if (done.length === 0) return;
    const x = logAxis(all.flatMap(({ sizeBytes }) => Array.from(sizeBytes)), LEFT, width - RIGHT);
    const y = logAxis(done, heightPx - BOTTOM, TOP);
    drawAxes(context, x, y, width, heightPx);
    for (const dots of all) drawDots(context, dots, x.placeOf, y.placeOf);
  }
}

function drawAxes(context: CanvasRenderingContext2D, x: LogAxis, y: LogAxis, width: number, height: number): void {
  const colors = palette();
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = colors.muted;
  context.strokeStyle = colors.grid;
  context.textAlign = 'center';
  // Label only as many ticks as fit; move the last label inwards.
  const [first = 0, second = width] = x.ticks.map(x.placeOf);
  const step = Math.ceil(WORD_PX / (second - first));
  x.ticks.forEach((tick, index) => {
    line(context, x.placeOf(tick), TOP, x.placeOf(tick), height - BOTTOM);
    if ((x.ticks.length - 1 - index) % step > 0) return;
    context.fillText(powerText(tick, BYTE_UNITS), Math.min(width - 24, x.placeOf(tick)), height - BOTTOM + 18);
  });
  context.textAlign = 'right';
  for (const tick of y.ticks) {
    line(context, LEFT, y.placeOf(tick), width - RIGHT, y.placeOf(tick));
    context.fillText(powerText(tick, TIME_UNITS), LEFT - 6, y.placeOf(tick) + 4);
  }
}

function drawDots(context: CanvasRenderingContext2D, { sizeBytes, completionPs, color, isHollow }: SizeDots,
  placeX: (value: number) => number, placeY: (value: number) => number): void {
  context.fillStyle = color;
  context.strokeStyle = color;
  for (let flow = 0; flow < sizeBytes.length; flow++) {
    const ps = completionPs[flow] ?? NaN;
    if (!(ps > 0)) continue;
    context.beginPath();
    context.arc(placeX(sizeBytes[flow] ?? 1), placeY(ps), DOT_PX, 0, 2 * Math.PI);
    if (isHollow) context.stroke();
    else context.fill();
  }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

function powerText(value: number, units: readonly Unit[]): string {
  const { name, size } = unitFor(value * 1.0000001, units);
  return `${Number((value / size).toPrecision(3))} ${name}`;
}

function legendOf({ name, isHollow, sizeBytes, completionPs, flowCount }: SizeDots): (string | HTMLElement)[] {
  const done = completionPs.filter((ps) => ps > 0).sort();
  const middle = done[Math.ceil(done.length / 2) - 1] ?? NaN;
  const sizes = sizeBytes.slice().sort();
  const range = sizes[0] === sizes.at(-1) ?
    bytesText(sizes[0] ?? NaN) :
    `${bytesText(sizes[0] ?? NaN)} to ${bytesText(sizes.at(-1) ?? NaN)}`;
  const whole = flowCount === undefined || flowCount === sizes.length ? '' : ` (drawn of ${flowCount})`;
  return [
    `${name}${isHollow ? ' (hollow)' : ''}: ${done.length} of ${sizes.length} flows${whole} done, ${range}; median `,
    h('b', {}, timeText(middle)),
  ];
}

function csvOf(runs: readonly SizeDots[]): string {
  const [bytes, time] = [unitFor(0, BYTE_UNITS), unitFor(1e6, TIME_UNITS)];
  const rows = runs.flatMap(({ name, sizeBytes, completionPs }) =>
    Array.from(sizeBytes, (size, flow) => {
      const ps = completionPs[flow] ?? NaN;
      return [name, numberText(size, bytes), ps > 0 ? numberText(ps, time) : ''];
    })
  );
  return csvText([['Run', axisText('Size', bytes), axisText('Completion time', time)], ...rows]);
}
