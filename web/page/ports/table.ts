/** The switch and host ports of a run, those that limit it first; a click chooses one. */
import { fill, h, oncePerFrame, type Child } from '../../../src/view/charts/dom.js';
import { bytesText, formatCount, percentText, rateText } from '../../../src/view/format.js';
import type { Lab } from '../lab.js';
import type { RunData } from '../run-data.js';
import { rankedPorts, type RankedPort } from './ranking.js';

const FIRST_ROWS = 6;
/** Column that is hidden if the table is narrow. */
const LEAST_COLUMN = 4;
const classOf = (column: number): string => (column === LEAST_COLUMN ? 'number least' : 'number');
const HEADS: readonly (readonly [title: string, hint: string])[] = [
  ['Port', 'node:peer. Those that limit the run come first.'],
  ['Used', 'Share of the run in which the port was sending'],
  ['Goodput', 'Payload delivered to hosts; known for ports to hosts only'],
  ['Max queue', 'Most bytes waiting at once'],
  ['Mean', 'Time-weighted mean of the queue'],
  ['Marked', 'Packets marked CE here'],
  ['Paused', 'Share of the run in which PFC paused the port'],
];

export class PortTable {
  readonly #lab: Lab;
  readonly #host: HTMLElement;
  #shown = '';
  #isWhole = false;

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#host = host;
    const show = oncePerFrame(() => {
      this.#show();
    });
    lab.changed.onChange(show);
    lab.chosen.onChange(show);
    lab.view.onChange(show);
  }

  #show(): void {
    const { name, client } = this.#lab.chosen.value;
    const data = client.data.value;
    const { port: chosen } = this.#lab.view.value;
    const key = `${name} ${data?.outcome?.hash ?? ''} ${chosen} ${this.#isWhole} ${this.#lab.variants.length}`;
    // Keep the last table during the next run.
    if (key === this.#shown || data?.outcome === undefined) return;
    this.#shown = key;
    const all = rankedPorts(data);
    const listed = this.#isWhole ? all : all.slice(0, FIRST_ROWS);
    const caption = `${this.#lab.variants.length > 1 ? `${name}: ` : ''}${
      listed.length < all.length ?
        `${listed.length} of ${all.length} ports that sent data` :
        `${all.length} ports that sent data`
    }, those that limit the run first`;
    fill(this.#host,
      h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of ports' },
        h('table', { id: 'ports-table' }, h('caption', {}, caption),
          h('thead', {},
            h('tr', {},
              ...HEADS.map(([title, hint], index) =>
                h('th', { scope: 'col', title: hint, class: index === 0 ? '' : classOf(index) }, title)
              ))), h('tbody', {}, ...listed.map((row) => this.#row(row, data, chosen))))),
      all.length > FIRST_ROWS && h('button', {
        type: 'button',
        class: 'quiet',
        id: 'all-ports',
        click: () => {
          this.#isWhole = !this.#isWhole;
          this.#show();
        },
      }, this.#isWhole ? 'Fewer ports' : `All ${all.length} ports`));
  }

  #row({ port, name, goodputBps, pausedShare, limit }: RankedPort, data: RunData, chosen: string): HTMLElement {
    const of = data.outcome?.ports;
    const cells = [
      percentText(of?.utilization[port] ?? 0),
      goodputBps === undefined ? '–' : rateText(goodputBps),
      bytesText(of?.maxQueueBytes[port] ?? 0),
      bytesText(Math.round(of?.meanQueueBytes[port] ?? 0)),
      formatCount(of?.marks[port] ?? 0),
      percentText(pausedShare),
    ];
    const choose = h('button', {
      type: 'button',
      class: 'link',
      'aria-pressed': String(name === chosen),
      click: () => {
        this.#lab.show({ port: name });
      },
    }, ...breakable(data, port));
    return h('tr', { class: name === chosen ? 'chosen' : '' },
      h('th', { scope: 'row' }, choose, limit !== undefined && h('span', { class: 'tone' }, ` ${limit}`)),
      ...cells.map((text, index) => h('td', { class: classOf(index + 1) }, text)));
  }
}

/** A port's name `node:peer` that may break after the colon. */
function breakable({ facts: { nodes, ports } }: RunData, port: number): readonly Child[] {
  const { name = '', node = 0 } = ports[port] ?? {};
  const at = (nodes[node]?.name.length ?? 0) + 1;
  return [name.slice(0, at), h('wbr'), name.slice(at)];
}
