/** Buttons that save what a figure or a table shows: CSV, PNG, SVG. Files are made in the page; nothing is sent. */
import type uPlot from 'uplot';
import { styleColor } from './colors.js';

const PAD_PX = 12;
const LINE_PX = 20;
/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^[-+]?[\d.,]+(?:e[-+]?\d+)?$/i;

/** Adds the buttons of a chart. @param chartOf what is drawn there now. */
export function addChartExports(figure: Element, name: string, chartOf: () => uPlot | undefined): void {
  figure.append(toolbar(name, {
    CSV: () => {
      const chart = chartOf();
      if (chart !== undefined) save(`${name}.csv`, 'text/csv', chartCsv(chart));
    },
    PNG: () => {
      const chart = chartOf();
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
  const bar = document.createElement('p');
  bar.className = 'tools';
  for (const [kind, action] of Object.entries(actions)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `Save ${kind}`;
    button.setAttribute('aria-label', `Save ${name} as ${kind}`);
    button.addEventListener('click', action);
    bar.append(button);
  }
  return bar;
}

function chartCsv({ data, series }: uPlot): string {
  const heads = series.map(({ label }) => (typeof label === 'string' ? label : ''));
  const rows = Array.from(data[0], (_, at) => data.map((column) => String(column[at] ?? '')));
  return csvText([heads, ...rows]);
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
    if (blob !== null) saveBlob(file, blob);
  });
}

function save(file: string, type: string, text: string): void {
  saveBlob(file, new Blob([text], { type }));
}

function saveBlob(file: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 10_000);
}
