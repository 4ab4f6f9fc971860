/** The script of a report: draws the charts, again when the window, the colours or the chosen port change. */
import { h } from '../../../charts/dom.js';
import { forgetPalette } from '../../../charts/palette.js';
import { makeSortable } from '../../../charts/sortable.js';
import { TimeChart, type TimeChartOptions } from '../../../charts/time-chart.js';
import { axisText, NO_UNIT } from '../../../charts/units.js';
import type { PageData } from '../page-data.js';
import { drawBars } from './bar-chart.js';
import { pauseBars, timeChart } from './charts.js';
import { drawFigure } from './figure-chart.js';
import { addChartExports, addSvgExport, addTableExport, type DrawnChart } from './exports.js';

const RESIZE_LEAST_PX = 4;

const HEIGHT_PX = 280;

interface Place {
  readonly host: HTMLElement;
  /** Of places of charts over time, from their first drawing on. */
  overTime: TimeChart | undefined;
  drawn: DrawnChart | undefined;
}

function start(): void {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '{"runs":[],"figures":[]}') as PageData;
  const places = [...document.querySelectorAll<HTMLElement>('.chart')].map((host): Place => ({
    host,
    overTime: undefined,
    drawn: undefined,
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
    // What is fitted may change sizes itself, which within the same frame browsers report as an error.
    requestAnimationFrame(() => {
      places.forEach(fit);
    });
  });
  for (const { host } of places) widths.observe(host);
  addTools(places, data);
}

/** What a reader can do with figures and tables beyond looking at them. */
function addTools(places: readonly Place[], { paths = [] }: PageData): void {
  for (const place of places) {
    const figure = place.host.closest('figure');
    if (figure !== null) addChartExports(figure, place.host.id.replace(/^chart-/, ''), () => place.drawn);
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
  const overTime = timeChart(kind, data, Number(run), port);
  if (overTime !== undefined) {
    const { spec, titles, group } = overTime;
    place.overTime ??= newChart(host, { heightPx: HEIGHT_PX, titles, ...(group !== undefined && { group }) });
    // All of it: with the port or the theme any colour and name can be another one.
    place.overTime.restyle(spec);
    const { plot, timeUnit, unit } = place.overTime;
    place.drawn = plot && { chart: plot, xUnit: timeUnit, yUnit: unit };
    note(host, axisText(titles.x, timeUnit), axisText(titles.y, unit), spec.lines.length);
    return;
  }
  place.drawn?.chart.destroy();
  const figure = kind === 'figure' ? data.figures[Number(run)] : undefined;
  if (figure !== undefined) place.drawn = { chart: drawFigure(host, figure), xUnit: NO_UNIT, yUnit: NO_UNIT };
  else if (kind === 'pauses') {
    const bars = pauseBars(data);
    place.drawn = { chart: drawBars(host, bars, HEIGHT_PX), xUnit: NO_UNIT, yUnit: bars.yUnit };
    note(host, bars.xTitle, axisText(bars.yTitle, bars.yUnit), bars.bars.length);
  }
}

function newChart(host: HTMLElement, options: TimeChartOptions): TimeChart {
  const legend = h('div', { class: 'legend' });
  host.after(legend);
  return new TimeChart(host, legend, options);
}

/** What is drawn, for whoever reads the page by a program. */
function note({ dataset }: HTMLElement, xLabel: string, yLabel: string, lines: number): void {
  Object.assign(dataset, { drawn: 'true', xLabel, yLabel, lines: String(lines) });
}

/** Charts over time do it themselves. */
function fit({ host, overTime, drawn }: Place): void {
  if (overTime !== undefined || drawn === undefined) return;
  const { chart } = drawn;
  if (Math.abs(host.clientWidth - chart.width) < RESIZE_LEAST_PX) return;
  chart.setSize({ width: host.clientWidth, height: chart.height });
}

start();
