/** What came out, in a table: of one variant, or of two with their differences. */
import { fill, h, oncePerFrame } from '../../../src/charts/dom.js';
import { differences, parseJson, type Json } from '../experiment/scenario-edit.js';
import type { Lab } from '../lab.js';
import { bytesText, percentText, rateText, shortNumber, timeText } from '../../../src/charts/units.js';
import type { Outcome } from '../../shared/protocol.js';

interface Measure {
  readonly title: string;
  readonly of: (outcome: Outcome) => number | null;
  readonly text: (value: number) => string;
  /** What a reader wants of it. */
  readonly better: 'less' | 'more' | 'neither';
}

const MEASURES: readonly Measure[] = [
  {
    title: 'Completion, median',
    of: ({ summary }) => summary.completionPs?.p50 ?? null,
    text: timeText,
    better: 'less',
  },
  { title: 'Completion, p99', of: ({ summary }) => summary.completionPs?.p99 ?? null, text: timeText, better: 'less' },
  { title: 'Slowdown, p99', of: ({ summary }) => summary.slowdown?.p99 ?? null, text: shortNumber, better: 'less' },
  { title: 'Flows unfinished', of: ({ summary }) => summary.flowsUnfinished, text: shortNumber, better: 'less' },
  { title: 'Longest queue', of: ({ summary }) => summary.maxQueueBytes, text: bytesText, better: 'less' },
  { title: 'Mean of that queue', of: ({ summary }) => summary.meanQueueBytes, text: bytesText, better: 'less' },
  { title: 'Ports paused, summed', of: ({ summary }) => summary.pausedPs, text: timeText, better: 'less' },
  { title: 'Pause frames', of: ({ totals }) => totals.pauses, text: shortNumber, better: 'less' },
  { title: 'CNPs', of: ({ totals }) => totals.cnps, text: shortNumber, better: 'neither' },
  { title: 'Fast CNPs', of: ({ totals }) => totals.fastCnps, text: shortNumber, better: 'neither' },
  { title: 'Packets marked', of: ({ totals }) => totals.marks, text: shortNumber, better: 'neither' },
  { title: 'Packets dropped', of: ({ totals }) => totals.packetsDropped, text: shortNumber, better: 'less' },
  { title: 'Packets sent again', of: ({ totals }) => totals.retransmittedPackets, text: shortNumber, better: 'less' },
  { title: "Fairness, Jain's index", of: ({ summary }) => summary.meanFairness, text: shortNumber, better: 'more' },
  { title: 'Goodput', of: ({ summary }) => summary.goodputBps, text: rateText, better: 'more' },
];
/** Those that stand above the charts. */
const KEY_TITLES = ['Completion, p99', 'Longest queue', 'Pause frames', 'CNPs', 'Fast CNPs', 'Flows unfinished'];
const SHOWN_DIFFERENCES = 12;

export class ComparePanel {
  readonly #lab: Lab;
  readonly #host: HTMLElement;
  readonly #key: HTMLElement;
  #shown = '';

  /** @param key where the few numbers go that matter most. */
  constructor(lab: Lab, host: HTMLElement, key: HTMLElement) {
    this.#lab = lab;
    this.#host = host;
    this.#key = key;
    const show = oncePerFrame(() => {
      this.#show();
    });
    lab.changed.onChange(show);
    lab.b.onChange(show);
  }

