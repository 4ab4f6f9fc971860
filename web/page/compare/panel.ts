/** The table of results: of one variant, or of two with their differences. */
import { fill, h, oncePerFrame } from '../../../src/view/charts/dom.js';
import { forkDifferences } from '../experiment/fork.js';
import { differences, parseJson, valueAt, type Json } from '../experiment/scenario-edit.js';
import type { Lab } from '../lab.js';
import type { RunData } from '../run-data.js';
import { percentText } from '../../../src/view/format.js';
import { metricOf, type Metric } from '../../../src/sim/metrics.js';
import { LAB_KEY_METRICS, LAB_KEY_METRICS_IF_ANY, LAB_METRICS } from '../../../src/view/metric-tables.js';
import { differenceOf, hintOf, NONE, shownMetrics, textOf, type ShownMetrics } from './metrics.js';

const SHOWN_DIFFERENCES = 12;

export class ComparePanel {
  readonly #lab: Lab;
  readonly #host: HTMLElement;
  readonly #key: HTMLElement;
  #shown = '';

  /** @param key element for the few most important numbers. */
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
    const before = this.#before();
    const key = JSON.stringify([
      outcomes.map((outcome) => outcome?.hash),
      before?.outcome?.hash,
      this.#lab.variants.map(({ ranText }) => ranText),
    ]);
    if (key === this.#shown) return;
    this.#shown = key;
    const shown = this.#lab.variants.map(({ client }) => shownMetrics(client.data.value));
    const [a, b] = shown;
    const extra = LAB_KEY_METRICS_IF_ANY.filter((of) => shown.some((one) => (one?.metrics[of] ?? 0) > 0));
    const was = shownMetrics(before);
    fill(this.#key, ...[...LAB_KEY_METRICS, ...extra].map((of) => keyNumber(metricOf(of), shown, was)));
    if (a === undefined) {
      fill(this.#host, h('p', { class: 'words' }, 'Numbers appear here when the run is over.'));
      return;
    }
    fill(this.#host, table(a, this.#lab.b.value === undefined ? undefined : b), ...stalledNotes(shown),
      this.#settings());
  }

  /** The run before the last change, if only one run is shown. */
  #before(): RunData | undefined {
    const { a, b } = this.#lab;
    return b.value === undefined && a.before !== a.client.data.value ? a.before : undefined;
  }

  /** Settings in which B differs from A. */
  #settings(): HTMLElement | undefined {
    const b = this.#lab.b.value;
    if (b === undefined) return undefined;
    const [ofA, ofB] = [parseJson(this.#lab.a.ranText), parseJson(b.ranText)];
    const isFork = JSON.stringify(valueAt(ofA, ['changes'])) !== JSON.stringify(valueAt(ofB, ['changes']));
    const all = [...differences(ofA, ofB).filter(({ path }) => path !== 'changes'), ...forkDifferences(ofA, ofB)];
    if (all.length === 0 && isFork) return h('p', { class: 'words' }, 'B is a fork of A: change one of its settings.');
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

/** @param was the run to compare a single run with; undefined for none. */
function keyNumber(metric: Metric, outcomes: readonly (ShownMetrics | undefined)[],
  was: ShownMetrics | undefined): HTMLElement {
  const texts = outcomes.map((outcome) => textOf(outcome?.metrics[metric.key] ?? null, metric));
  return h('div', {}, h('dt', { title: hintOf(metric) }, metric.title),
    ...texts.map((text, index) =>
      h('dd', {},
        texts.length > 1 && h('span', { class: index === 0 ? 'name-a' : 'name-b' }, index === 0 ? 'A ' : 'B '), text,
        index === 1 && keyChange(metric, outcomes))
    ), was && beforeText(metric, was, outcomes[0]));
}

/** A metric before the last change, and its difference. */
function beforeText(metric: Metric, was: ShownMetrics, now: ShownMetrics | undefined): HTMLElement {
  const value = was.metrics[metric.key];
  if (value === now?.metrics[metric.key]) return h('dd', { class: 'before' }, 'as before');
  return h('dd', { class: 'before' }, `was ${textOf(value, metric)}`, keyChange(metric, [was, now]));
}

function keyChange(metric: Metric, [a, b]: readonly (ShownMetrics | undefined)[]): HTMLElement | undefined {
  const [before, after] = [a?.metrics[metric.key] ?? null, b?.metrics[metric.key] ?? null];
  if (before === null || after === null) return undefined;
  const { text, tone } = differenceOf(before, after, metric);
  return h('span', { class: tone }, ` ${text}`);
}

/** Notes on runs whose fairness is omitted, with the reason. */
function stalledNotes(shown: readonly (ShownMetrics | undefined)[]): HTMLElement[] {
  return shown.flatMap((one, index) => {
    if (one === undefined || one.stalledShare === 0) return [];
    const name = shown.length > 1 ? ` of ${index === 0 ? 'A' : 'B'}` : '';
    return [
      h('p', { class: 'words stalled' },
        `The flows${name} were stalled for ${percentText(one.stalledShare)} of the run: fairness is omitted.`),
    ];
  });
}

function table(a: ShownMetrics, b: ShownMetrics | undefined): HTMLElement {
  const heads = b === undefined ? ['', 'A'] : ['', 'A', 'B', 'B − A'];
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Results' },
    h('table', { id: 'results' },
      h('thead', {},
        h('tr', {},
          ...heads.map((head) => head === '' ? h('td', {}) : h('th', { scope: 'col', class: 'number' }, head)))),
      h('tbody', {}, ...LAB_METRICS.flatMap((key) => row(metricOf(key), a.metrics[key], b?.metrics[key])))));
}

/** Cells of a metric's row; empty if no run has the metric. */
function row(metric: Metric, a: number | null, b: number | null | undefined): HTMLElement[] {
  if (a === null && (b ?? null) === null) return [];
  const cells = [cell(a, metric), ...(b === undefined ? [] : [cell(b, metric), change(a, b, metric)])];
  return [h('tr', {}, h('th', { scope: 'row', title: hintOf(metric) }, metric.title), ...cells)];
}

function cell(value: number | null, metric: Metric): HTMLElement {
  return h('td', { class: 'number' }, textOf(value, metric));
}

/** The difference in words as well as in colour. */
function change(a: number | null, b: number | null, metric: Metric): HTMLElement {
  if (a === null || b === null) return h('td', { class: 'number' }, NONE);
  const { text, tone } = differenceOf(a, b, metric);
  const words = { '': '', good: ' better', bad: ' worse' }[tone];
  return h('td', { class: `number ${tone}` }, text, words !== '' && h('span', { class: 'tone' }, words));
}

function jsonText(json: Json | undefined): string {
  if (json === undefined) return 'default';
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
