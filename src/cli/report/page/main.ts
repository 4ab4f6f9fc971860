/**
 * The script of a report. Draws the charts, and redraws them when the window, the colours or the chosen port change;
 * adds buttons that save them, and makes tables sortable.
 */
import type uPlot from 'uplot';
import { PS_PER_US } from '../../../units.js';
import { h } from '../../../view/charts/dom.js';
import { plotPicture, type Picture, csvText, savePng, saveText } from '../../../view/charts/exports.js';
import { forgetPalette, runColor } from '../../../view/charts/palette.js';
import { SizesChart } from '../../../view/charts/sizes-chart.js';
import { TimeChart, type TimeChartOptions } from '../../../view/charts/time-chart.js';
import { axisText, NO_UNIT, type Unit } from '../../../view/format.js';
import type { PageData, PageRun } from '../report-data.js';
import { drawBars } from './bar-chart.js';
import { pauseBars, timeChart, type ReportChart } from './charts.js';
import { drawFigure } from './figure-chart.js';

const RESIZE_LEAST_PX = 4;

const HEIGHT_PX = 280;

interface Place {
  readonly host: HTMLElement;
  /** The chart, if it is one over time; set when it is first drawn. */
  overTime: TimeChart | undefined;
  /** The chart, if it is of completion times by size. */
  sizes: SizesChart | undefined;
  /** The chart, if it is of another kind. */
  plot: uPlot | undefined;
  picture: () => Picture | undefined;
}

function start(): void {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '{"runs":[],"figures":[]}') as PageData;
  const places = [...document.querySelectorAll<HTMLElement>('.chart')].map((host): Place => ({
    host,
    overTime: undefined,
    sizes: undefined,
    plot: undefined,
    picture: () => undefined,
  }));
  const choice = document.querySelector<HTMLSelectElement>('#port');
  const drawAll = (): void => {
    forgetPalette();
    for (const place of places) draw(place, data, choice?.value ?? '');
  };
  drawAll();
  choice?.addEventListener('change', drawAll);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  const widths = new ResizeObserver(() => {
    // Wait for the next frame: resizing charts within this one would trigger the observer again, which browsers report
    // as an error.
    requestAnimationFrame(() => {
      places.forEach(fit);
    });
  });
  for (const { host } of places) widths.observe(host);
  addTools(places, data);
}

/** Adds export buttons, and makes tables sortable. */
function addTools(places: readonly Place[], { paths = [] }: PageData): void {
  for (const place of places) {
    const figure = place.host.closest('figure');
    if (figure !== null) addChartExports(figure, place.host.id.replace(/^chart-/, ''), () => place.picture());
  }
  for (const table of document.querySelectorAll<HTMLTableElement>('main table')) {
    const frame = table.closest('.scroll');
    if (frame === null) continue;
    if (table.dataset.sortable !== undefined) makeSortable(table);
    addTableExport(frame, table, fileName(table.caption?.textContent ?? 'table'));
  }
  for (const svg of document.querySelectorAll<SVGElement>('main .drawing > svg')) {
    const frame = svg.parentElement;
    if (frame === null) continue;
    const path = frame.dataset.path === undefined ? undefined : paths[Number(frame.dataset.path)];
    addSvgExport(frame, svg, fileName(svg.querySelector('title')?.textContent ?? 'drawing'), path ?? undefined);
  }
}

function fileName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 80);
}

function draw(place: Place, data: PageData, port: string): void {
  const { host } = place;
  const { chart: kind = '', run = '0' } = host.dataset;
  if (kind === 'sizes') {
    drawSizes(place, data.runs);
    return;
  }
  const overTime = timeChart(kind, data, Number(run), port);
  if (overTime === undefined) drawOnce(place, kind, data, Number(run));
  else drawOverTime(place, overTime);
}

function drawOverTime(place: Place, { spec, titles, group }: ReportChart): void {
  const { host } = place;
  const chart = place.overTime ??= newChart(host, {
    heightPx: HEIGHT_PX,
    titles,
    ...(group !== undefined && { group }),
  });
  // Redraw everything, since another port or theme can change all names and colours.
  chart.restyle(spec);
  place.picture = () => chart.picture;
  note(host, axisText(titles.x, chart.timeUnit), axisText(titles.y, chart.unit), spec.lines.length);
}

function drawSizes(place: Place, runs: readonly PageRun[]): void {
  const { host } = place;
  const chart = place.sizes ??= new SizesChart(host, legendBelow(host), HEIGHT_PX);
  chart.show(runs.map(({ name, flowCount, sizes: { sizeBytes, completionUs } }, run) => ({
    name,
    color: runColor(run),
    isHollow: run > 0,
    sizeBytes: Float64Array.from(sizeBytes),
    completionPs: Float64Array.from(completionUs, (us) => (us === null ? NaN : us * PS_PER_US)),
    flowCount,
  })));
  place.picture = () => chart.picture;
  note(host, 'Size', 'Completion time', runs.length);
}

