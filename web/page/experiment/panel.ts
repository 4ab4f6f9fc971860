/** The experiment on the left: gallery, variants, parameters, JSON. */
import { pageText } from '../../../src/view/escape.js';
import { debounced, fill, h } from '../../../src/charts/dom.js';
import { GALLERY, type GalleryItem } from '../gallery.js';
import { FIRST_VIEW, type Lab } from '../lab.js';
import type { Variant } from '../variant.js';
import { Editor } from './editor.js';
import { Form } from './form.js';
import { parseJson, toText, withValue, type Json, type Path } from './scenario-edit.js';
import type { Schema } from './schema-fields.js';
import { tabs } from './tabs.js';

/** A slider that moves requests a run at most this often. */
const RUN_WAIT_MS = 40;
/** Runs of more events, about a second's, are not repeated while a slider moves. */
const LIVE_MAX_EVENTS = 3e6;

export class ExperimentPanel {
  readonly #lab: Lab;
  readonly #editor: Editor;
  #form: Form | undefined;
  readonly #rejection = h('p', { class: 'rejection', id: 'form-rejection', role: 'status' });
  readonly #formHost = h('div', {}, this.#rejection);
  readonly #variants = h('div', { class: 'variants', role: 'group', 'aria-label': 'Variants' });
  readonly #about = h('p', { class: 'about', id: 'about' });
  readonly #gallery: HTMLElement;
  readonly #runSoon: () => void;
  #isWaiting = false;

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#editor = new Editor((text) => {
      this.#edit(text);
    });
    this.#gallery = this.#makeGallery();
    this.#runSoon = debounced(RUN_WAIT_MS, () => {
      this.#runWhenFree();
    });
    const json = h('div', {}, this.#editor.element);
    host.append(this.#gallery, this.#variants, this.#about,
      tabs('Experiment as', [['Parameters', this.#formHost], ['JSON', json]]));
    const show = (): void => {
      this.#show();
    };
    for (const signal of [lab.chosen, lab.b]) signal.onChange(show);
    this.#watch(lab.a);
    lab.b.onChange((variant) => {
      if (variant !== undefined) this.#watch(variant);
    });
    void lab.a.client.schema().then(({ schema, presets }) => {
      this.#form = new Form(schema as Schema, presets, (path, value) => {
        this.#changeValue(path, value);
      });
      this.#formHost.append(this.#form.element);
      this.#show();
    });
    show();
  }

  #watch(variant: Variant): void {
    const show = (): void => {
      if (variant === this.#lab.chosen.value) this.#show();
    };
    variant.text.onChange(show);
    variant.facts.onChange(show);
    variant.client.rejection.onChange(show);
    variant.client.state.onChange((state) => {
      if (state !== 'running' && this.#isWaiting) this.#runWhenFree();
    });
  }

  #show(): void {
    const { name, text, facts, client, startText } = this.#lab.chosen.value;
    this.#editor.show(text.value);
    this.#editor.showRejection(client.rejection.value);
    fill(this.#rejection, client.rejection.value?.message ?? '');
    const scenario = parseJson(text.value);
    if (scenario !== undefined) this.#form?.show(name, scenario, facts.value, parseJson(startText));
    fill(this.#about, scenarioAbout(text.value));
    this.#showVariants();
  }

  #showVariants(): void {
    const { b, chosen } = this.#lab;
    const button = (variant: Variant): HTMLElement =>
      h('button', {
        type: 'button',
        class: `variant ${variant.name === 'A' ? 'of-a' : 'of-b'}`,
        'aria-pressed': String(variant === chosen.value),
        click: () => {
          this.#lab.chosen.value = variant;
          void variant.check();
        },
      }, `Edit ${variant.name}`);
    fill(this.#variants, ...this.#lab.variants.map(button), b.value === undefined ?
      h('button', {
        type: 'button',
        class: 'quiet',
        id: 'add-b',
        click: () => {
          this.#addB();
        },
      }, 'Compare with a copy (B)') :
      h('button', {
        type: 'button',
        class: 'quiet',
        id: 'remove-b',
        click: () => {
          this.#lab.removeB();
        },
      }, 'Remove B'));
  }

  #addB(): void {
    const variant = this.#lab.addB(this.#lab.a.text.value);
    this.#lab.chosen.value = variant;
    variant.run();
  }

  #edit(text: string): void {
    const variant = this.#lab.chosen.value;
    variant.text.value = text;
    this.#lab.statedHash.value = '';
    void variant.check();
  }

  #changeValue(path: Path, value: Json | undefined): void {
    const variant = this.#lab.chosen.value;
    const scenario = parseJson(variant.text.value);
    if (scenario === undefined) return;
    const before = path[0] === 'algorithms' && path[2] === 'preset' ?
      withValue(withValue(scenario, [...path.slice(0, 2), 'parameters'], undefined), [...path.slice(0, 2), 'set'],
        undefined) :
      scenario;
    variant.text.value = toText(withValue(before, path, value));
    this.#lab.statedHash.value = '';
    if (this.#lab.isLive.value && isFast(variant)) this.#runSoon();
    else void variant.check();
  }

  /** One run at a time: what the slider came to meanwhile is run next. */
  #runWhenFree(): void {
    const variant = this.#lab.chosen.value;
    this.#isWaiting = variant.client.state.value === 'running';
    if (!this.#isWaiting) variant.run();
  }

  #makeGallery(): HTMLElement {
    const list = h('ul', { class: 'gallery' }, ...GALLERY.map((item) =>
      h('li', {}, h('button', {
        type: 'button',
        'data-item': item.id,
        click: () => {
          details.open = !matchMedia('(max-width: 760px)').matches && details.open;
          this.choose(item);
        },
      }, h('strong', {}, item.title), h('span', {}, item.about)))
    ));
    const details = h('details', { class: 'gallery-box', open: !matchMedia('(max-width: 760px)').matches },
      h('summary', {}, 'Gallery'), list);
    return details;
  }

  choose({ a, b }: GalleryItem): void {
    const lab = this.#lab;
    lab.statedHash.value = '';
    lab.chosen.value = lab.a;
    lab.look(FIRST_VIEW);
    lab.a.begin(a);
    if (b === undefined) lab.removeB();
    else lab.addB(b);
    lab.run();
  }
}

/** Whether the last run was short enough to be repeated while a slider moves. */
function isFast({ client }: Variant): boolean {
  const outcome = client.data.value?.outcome;
  return outcome === undefined || outcome.events <= LIVE_MAX_EVENTS;
}

function scenarioAbout(text: string): string {
  const scenario = parseJson(text);
  if (typeof scenario !== 'object' || scenario === null || Array.isArray(scenario)) return '';
  const { description } = scenario as { readonly description?: unknown };
  return typeof description === 'string' ? pageText(description) : '';
}
