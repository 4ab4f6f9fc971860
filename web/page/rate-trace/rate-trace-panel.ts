/**
 * The panel that explains a flow's rate changes, below the chart of rates. Gets them by a second run that traces this
 * flow.
 */
import { fill, h, oncePerFrame } from '../../../src/view/charts/dom.js';
import type { Lab } from '../lab.js';
import { preciseText, RATE_UNITS, TIME_UNITS } from '../../../src/view/format.js';
import { RateChanges } from './changes.js';
import { causeText, inputsOf, ruleOf, sourceUrl, TRACE_DOCS_URL } from './change-words.js';
import { simTraceBytes } from './sim-trace.js';

/** Runs with more events are traced only on request, not on a click into the chart. */
const AT_ONCE_MAX_EVENTS = 3e6;

export class RateTracePanel {
  readonly #lab: Lab;
  readonly #ask = h('button', { type: 'button', class: 'quiet', id: 'trace-flow' });
  readonly #words: HTMLElement;
  readonly #steps = h('div', { class: 'buttons', hidden: true });
  #changes: RateChanges | undefined;
  /** Key of the variant, run and flow of the changes. */
  #ofRun = '';
  #loading = '';
  #shown = '';
  /** Index of the selected change among those at one instant. */
  #index = 0;

  /** @param words element in `host` for the reasons. */
  constructor(lab: Lab, host: HTMLElement, words: HTMLElement) {
    this.#lab = lab;
    this.#words = words;
    this.#steps.append(this.#stepButton(-1, 'Change before'), this.#stepButton(1, 'Next change'));
    fill(host, this.#ask, words, this.#steps);
    this.#ask.addEventListener('click', () => void this.#load());
    const show = oncePerFrame(() => {
      this.#show();
    });
    lab.changed.onChange(show);
    lab.view.onChange(show);
    lab.chosen.onChange(show);
    this.#show();
  }

  /** Handles a click on a line: shows the flow's changes, unless that needs a long run. */
  asked(): void {
    const outcome = this.#lab.chosen.value.client.data.value?.outcome;
    if (outcome !== undefined && outcome.events <= AT_ONCE_MAX_EVENTS) void this.#load();
  }

  /** Key of the requested changes; empty if there are none. */
  #wanted(): string {
    const { name, client } = this.#lab.chosen.value;
    const { flow } = this.#lab.view.value;
    const data = client.data.value;
    if (data?.outcome === undefined || flow < 0 || flow >= data.facts.ratedFlows) return '';
    return `${name} ${data.outcome.hash} ${flow}`;
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted === '' || wanted === this.#ofRun || wanted === this.#loading) return;
    const { client, ranText } = this.#lab.chosen.value;
    this.#loading = wanted;
    this.#show();
    try {
      const trace = await client.rateTrace(ranText, this.#lab.view.value.flow, await simTraceBytes());
      if (this.#loading !== wanted) return;
      this.#changes = new RateChanges(trace);
      this.#ofRun = wanted;
      this.#loading = '';
      this.#show();
    } catch (error) {
      if (this.#loading !== wanted) return;
      this.#loading = '';
      fill(this.#words, h('p', { class: 'bad' }, error instanceof Error ? error.message : String(error)));
    }
  }

  #show(): void {
    const wanted = this.#wanted();
    const { flow } = this.#lab.view.value;
    const changes = wanted !== '' && wanted === this.#ofRun ? this.#changes : undefined;
    const index = changes === undefined ? -1 : this.#indexAt(changes);
    const key = `${wanted}|${this.#ofRun}|${this.#loading}|${index}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#ask.hidden = wanted === '' || changes !== undefined || this.#loading !== '';
    this.#ask.textContent = `Why did the rate of flow ${flow} change?`;
    this.#steps.hidden = changes === undefined || changes.length === 0;
    if (changes !== undefined) this.#showChange(changes, index);
    else fill(this.#words, h('p', { class: 'words' }, this.#hint(wanted)));
  }

  #indexAt(changes: RateChanges): number {
    const { view, chosen } = this.#lab;
    const { timePs } = view.value;
    if (changes.timePs(this.#index) === timePs) return this.#index;
    return changes.nearest(timePs < 0 ? chosen.value.client.data.value?.reportedPs ?? 0 : timePs);
  }

  #hint(wanted: string): string {
    if (this.#loading !== '') return 'The scenario runs once more, with the trace of this flow…';
    return wanted === '' ? 'Click a rate curve to see what changed it.' : '';
  }

  #showChange(changes: RateChanges, index: number): void {
    const { trace } = changes;
    if (index < 0) {
      fill(this.#words, h('p', { class: 'words' }, `The rate of flow ${trace.flow} never changed.`));
      return;
    }
    const change = changes.at(index);
    const rule = ruleOf(change);
    const source = sourceUrl(rule);
    fill(this.#words, h('p', {}, h('strong', {}, `Flow ${trace.flow} at ${preciseText(change.timePs, TIME_UNITS)}: ` +
      `${preciseText(change.fromBps, RATE_UNITS)} to ${preciseText(change.toBps, RATE_UNITS)}`)),
      h('p', {}, `${capital(causeText(change))} (${trace.algorithm}): ${rule.title}. New rate: ${rule.equation}.`),
      h('dl', { class: 'inputs' },
        ...inputsOf(change).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      h('p', { class: 'words' }, `Change ${index + 1} of ${changes.length}${this.#missing(changes)}. `,
        ...(source === undefined ? [] : [link(source, "The rule's source"), ', ']), link(TRACE_DOCS_URL, 'all reasons'),
        '.'));
  }

  #missing({ trace: { leftOut, lost, hash } }: RateChanges): string {
    const outcome = this.#lab.chosen.value.client.data.value?.outcome;
    const isOther = outcome !== undefined && outcome.ended !== 'cancelled' && outcome.hash !== hash;
    return (leftOut > 0 ? `, ${leftOut.toLocaleString('en')} later ones are not kept` : '') +
      (lost > 0 ? `, ${lost.toLocaleString('en')} of any flow were lost` : '') +
      (isOther ? `; the traced run has a different result, ${hash}` : '');
  }

  #stepButton(step: number, text: string): HTMLElement {
    return h('button', {
      type: 'button',
      class: 'quiet',
      click: () => {
        const changes = this.#changes;
        if (changes === undefined) return;
        this.#index = Math.min(changes.length - 1, Math.max(0, this.#indexAt(changes) + step));
        this.#lab.show({ timePs: changes.timePs(this.#index) });
      },
    }, text);
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function link(href: string, text: string): HTMLElement {
  return h('a', { href, target: '_blank', rel: 'noreferrer' }, text);
}
