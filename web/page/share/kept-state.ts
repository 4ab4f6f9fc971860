/** Keeps the experiment in the page's address while it is edited, and supports undo. */
import { debounced, h } from '../../../src/view/charts/dom.js';
import { History } from '../history.js';
import type { Lab } from '../lab.js';
import type { Variant } from '../variant.js';
import { linkOf } from './link.js';

/** Delay after the last edit until a state is stored, so that moving a slider makes only one. */
const QUIET_MS = 400;
/** Longer experiments are put into the address only by Share. */
const TEXT_MAX = 200_000;

interface Edited {
  readonly a: EditedVariant;
  readonly b: EditedVariant | undefined;
}

interface EditedVariant {
  readonly text: string;
  readonly startText: string;
}

export class KeptState {
  readonly #lab: Lab;
  readonly #history = new History<Edited>(({ a, b }) => JSON.stringify([a.text, b?.text]));
  readonly #undo = h('button', { type: 'button', class: 'quiet', id: 'undo', 'aria-label': 'Undo', title: 'Ctrl-Z' },
    '↶');
  readonly #redo = h('button', {
    type: 'button',
    class: 'quiet',
    id: 'redo',
    'aria-label': 'Redo',
    title: 'Ctrl-Shift-Z',
  }, '↷');
  /** Whether anything was changed; until then the opened address stays. */
  #isTouched = false;

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    const keep = debounced(QUIET_MS, () => {
      this.#keep();
    });
    const touched = (): void => {
      this.#isTouched = true;
      keep();
    };
    lab.a.text.onChange(touched);
    lab.b.onChange((variant) => {
      variant?.text.onChange(touched);
      touched();
    });
    lab.view.onChange(touched);
    lab.changed.onChange(keep);
    this.#undo.addEventListener('click', () => {
      this.#restore(this.#history.undo());
    });
    this.#redo.addEventListener('click', () => {
      this.#restore(this.#history.redo());
    });
    addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    host.prepend(this.#undo, this.#redo);
    this.#showButtons();
  }

  /** Makes the current experiment, such as that of a link, the start of editing. */
  begin(): void {
    this.#history.add(this.#edited());
    this.#isTouched = false;
  }

  #keep(): void {
    this.#history.add(this.#edited());
    this.#showButtons();
    if (this.#isTouched) void this.#writeAddress();
  }

  #edited(): Edited {
    const { a, b } = this.#lab;
    return { a: partOf(a), b: b.value && partOf(b.value) };
  }

  #restore(state: Edited | undefined): void {
    if (state === undefined) return;
    const lab = this.#lab;
    lab.statedHash.value = '';
    lab.a.restore(state.a.startText, state.a.text);
    if (state.b === undefined) lab.removeB();
    else lab.addB(state.b.startText).restore(state.b.startText, state.b.text);
    for (const variant of lab.variants) {
      if (lab.isLive.value && variant.isFast) variant.runSoon();
      else void variant.check();
    }
    this.#showButtons();
  }

  async #writeAddress(): Promise<void> {
    const { a, b, code, view } = this.#lab;
    const texts = [a.text.value, b.value?.text.value ?? '', code.value?.text ?? ''];
    if (texts.join('').length > TEXT_MAX) return;
    const hashes = this.#lab.variants.map(hashOf);
    const link = await linkOf({
      a: a.text.value,
      ...(b.value && { b: b.value.text.value }),
      ...(code.value && { code: code.value.text }),
      view: view.value,
      hash: hashes.includes('') ? '' : hashes.join(' '),
    });
    history.replaceState(null, '', link);
  }

  #showButtons(): void {
    this.#undo.disabled = !this.#history.canUndo;
    this.#redo.disabled = !this.#history.canRedo;
  }

  /** Handles keys for undo and redo, except in text fields, which have the browser's own. */
  #onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    const { target } = event;
    if (target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    this.#restore(key === 'y' || event.shiftKey ? this.#history.redo() : this.#history.undo());
  }
}

const partOf = ({ text, startText }: Variant): EditedVariant => ({ text: text.value, startText });

/** Hash of the result for the current text; empty if there is none. */
function hashOf({ client, text, ranText }: Variant): string {
  return text.value === ranText && client.state.value === 'done' ? client.data.value?.outcome?.hash ?? '' : '';
}