/** Draws figures and bars, which only a change of theme redraws. */
function drawOnce(place: Place, kind: string, data: PageData, run: number): void {
  place.plot?.destroy();
  const { host } = place;
  const figure = kind === 'figure' ? data.figures[run] : undefined;
  if (figure !== undefined) keep(place, drawFigure(host, figure), NO_UNIT);
  else if (kind === 'pauses') {
    const bars = pauseBars(data);
    keep(place, drawBars(host, bars, HEIGHT_PX), bars.yUnit);
    note(host, bars.xTitle, axisText(bars.yTitle, bars.yUnit), bars.bars.length);
  }
}

function keep(place: Place, plot: uPlot, yUnit: Unit): void {
  place.plot = plot;
  place.picture = () => plotPicture(plot, NO_UNIT, yUnit);
}

function newChart(host: HTMLElement, options: TimeChartOptions): TimeChart {
  return new TimeChart(host, legendBelow(host), options);
}

function legendBelow(host: HTMLElement): HTMLElement {
  const legend = h('div', { class: 'legend' });
  host.after(legend);
  return legend;
}

/** Describes the chart in data attributes, for programs that read the page. */
function note({ dataset }: HTMLElement, xLabel: string, yLabel: string, lines: number): void {
  Object.assign(dataset, { drawn: 'true', xLabel, yLabel, lines: String(lines) });
}

/** Fits a chart to its element's width. Charts over time and by size do this themselves. */
function fit({ host, plot }: Place): void {
  if (plot === undefined || Math.abs(host.clientWidth - plot.width) < RESIZE_LEAST_PX) return;
  plot.setSize({ width: host.clientWidth, height: plot.height });
}

/** Adds the buttons of a chart. @param pictureOf returns the current drawing. */
function addChartExports(figure: Element, name: string, pictureOf: () => Picture | undefined): void {
  figure.append(toolbar(name, {
    CSV: () => {
      const picture = pictureOf();
      if (picture !== undefined) saveText(`${name}.csv`, 'text/csv', picture.csv());
    },
    PNG: () => {
      const picture = pictureOf();
      if (picture !== undefined)
        savePng(`${name}.png`, picture, figure.querySelector('figcaption strong')?.textContent ?? '');
    },
  }));
}

/** Adds the button that saves a table as CSV. */
function addTableExport(frame: Element, table: HTMLTableElement, name: string): void {
  frame.before(toolbar(name, {
    CSV: () => {
      const rows = [...table.rows].map((row) => [...row.cells].map(({ textContent }) => textContent.trim()));
      saveText(`${name}.csv`, 'text/csv', csvText(rows));
    },
  }));
}

/** Adds the buttons of an SVG drawing in the page. @param json the drawing's data, if it can be saved as well. */
function addSvgExport(frame: Element, svg: SVGElement, name: string, json?: unknown): void {
  frame.before(toolbar(name, {
    SVG: () => {
      saveText(`${name}.svg`, 'image/svg+xml', `${new XMLSerializer().serializeToString(svg)}\n`);
    },
    ...(json !== undefined && {
      JSON: () => {
        saveText(`${name}.json`, 'application/json', `${JSON.stringify(json, undefined, 2)}\n`);
      },
    }),
  }));
}

function toolbar(name: string, actions: Readonly<Record<string, () => void>>): HTMLElement {
  const buttons = Object.entries(actions).map(([kind, click]) =>
    h('button', { type: 'button', 'aria-label': `Save ${name} as ${kind}`, click }, `Save ${kind}`)
  );
  return h('p', { class: 'tools' }, ...buttons);
}

/** Makes a table sortable by a click on a column head, by the cells' `data-value` or else by text. */
function makeSortable(table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll<HTMLTableCellElement>('thead th')];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const isAscending = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
      sort(table, column, isAscending ? 1 : -1);
    });
  });
}

/** Sorts rows; equal ones keep their order. */
function sort(table: HTMLTableElement, column: number, direction: number): void {
  const [body] = table.tBodies;
  if (body === undefined) return;
  const keyed = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[column]) }));
  keyed.sort((a, b) => direction * compare(a.key, b.key));
  body.append(...keyed.map(({ row }) => row));
}

function keyOf(cell: HTMLTableCellElement | undefined): number | string {
  const value = cell?.dataset.value;
  return value === undefined ? cell?.textContent.trim() ?? '' : Number(value);
}

/** Orders numbers before words, such as `not done`. */
function compare(left: number | string, right: number | string): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string')
    return left.localeCompare(right, 'en', { numeric: true });
  return typeof left === 'number' ? -1 : 1;
}

start();
