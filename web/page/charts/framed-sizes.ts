/** A frame for the chart of completion times by size, of both variants. */
import { h } from '../../../src/view/charts/dom.js';
import type { Picture } from '../../../src/view/charts/exports.js';
import { runColor } from '../../../src/view/charts/palette.js';
import { SizesChart, type SizeDots } from '../../../src/view/charts/sizes-chart.js';
import type { Lab } from '../lab.js';

const HEIGHT_PX = 170;

export const SIZES_TITLE = 'Completion time by size';

export class FramedSizes {
  readonly element: HTMLElement;
  readonly #lab: Lab;
  readonly #chart: SizesChart;
  #shown: unknown;

  constructor(lab: Lab) {
    this.#lab = lab;
    const host = h('div', { class: 'plot', role: 'img', 'aria-labelledby': 'sizes-title sizes-legend' });
    const legend = h('div', { class: 'legend', id: 'sizes-legend' });
    this.element = h('figure', { id: 'sizes', class: 'chart' },
      h('figcaption', { id: 'sizes-title' }, h('strong', {}, SIZES_TITLE), ' ',
        h('span', { class: 'unit' }, 'a dot for each flow; both axes logarithmic')), host, legend);
    this.#chart = new SizesChart(host, legend, HEIGHT_PX);
  }

  get picture(): Picture | undefined {
    return this.#chart.picture;
  }

  restyle(): void {
    this.#shown = undefined;
    this.show();
  }

  show(): void {
    const key = JSON.stringify(this.#lab.variants.map(({ client }) => client.data.value?.outcome?.hash ?? ''));
    if (key === this.#shown) return;
    this.#shown = key;
    const runs = this.#lab.variants.flatMap(({ name, client }): SizeDots[] => {
      const flows = client.data.value?.outcome?.flows;
      const isA = name === 'A';
      return flows === undefined ? [] : [{ ...flows, name, color: runColor(isA ? 0 : 1), isHollow: !isA }];
    });
    this.#chart.show(runs, 'Drawn when the run is over.');
  }
}
