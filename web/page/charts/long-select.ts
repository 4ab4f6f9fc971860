/** A menu with hundreds of choices, filled over several frames because the browser styles each option. */
import { fill, h, inNextFrame } from '../../../src/view/charts/dom.js';

const OPTIONS_PER_FRAME = 80;

export type Choice = readonly [value: string, text: string];

export class LongSelect {
  readonly element: HTMLSelectElement;
  #key = '';
  /** Number of lists so far; unfinished work of an older list is dropped. */
  #list = 0;
  #value = '';

  constructor(id: string) {
    this.element = h('select', { id });
  }

  /** Shows a list of choices; the same list keeps its options. @param value of the selected option. */
  show(choices: readonly Choice[], value: string): void {
    this.#value = value;
    const key = JSON.stringify(choices);
    if (key !== this.#key) {
      this.#key = key;
      this.#fill(choices);
    }
    this.element.value = value;
  }

  #fill(choices: readonly Choice[]): void {
    const mine = ++this.#list;
    fill(this.element, ...optionsOf(choices.slice(0, OPTIONS_PER_FRAME)));
    for (let first = OPTIONS_PER_FRAME; first < choices.length; first += OPTIONS_PER_FRAME) {
      inNextFrame(() => {
        this.element.append(...optionsOf(choices.slice(first, first + OPTIONS_PER_FRAME)));
        this.element.value = this.#value;
      }, { isWanted: () => mine === this.#list });
    }
  }
}

const optionsOf = (choices: readonly Choice[]): HTMLOptionElement[] =>
  choices.map(([value, text]) => h('option', { value }, text));
