/** Shows explanations of the results, with links to ports, flows and instants. */
import { fill, h, oncePerFrame } from '../../src/view/charts/dom.js';
import type { Lab } from './lab.js';
import type { TextPart } from '../../src/sim/index.js';
import type { Answer } from '../protocol/run-protocol.js';

export class WhyPanel {
  readonly #lab: Lab;
  readonly #host: HTMLElement;
  /** Which questions the user opened or closed, kept when results of another run are shown. */
  readonly #isOpen = new Map<string, boolean>();
  #shown = '';

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#host = host;
    const show = oncePerFrame(() => {
      this.#show();
    });
    lab.changed.onChange(show);
    lab.chosen.onChange(show);
  }

  #show(): void {
    const { name, client } = this.#lab.chosen.value;
    const outcome = client.data.value?.outcome;
    const key = `${name} ${outcome?.hash ?? ''}`;
    if (key === this.#shown) return;
    this.#shown = key;
    if (outcome === undefined) {
      fill(this.#host, h('p', { class: 'words' }, 'Explanations appear here when the run is over.'));
      return;
    }
    fill(this.#host, ...outcome.answers.map((answer, index) => this.#answer(answer, index === 0)),
      outcome.notes.length > 0 &&
        h('div', { class: 'answer' }, h('h3', {}, 'Notes'),
          h('ul', {}, ...outcome.notes.map((note) => h('li', {}, note)))));
  }

  #answer({ question, findings, topic }: Answer, isFirst: boolean): HTMLElement {
    const isOpen = this.#isOpen.get(question) ?? isFirst;
    const details = h('details', { class: 'answer', open: isOpen, 'data-topic': topic }, h('summary', {
      click: () => {
        this.#isOpen.set(question, !details.open);
      },
    }, question), h('ul', {}, ...findings.map((parts) => h('li', {}, ...parts.map((part) => this.#part(part))))));
    return details;
  }

  #part(part: TextPart): Node | string {
    const { text, port, flow, timePs } = part;
    if (port === undefined && flow === undefined && timePs === undefined) return text;
    return h('button', {
      type: 'button',
      class: 'link',
      click: () => {
        this.#go(part);
      },
    }, text);
  }

  /** Follows a link. For a port without an instant, goes to its first pause, or else its longest queue. */
  #go({ port, flow, timePs }: TextPart): void {
    if (flow !== undefined) this.#lab.show({ flow });
    if (timePs !== undefined) this.#lab.show({ timePs });
    if (port === undefined) return;
    const data = this.#lab.chosen.value.client.data.value;
    const index = data?.facts.ports.findIndex(({ name }) => name === port) ?? -1;
    if (data !== undefined && index >= 0) {
      this.#lab.show({ port, timePs: data.firstPausePs(index) ?? data.peakTimePs(index) });
    }
  }
}
