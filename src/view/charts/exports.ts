/** Saves a chart as CSV with units, or as PNG with title and names. Files are made in the page; nothing is sent. */
import type uPlot from 'uplot';
import { axisText, NO_UNIT, type Unit } from '../format.js';
import { saveFile } from './dom.js';
import { styleColor } from './palette.js';

const PAD_PX = 12;
const LINE_PX = 20;
const NAMES_MAX = 6;
const CSV_DIGITS = 12;
/** Text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^[-+]?[\d.,]+(?:e[-+]?\d+)?$/i;

/** A chart as currently drawn. */
export interface Picture {
  readonly canvas: HTMLCanvasElement;
  /** Names and colours of its lines. */
  readonly names: readonly { readonly label: string; readonly color: string }[];
  readonly csv: () => string;
}

/** @param xUnit, yUnit units in which values are saved. */
export function plotPicture(chart: uPlot, xUnit: Unit, yUnit: Unit): Picture {
  const names = chart.series.slice(1).flatMap(({ label, stroke }, index) => {
    const color: unknown = typeof stroke === 'function' ? stroke(chart, index + 1) : stroke;
    return typeof label === 'string' ?
      [{ label, color: typeof color === 'string' ? color : styleColor('--text') }] :
      [];
  });
  return { canvas: chart.ctx.canvas, names, csv: () => plotCsv(chart, xUnit, yUnit) };
}

function plotCsv({ data, series }: uPlot, xUnit: Unit, yUnit: Unit): string {
  const unitOf = (column: number): Unit => (column === 0 ? xUnit : yUnit);
  const heads = series.map(({ label }, column) => axisText(typeof label === 'string' ? label : '', unitOf(column)));
  const rows = Array.from(data[0], (_, at) => data.map((values, column) => numberText(values[at], unitOf(column))));
  return csvText([heads, ...rows]);
}

/** A value divided by its unit, rounded to hide the error of binary fractions. */
export function numberText(value: number | null | undefined, { size }: Unit): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  return String(size === NO_UNIT.size ? value : Number((value / size).toPrecision(CSV_DIGITS)));
}

export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves the picture with its title and line names, on the page's background colour. */
export function savePng(file: string, { canvas: source, names }: Picture, title: string): void {
  const scale = window.devicePixelRatio;
  const shown = names.slice(0, NAMES_MAX);
  const [pad, line] = [PAD_PX * scale, LINE_PX * scale];
  const canvas = document.createElement('canvas');
  canvas.width = source.width + 2 * pad;
  canvas.height = source.height + 2 * pad + line * (1 + shown.length);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = styleColor('--paper');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `600 ${14 * scale}px system-ui, sans-serif`;
  context.fillStyle = styleColor('--text');
  context.fillText(title, pad, pad + line / 2);
  context.drawImage(source, pad, pad + line);
  context.font = `${13 * scale}px system-ui, sans-serif`;
  shown.forEach(({ label, color }, index) => {
    const y = pad + line * (index + 1.6) + source.height;
    context.fillStyle = color;
    context.fillRect(pad, y - 6 * scale, 24 * scale, 3 * scale);
    context.fillStyle = styleColor('--text');
    context.fillText(label, pad + 32 * scale, y);
  });
  canvas.toBlob((blob) => {
    if (blob !== null) saveFile(file, blob);
  });
}

/** @param type media type, such as `text/csv`. */
export function saveText(file: string, type: string, text: string): void {
  saveFile(file, new Blob([text], { type }));
}
