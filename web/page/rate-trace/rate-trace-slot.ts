/** Placeholder of the panel that explains rate changes, which is loaded when a flow is selected. */
import { fill, h } from '../../../src/view/charts/dom.js';
import type { Lab } from '../lab.js';
import type { RateTracePanel } from './rate-trace-panel.js';

export class RateTraceSlot {
  readonly element: HTMLElement;
  readonly #lab: Lab;
  readonly #words = h('div', { id: 'rate-change', 'aria-live': 'polite' },
    h('p', { class: 'words' }, 'Click a rate curve to see what changed it.'));
  #panel: Promise<RateTracePanel> | undefined;

  constructor(lab: Lab) {
    this.#lab = lab;
    this.element = h('div', { class: 'rate-why', role: 'group', 'aria-label': 'Why the rate changed' }, this.#words);
    lab.view.onChange(({ flow }) => {
      if (flow >= 0) void this.#load();
    });
  }

  /** Handles a click on a line. */
  async asked(): Promise<void> {
    const panel = await this.#load();
    panel?.asked();
  }

  async #load(): Promise<RateTracePanel | undefined> {
    try {
      this.#panel ??= import('./rate-trace-panel.js').then((module) =>
        new module.RateTracePanel(this.#lab, this.element, this.#words)
      );
      return await this.#panel;
    } catch (error) {
      this.#panel = undefined;
      fill(this.#words, h('p', { class: 'bad' }, error instanceof Error ? error.message : String(error)));
      return undefined;
    }
  }
}
