/** The bottleneck of the chosen run, above its charts. */
import { fill, h, oncePerFrame } from '../../../src/view/charts/dom.js';
import type { Lab } from '../lab.js';
import { verdictParts } from './verdict-words.js';

/** Fills `host` whenever a run has ended. */
export function showVerdict(lab: Lab, host: HTMLElement): void {
  let shown = '';
  const show = oncePerFrame(() => {
    const { name, client } = lab.chosen.value;
    const data = client.data.value;
    const key = `${name} ${lab.variants.length} ${data?.outcome?.hash ?? ''}`;
    // Keep the last verdict during the next run, so that the page does not jump while a slider moves.
    if (key === shown || data?.outcome === undefined) return;
    shown = key;
    const parts = verdictParts(data).map(({ text, port }) =>
      port === undefined ? text : h('button', {
        type: 'button',
        class: 'link',
        click: () => {
          lab.show({ port });
        },
      }, text)
    );
    fill(host, lab.variants.length > 1 && h('strong', {}, `${name} `), ...parts);
  });
  lab.changed.onChange(show);
  lab.chosen.onChange(show);
}
