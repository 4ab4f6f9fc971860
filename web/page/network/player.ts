/** Controls to scrub through a run, and to play it at a chosen speed. */
import { h } from '../../../src/view/charts/dom.js';
import { PS_PER_US } from '../../../src/units.js';
import type { Lab } from '../lab.js';
import type { RunData } from '../run-data.js';
import { timeText } from '../../../src/view/format.js';

const STEPS = 1000;
/** Playback speeds, simulated microseconds per second. */
const SPEEDS = [10, 50, 200, 1_000, 5_000] as const;
const FIRST_SPEED = 200;
const MS_PER_S = 1000;

export class Player {
  readonly element: HTMLElement;
  readonly #lab: Lab;
  readonly #scrub = h('input', {
    id: 'scrub',
    type: 'range',
    min: 0,
    max: STEPS,
    step: 1,
    value: STEPS,
    'aria-label': 'Instant that is drawn',
  });
  readonly #time = h('output', { for: 'scrub', class: 'time' }, '0 µs');
  readonly #play = h('button', { type: 'button', id: 'play' }, 'Play');
  readonly #speed = h('select', { id: 'speed', 'aria-label': 'Speed, simulated time per second' },
    ...SPEEDS.map((speed) => h('option', { value: speed }, `${timeText(speed * PS_PER_US)} per s`)));
  #isPlaying = false;
  #lastMs = 0;

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#speed.value = String(FIRST_SPEED);
    this.element = h('div', { class: 'player' }, this.#play, this.#scrub, this.#time, this.#speed);
    this.#scrub.addEventListener('input', () => {
      this.#stop();
      const { startPs, lastPs } = this.#span();
      lab.show({ timePs: startPs + (Number(this.#scrub.value) / STEPS) * (lastPs - startPs) });
    });
    this.#play.addEventListener('click', () => {
      if (this.#isPlaying) this.#stop();
      else this.#start();
    });
  }

  show(data: RunData | undefined): void {
    const { startPs, lastPs } = this.#span();
    const { timePs } = this.#lab.view.value;
    const shown = timePs < 0 ? data?.reportedPs ?? 0 : Math.min(timePs, lastPs);
    const share = lastPs > startPs ? (shown - startPs) / (lastPs - startPs) : 1;
    this.#scrub.value = String(Math.round(share * STEPS));
    this.#time.textContent = timeText(Number(shown.toPrecision(4)));
    this.#scrub.setAttribute('aria-valuetext', this.#time.textContent);
    this.#play.disabled = data === undefined || data.count === 0;
  }

  #span(): { readonly startPs: number; readonly lastPs: number } {
    const data = this.#lab.chosen.value.client.data.value;
    return { startPs: data?.facts.startPs ?? 0, lastPs: data?.lastPs ?? 0 };
  }

  #start(): void {
    const { startPs, lastPs } = this.#span();
    const { timePs } = this.#lab.view.value;
    if (timePs < 0 || timePs >= lastPs) this.#lab.show({ timePs: startPs });
    this.#isPlaying = true;
    this.#play.textContent = 'Pause';
    this.#lastMs = performance.now();
    requestAnimationFrame(() => {
      this.#tick();
    });
  }

  #stop(): void {
    this.#isPlaying = false;
    this.#play.textContent = 'Play';
  }

  #tick(): void {
    if (!this.#isPlaying) return;
    const nowMs = performance.now();
    const movedPs = ((nowMs - this.#lastMs) / MS_PER_S) * Number(this.#speed.value) * PS_PER_US;
    this.#lastMs = nowMs;
    const { lastPs } = this.#span();
    const timePs = Math.min(lastPs, this.#lab.view.value.timePs + movedPs);
    this.#lab.show({ timePs });
    if (timePs >= lastPs) this.#stop();
    else {
      requestAnimationFrame(() => {
        this.#tick();
      });
    }
  }
}
