/** Buttons that save what a figure or a table shows: CSV, PNG, SVG. Files are made in the page; nothing is sent. */
import type uPlot from 'uplot';
import { h, saveFile } from '../../../charts/dom.js';
import { styleColor } from '../../../charts/palette.js';
import { axisText, NO_UNIT, type Unit } from '../../../charts/units.js';

const PAD_PX = 12;
const LINE_PX = 20;
const CSV_DIGITS = 12;
/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^[-+]?[\d.,]+(?:e[-+]?\d+)?$/i;

/** What is drawn somewhere, and the units in which it is saved. */
export interface DrawnChart {
  readonly chart: uPlot;
  readonly xUnit: Unit;
  readonly yUnit: Unit;
}

/** Adds the buttons of a chart. @param drawnOf what is drawn there now. */
export function addChartExports(figure: Element, name: string, drawnOf: () => DrawnChart | undefined): void {
  figure.append(toolbar(name, {
    CSV: () => {
      const drawn = drawnOf();
      if (drawn !== undefined) save(`${name}.csv`, 'text/csv', chartCsv(drawn));
    },
    PNG: () => {
      const chart = drawnOf()?.chart;
      if (chart !== undefined)
        savePng(`${name}.png`, chart, figure.querySelector('figcaption strong')?.textContent ?? '');
    },
  }));
}

/** Adds the button of a table. */
export function addTableExport(frame: Element, table: HTMLTableElement, name: string): void {
  frame.before(toolbar(name, {
    CSV: () => {
      const rows = [...table.rows].map((row) => [...row.cells].map(({ textContent }) => textContent.trim()));
      save(`${name}.csv`, 'text/csv', csvText(rows));
    },
  }));
}

/** Adds the buttons of a drawing that is part of the page. @param json what is drawn, where that can be saved too. */
export function addSvgExport(frame: Element, svg: SVGElement, name: string, json?: unknown): void {
  frame.before(toolbar(name, {
    SVG: () => {
      save(`${name}.svg`, 'image/svg+xml', `${new XMLSerializer().serializeToString(svg)}\n`);
    },
    ...(json !== undefined && {
      JSON: () => {
        save(`${name}.json`, 'application/json', `${JSON.stringify(json, undefined, 2)}\n`);
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

function chartCsv({ chart: { data, series }, xUnit, yUnit }: DrawnChart): string {
  const unitOf = (column: number): Unit => (column === 0 ? xUnit : yUnit);
  const heads = series.map(({ label }, column) => axisText(typeof label === 'string' ? label : '', unitOf(column)));
  const rows = Array.from(data[0], (_, at) => data.map((values, column) => numberText(values[at], unitOf(column))));
  return csvText([heads, ...rows]);
}

/** Whole picoseconds and bytes, divided, without the last digits that binary numbers add. */
function numberText(value: number | null | undefined, { size }: Unit): string {
  if (value === null || value === undefined) return '';
  return String(size === NO_UNIT.size ? value : Number((value / size).toPrecision(CSV_DIGITS)));
}

function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The chart with its title and the names of its lines, on the page's ground. */
function savePng(file: string, chart: uPlot, title: string): void {
  const source = chart.ctx.canvas;
  const scale = window.devicePixelRatio;
  const names = chart.series.slice(1, 7).flatMap(({ label, stroke }) =>
    typeof label === 'string' ? [{ label, color: typeof stroke === 'function' ? stroke(chart, 1) : stroke }] : []
  );
  const [pad, line] = [PAD_PX * scale, LINE_PX * scale];
  const canvas = document.createElement('canvas');
  canvas.width = source.width + 2 * pad;
  canvas.height = source.height + 2 * pad + line * (1 + names.length);
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  ctx.fillStyle = styleColor('--paper');
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.font = `600 ${14 * scale}px system-ui, sans-serif`;
  ctx.fillStyle = styleColor('--text');
  ctx.fillText(title, pad, pad + line / 2);
  ctx.drawImage(source, pad, pad + line);
  ctx.font = `${13 * scale}px system-ui, sans-serif`;
  names.forEach(({ label, color }, index) => {
    const y = pad + line * (index + 1.6) + source.height;
    ctx.fillStyle = typeof color === 'string' ? color : styleColor('--text');
    ctx.fillRect(pad, y - 6 * scale, 24 * scale, 3 * scale);
    ctx.fillStyle = styleColor('--text');
    ctx.fillText(label, pad + 32 * scale, y);
  });
  canvas.toBlob((blob) => {
    if (blob !== null) saveFile(file, blob);
  });
}

function save(file: string, type: string, text: string): void {
  saveFile(file, new Blob([text], { type }));
}
