/** Buttons that save a figure or table as CSV, PNG or SVG. */
import { h } from '../../../view/charts/dom.js';
import { csvText, savePng, saveText, type Picture } from '../../../view/charts/exports.js';

/** Adds the buttons of a chart. @param pictureOf returns the current drawing. */
export function addChartExports(figure: Element, name: string, pictureOf: () => Picture | undefined): void {
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
export function addTableExport(frame: Element, table: HTMLTableElement, name: string): void {
  frame.before(toolbar(name, {
    CSV: () => {
      const rows = [...table.rows].map((row) => [...row.cells].map(({ textContent }) => textContent.trim()));
      saveText(`${name}.csv`, 'text/csv', csvText(rows));
    },
  }));
}

/** Adds the buttons of an SVG drawing in the page. @param json the drawing's data, if it can be saved as well. */
export function addSvgExport(frame: Element, svg: SVGElement, name: string, json?: unknown): void {
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
