/** The editor of the scenario's JSON. Errors are shown at their key. */
import type { Rejection } from '../../protocol/run-protocol.js';
import { debounced, fill, h } from '../../../src/view/charts/dom.js';
import { placeOf, placeOfSyntaxError, type TextPlace } from './json-place.js';

const WAIT_MS = 350;
const LINE_PX = 18;

export class Editor {
  readonly element: HTMLElement;
  readonly #area = h('textarea', {
    id: 'scenario-json',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    wrap: 'off',
    'aria-label': 'Scenario, JSON',
    'aria-describedby': 'scenario-error',
  });
  readonly #message = h('div', { id: 'scenario-error', class: 'rejection', role: 'status' });
  readonly #mark = h('div', { class: 'line-mark', hidden: true, 'aria-hidden': 'true' });
  /** A copy of the message, below the line that it refers to. */
  readonly #note = h('p', { class: 'line-note', hidden: true, 'aria-hidden': 'true' });
  #place: TextPlace | undefined;
  /** The scenario's text as shown or edited last; the area may be ahead of it while the user types. */
  #text = '';

  /** @param onEdit called with the text when the user has stopped typing. */
  constructor(onEdit: (text: string) => void) {
    const edited = debounced(WAIT_MS, () => {
      this.#text = this.#area.value;
      onEdit(this.#text);
    });
    this.#area.addEventListener('input', edited);
    this.#area.addEventListener('scroll', () => {
      this.#showMark();
    });
    this.element = h('div', { class: 'editor' }, this.#message,
      h('div', { class: 'editor-text' }, this.#mark, this.#area, this.#note));
  }

  /** Keeps what the user is typing unless the scenario has changed elsewhere. */
  show(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    if (this.#area.value !== text) this.#area.value = text;
  }

  showRejection(rejection: Rejection | undefined): void {
    this.#area.setAttribute('aria-invalid', String(rejection !== undefined));
    this.#place = rejection && this.#placeOf(rejection);
    fill(this.#note, rejection?.message ?? '');
    this.#showMark();
    if (rejection === undefined) {
      fill(this.#message);
      return;
    }
    const { message } = rejection;
    const place = this.#place;
    fill(this.#message, h('p', {}, message), place && h('button', {
      type: 'button',
      class: 'link',
      click: () => {
        this.#go(place);
      },
    }, `Go to line ${place.line}`));
  }

  #placeOf({ where }: Rejection): TextPlace | undefined {
    const text = this.#area.value;
    return placeOf(text, where) ?? placeOfSyntaxError(text);
  }

  #showMark(): void {
    const place = this.#place;
    this.#mark.hidden = place === undefined;
    if (place !== undefined) {
      const topPx = (place.line - 1) * LINE_PX - this.#area.scrollTop;
      this.#mark.style.transform = `translateY(${topPx}px)`;
      this.#note.style.transform = `translateY(${topPx + LINE_PX}px)`;
    }
    this.#note.hidden = this.#mark.hidden;
  }

  #go({ from, to, line }: TextPlace): void {
    this.#area.focus();
    this.#area.setSelectionRange(from, to);
    this.#area.scrollTop = Math.max(0, (line - 4) * LINE_PX);
  }
}
