/** Completion times by size of flow: a dot for each flow, both axes by powers. */
import { fill, h, oncePerFrame } from '../../../src/charts/dom.js';
import { logAxis, type LogAxis } from '../../../src/view/log-axis.js';
import type { Lab } from '../lab.js';
import { palette, runColor } from '../../../src/charts/palette.js';
import { BYTE_UNITS, TIME_UNITS, bytesText, timeText, unitFor, type Unit } from '../../../src/charts/units.js';
import type { FlowColumns } from '../../shared/protocol.js';

const HEIGHT_PX = 170;
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 12, 10, 30];
const DOT_PX = 2.5;

interface Dots {
  readonly name: string;
  readonly color: string;
  readonly isHollow: boolean;
  readonly flows: FlowColumns;
}

export class SizesChart {
  readonly element: HTMLElement;
  readonly #canvas = h('canvas', { role: 'img', 'aria-labelledby': 'sizes-title sizes-legend' });
  readonly #legend = h('div', { class: 'legend', id: 'sizes-legend' });
  readonly #lab: Lab;
  #shown: unknown;

  constructor(lab: Lab) {
    this.#lab = lab;
    this.element = h('figure', { id: 'sizes', class: 'chart' },
      h('figcaption', { id: 'sizes-title' }, h('strong', {}, 'Completion time by size'), ' ',
        h('span', { class: 'unit' }, 'a dot for each flow; both axes logarithmic')),
      h('div', { class: 'plot' }, this.#canvas), this.#legend);
    new ResizeObserver(oncePerFrame(() => {
      this.restyle();
    })).observe(this.element);
  }

  restyle(): void {
    this.#shown = undefined;
    this.show();
  }

  show(): void {
    const all = this.#lab.variants.flatMap(({ name, client }): Dots[] => {
      const flows = client.data.value?.outcome?.flows;
      const isA = name === 'A';
      return flows === undefined ? [] : [{ name, flows, color: runColor(isA ? 0 : 1), isHollow: !isA }];
    });
    const key = JSON.stringify(this.#lab.variants.map(({ client }) => client.data.value?.outcome?.hash ?? ''));
    if (key === this.#shown) return;
    this.#shown = key;
    this.#draw(all);
    fill(this.#legend,
      ...(all.length === 0 ? ['Drawn when the run is over.'] : all.map(({ name, flows }) => legendOf(name, flows))));
  }

  #draw(all: readonly Dots[]): void {
    const width = Math.max(200, this.element.clientWidth);
    const scale = devicePixelRatio;
    this.#canvas.width = width * scale;
    this.#canvas.height = HEIGHT_PX * scale;
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${HEIGHT_PX}px`;
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    context.scale(scale, scale);
    const done = all.flatMap(({ flows }) => Array.from(flows.completionPs).filter((ps) => ps > 0));
    if (done.length === 0) return;
    const x = logAxis(all.flatMap(({ flows }) => Array.from(flows.sizeBytes)), LEFT, width - RIGHT);
    const y = logAxis(done, HEIGHT_PX - BOTTOM, TOP);
    drawAxes(context, x, y, width);
    for (const dots of all) drawDots(context, dots, x.placeOf, y.placeOf);
  }
}

function drawAxes(context: CanvasRenderingContext2D, x: LogAxis, y: LogAxis, width: number): void {
  const colors = palette();
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = colors.muted;
  context.strokeStyle = colors.grid;
  context.textAlign = 'center';
  for (const tick of x.ticks) {
    line(context, x.placeOf(tick), TOP, x.placeOf(tick), HEIGHT_PX - BOTTOM);
    const place = Math.min(width - 24, x.placeOf(tick));
    context.fillText(tickText(tick, BYTE_UNITS), place, HEIGHT_PX - BOTTOM + 18);
  }
  context.textAlign = 'right';
  for (const tick of y.ticks) {
    line(context, LEFT, y.placeOf(tick), width - RIGHT, y.placeOf(tick));
    context.fillText(tickText(tick, TIME_UNITS), LEFT - 6, y.placeOf(tick) + 4);
  }
}

function drawDots(context: CanvasRenderingContext2D, { flows, color, isHollow }: Dots,
  placeX: (value: number) => number, placeY: (value: number) => number): void {
  context.fillStyle = color;
  context.strokeStyle = color;
  for (let flow = 0; flow < flows.sizeBytes.length; flow++) {
    const completionPs = flows.completionPs[flow] ?? NaN;
    if (!(completionPs > 0)) continue;
    context.beginPath();
    context.arc(placeX(flows.sizeBytes[flow] ?? 1), placeY(completionPs), DOT_PX, 0, 2 * Math.PI);
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

function tickText(value: number, units: readonly Unit[]): string {
  const { name, size } = unitFor(value * 1.0000001, units);
  return `${Number((value / size).toPrecision(3))} ${name}`;
}

function legendOf(name: string, { sizeBytes, completionPs }: FlowColumns): HTMLElement {
  const done = completionPs.filter((ps) => ps > 0).sort();
  const middle = done[Math.ceil(done.length / 2) - 1] ?? NaN;
  const sizes = sizeBytes.slice().sort();
  const range = sizes[0] === sizes[sizes.length - 1] ?
    bytesText(sizes[0] ?? NaN) :
    `${bytesText(sizes[0] ?? NaN)} to ${bytesText(sizes[sizes.length - 1] ?? NaN)}`;
  return h('span', {},
    `${name}${name === 'B' ? ' (hollow)' : ''}: ${done.length} of ${sizes.length} flows done, ${range}; median `,
    h('b', {}, timeText(middle)));
}