  #show(): void {
    const outcomes = this.#lab.variants.map(({ client }) => client.data.value?.outcome);
    const key = JSON.stringify([
      outcomes.map((outcome) => outcome?.hash),
      this.#lab.variants.map(({ ranText }) => ranText),
    ]);
    if (key === this.#shown) return;
    this.#shown = key;
    const [a, b] = outcomes;
    fill(this.#key, ...KEY_TITLES.map((title) => keyNumber(title, outcomes)));
    if (a === undefined) {
      fill(this.#host, h('p', { class: 'words' }, 'Numbers stand here when the run is over.'));
      return;
    }
    fill(this.#host, table(a, this.#lab.b.value === undefined ? undefined : b), this.#settings());
  }

  /** Settings in which B differs from A. */
  #settings(): HTMLElement | undefined {
    const b = this.#lab.b.value;
    if (b === undefined) return undefined;
    const all = differences(parseJson(this.#lab.a.ranText), parseJson(b.ranText));
    if (all.length === 0) return h('p', { class: 'words' }, 'A and B have the same settings: change one of B.');
    const rows = all.slice(0, SHOWN_DIFFERENCES).map(({ path, a, b: other }) =>
      h('tr', {}, h('th', { scope: 'row' }, h('code', {}, path)), h('td', {}, jsonText(a)),
        h('td', {}, jsonText(other)))
    );
    const more = all.length - rows.length;
    return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Settings that differ' },
      h('table', { class: 'settings' },
        h('caption', {}, more > 0 ? `Settings that differ; ${more} more` : 'Settings that differ'),
        h('thead', {},
          h('tr', {}, h('th', { scope: 'col' }, 'Key'), h('th', { scope: 'col' }, 'A'),
            h('th', { scope: 'col' }, 'B'))), h('tbody', {}, ...rows)));
  }
}

function keyNumber(title: string, outcomes: readonly (Outcome | undefined)[]): HTMLElement {
  const measure = MEASURES.find((one) => one.title === title);
  const texts = outcomes.map((outcome) => {
    const value = outcome === undefined ? null : measure?.of(outcome) ?? null;
    return value === null ? '–' : measure?.text(Number(value.toPrecision(4))) ?? '';
  });
  return h('div', {}, h('dt', {}, title),
    ...texts.map((text, index) =>
      h('dd', { class: index === 0 ? 'key-a' : 'key-b' }, texts.length > 1 && h('span', {}, index === 0 ? 'A ' : 'B '),
        text)
    ));
}

function table(a: Outcome, b: Outcome | undefined): HTMLElement {
  const heads = b === undefined ? ['', 'A'] : ['', 'A', 'B', 'B − A'];
  const rows = MEASURES.map((measure) => {
    const [ofA, ofB] = [measure.of(a), b === undefined ? null : measure.of(b)];
    const cells = [cell(ofA, measure), ...(b === undefined ? [] : [cell(ofB, measure), change(ofA, ofB, measure)])];
    return h('tr', {}, h('th', { scope: 'row' }, measure.title), ...cells);
  });
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Results' },
    h('table', { id: 'results' },
      h('thead', {},
        h('tr', {},
          ...heads.map((head) => head === '' ? h('td', {}) : h('th', { scope: 'col', class: 'number' }, head)))),
      h('tbody', {}, ...rows)));
}

function cell(value: number | null, { text }: Measure): HTMLElement {
  return h('td', { class: 'number' }, value === null ? '–' : text(Number(value.toPrecision(4))));
}

/** In words too, as colour is not for all. */
function change(a: number | null, b: number | null, { better, text }: Measure): HTMLElement {
  if (a === null || b === null) return h('td', { class: 'number' }, '–');
  if (a === b) return h('td', { class: 'number' }, 'same');
  const sign = b > a ? '+' : '−';
  const shown = a === 0 ?
    `${sign}${text(Number(Math.abs(b - a).toPrecision(4)))}` :
    `${sign}${percentText(Math.abs(b - a) / a)}`;
  const isBetter = better !== 'neither' && (better === 'less') === (b < a);
  const tone = better === 'neither' ? '' : isBetter ? 'good' : 'bad';
  return h('td', { class: `number ${tone}` }, shown,
    tone !== '' && h('span', { class: 'tone' }, isBetter ? ' better' : ' worse'));
}

function jsonText(json: Json | undefined): string {
  if (json === undefined) return 'default';
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
