/** The controls for forking a run at an instant, and the banner shown while a fork is edited. */
import { fill, h } from '../../../src/view/charts/dom.js';
import { timeText } from '../../../src/view/format.js';
import { PS_PER_US } from '../../../src/units.js';
import type { Fork } from './fork.js';

const DIGITS = 4;

/** The instant in microseconds, and the button that forks there. */
export class ForkBar {
  readonly element: HTMLElement;
  readonly #time = h('input', {
    id: 'fork-at',
    type: 'number',
    min: 0,
    step: 'any',
    inputmode: 'decimal',
    'aria-label': 'Instant of the fork, microseconds',
  });

  constructor(onFork: (atUs: number) => void) {
    const button = h('button', {
      type: 'button',
      class: 'quiet',
      id: 'fork',
      title: 'Change settings at this instant and run on; a click into a chart chooses the instant',
      click: () => {
        const atUs = Number(this.#time.value);
        if (atUs > 0) onFork(atUs);
      },
    }, 'Fork at');
    this.element = h('span', { class: 'fork-bar' }, button, this.#time, ' µs');
  }

  /** Shows the instant of the pictures. */
  show(timePs: number): void {
    if (document.activeElement === this.#time || !(timePs > 0)) return;
    this.#time.value = String(Number((timePs / PS_PER_US).toPrecision(DIGITS)));
  }
}

/** Banner above a fork's form: the time from which its values apply. */
export class ForkBanner {
  readonly element = h('div', { class: 'fork-banner', id: 'fork-banner', hidden: true });
  readonly #late = h('strong', { role: 'status' });
  readonly #time = h('input', { id: 'fork-time', type: 'number', min: 0, step: 'any', inputmode: 'decimal' });

  constructor(onTime: (atUs: number) => void) {
    this.#time.addEventListener('change', () => {
      if (Number(this.#time.value) > 0) onTime(Number(this.#time.value));
    });
    fill(this.element, h('label', { for: 'fork-time' }, 'Fork at'), this.#time,
      ' µs. Until then it runs as before; values set here apply from then on. Settings that are fixed during a run are hidden.',
      this.#late);
  }

  /** @param endPs end of the forked run; undefined if not known yet. */
  show(fork: Fork | undefined, endPs: number | undefined): void {
    this.element.hidden = fork === undefined;
    const isLate = fork !== undefined && endPs !== undefined && fork.atUs * PS_PER_US >= endPs;
    this.#late.textContent = isLate ? ` The run ends at ${timeText(endPs)}: a later fork has no effect.` : '';
    if (fork !== undefined && document.activeElement !== this.#time) this.#time.value = String(fork.atUs);
  }
}
