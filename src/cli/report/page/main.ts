/** The script of a report: draws the charts, again when the window, the colours or the chosen port change. */
import type uPlot from 'uplot';
import type { PageData } from '../page-data.js';
import { chartSpec } from './charts.js';
import { drawFigure } from './figure-chart.js';
import { addChartExports, addSvgExport, addTableExport } from './exports.js';
import { drawChart } from './line-chart.js';
import { makeSortable } from './sortable.js';

const RESIZE_LEAST_PX = 4;

interface Drawn {
  readonly host: HTMLElement;
  chart: uPlot | undefined;
}

function start(): void {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '{"runs":[],"figures":[]}') as PageData;
  const drawn = [...document.querySelectorAll<HTMLElement>('.chart')].map((host): Drawn => ({
    host,
    chart: undefined,
  }));
  const choice = document.querySelector<HTMLSelectElement>('#port');
  const drawAll = (): void => {
    for (const place of drawn) draw(place, data, choice?.value ?? '');
  };
  drawAll();
  choice?.addEventListener('change', drawAll);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  const widths = new ResizeObserver(() => {
    // What is fitted may change sizes itself, which within the same frame browsers report as an error.
    requestAnimationFrame(() => {
      drawn.forEach(fit);
    });
  });
  for (const { host } of drawn) widths.observe(host);
  addTools(drawn, data);
}

/** What a reader can do with figures and tables beyond looking at them. */
function addTools(drawn: readonly Drawn[], { paths = [] }: PageData): void {
  for (const place of drawn) {
    const figure = place.host.closest('figure');
    if (figure !== null) addChartExports(figure, place.host.id.replace(/^chart-/, ''), () => place.chart);
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

function draw(place: Drawn, data: PageData, port: string): void {
  const { host } = place;
  place.chart?.destroy();
  if (host.nextElementSibling?.className === 'readout') host.nextElementSibling.remove();
  const index = Number(host.dataset.run ?? 0);
  const figure = host.dataset.chart === 'figure' ? data.figures[index] : undefined;
  if (figure !== undefined) {
    place.chart = drawFigure(host, figure);
    return;
  }
  const spec = chartSpec(host.dataset.chart ?? '', data, index, port);
  place.chart = spec === undefined ? undefined : drawChart(host, spec);
}

function fit({ host, chart }: Drawn): void {
  if (chart === undefined || Math.abs(host.clientWidth - chart.width) < RESIZE_LEAST_PX) return;
  chart.setSize({ width: host.clientWidth, height: chart.height });
}

start();
