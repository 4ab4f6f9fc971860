/** Placeholder of the algorithm panel, which is loaded when its tab is opened, to keep the lab's first load small. */
import { fill, h } from '../../src/view/charts/dom.js';
import type { Lab } from './lab.js';

export class AlgorithmTab {
  readonly element = h('div', { class: 'algorithm' }, h('p', { class: 'words' }, 'The editor is being loaded…'));
  readonly #lab: Lab;
  #isOpen = false;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const { AlgorithmPanel } = await import('./algorithm/algorithm-panel.js');
      fill(this.element, new AlgorithmPanel(this.#lab).element);
    } catch (error) {
      this.#isOpen = false;
      const reason = error instanceof Error ? error.message : String(error);
      fill(this.element, h('p', { class: 'rejection' }, `The editor could not be loaded: ${reason}`));
    }
  }
}
