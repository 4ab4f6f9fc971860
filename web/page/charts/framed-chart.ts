/** A frame for a chart of the shared components: title, unit, picture, legend. */
import { h } from '../../../src/view/charts/dom.js';
import { TimeChart, type TimeChartOptions } from '../../../src/view/charts/time-chart.js';

const HEIGHT_PX = 150;

export interface FramedChart {
  readonly element: HTMLElement;
  readonly chart: TimeChart;
}

export function framedChart(id: string, title: string, options: Omit<TimeChartOptions, 'heightPx'>): FramedChart {
  const unit = h('span', { class: 'unit' });
  const host = h('div', { class: 'plot', role: 'img', 'aria-labelledby': `${id}-title ${id}-legend` });
  const legend = h('div', { class: 'legend', id: `${id}-legend` });
  const chart = new TimeChart(host, legend, {
    ...options,
    heightPx: HEIGHT_PX,
    onUnit: ({ name }) => {
      unit.textContent = name === '' ? '' : `in ${name}`;
    },
  });
  const caption = h('figcaption', { id: `${id}-title` }, h('strong', {}, title), ' ', unit);
  return { chart, element: h('figure', { id, class: 'chart' }, caption, host, legend) };
}
