/** Buttons that save what a figure or a table shows: CSV, PNG, SVG. */
import { h } from '../../../charts/dom.js';
import { csvText, savePng, saveText, type Picture } from '../../../charts/exports.js';

/** Adds the buttons of a chart. @param pictureOf what is drawn there now. */
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

/** Adds the button of a table. */
export function addTableExport(frame: Element, table: HTMLTableElement, name: string): void {
  frame.before(toolbar(name, {
    CSV: () => {
      const rows = [...table.rows].map((row) => [...row.cells].map(({ textContent }) => textContent.trim()));
      saveText(`${name}.csv`, 'text/csv', csvText(rows));
    },
  }));
}

/** Adds the buttons of a drawing that is part of the page. @param json what is drawn, where that can be saved too. */
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
