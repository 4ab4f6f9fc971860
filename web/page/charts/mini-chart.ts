/** On narrow screens, keeps the queue chart and three numbers above the sliders that change them. */
import { fill, h, oncePerFrame } from '../../../src/view/charts/dom.js';
import { TimeChart } from '../../../src/view/charts/time-chart.js';
import { metricOf } from '../../../src/sim/metrics.js';
import { LAB_NARROW_METRICS } from '../../../src/view/metric-tables.js';
import { shownMetrics, textOf } from '../compare/metrics.js';
import type { Lab } from '../lab.js';
import { chartSpec } from './specs.js';

const HEIGHT_PX = 92;
const NARROW = '(max-width: 760px)';

/** @returns function that redraws it in the current colours. */
export function miniChart(lab: Lab, host: HTMLElement): () => void {
  const plot = h('div', { class: 'plot', role: 'img', 'aria-label': 'Queue over time' });
  const numbers = h('p', { class: 'words' });
  host.append(plot, numbers);
  const chart = new TimeChart(plot, h('div'), { heightPx: HEIGHT_PX });
  const narrow = matchMedia(NARROW);
  const show = oncePerFrame(() => {
    if (!narrow.matches) return;
    chart.show(chartSpec(lab, 'queue'));
    const all = lab.variants.map(({ client }) => shownMetrics(client.data.value));
    if (all.some((one) => one === undefined)) return;
    fill(numbers, ...LAB_NARROW_METRICS.flatMap((key, index) => {
      const metric = metricOf(key);
      const texts = all.map((one) => textOf(one?.metrics[key] ?? null, metric)).join(' / ');
      return [index === 0 ? '' : ' · ', `${metric.title} `, h('b', {}, texts)];
    }));
  });
  lab.changed.onChange(show);
  lab.view.onChange(show);
  lab.b.onChange(show);
  narrow.addEventListener('change', show);
  return () => {
    if (narrow.matches) chart.restyle(chartSpec(lab, 'queue'));
  };
}
