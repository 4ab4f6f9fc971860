/** The experiment panel on the left: gallery, variants, parameters, JSON. */
import { fill, h, oncePerFrame } from '../../../src/view/charts/dom.js';
import { AlgorithmTab } from '../algorithm-tab.js';
import { workloadOpener } from '../workload/opener.js';
import { GALLERY, type GalleryItem } from '../gallery.js';
import { FIRST_VIEW, type Lab } from '../lab.js';
import type { Variant } from '../variant.js';
import { Editor } from './editor.js';
import { explained } from './rejection-words.js';
import { ForkBanner, ForkBar } from './fork-bar.js';
import { forkOf, inForce, rowOf, withFork, withForkTime, withForkValue } from './fork.js';
import { Form } from './form.js';
import { parseJson, pathText, toText, withValue, type Json, type Path } from './scenario-edit.js';
import type { Schema } from './schema-fields.js';
import { tabs, type Tabs } from './tabs.js';

const ALGORITHM = 'Algorithm';

export class ExperimentPanel {
  readonly #lab: Lab;
  readonly #editor: Editor;
  #form: Form | undefined;
  readonly #rejection = h('p', { class: 'rejection', id: 'form-rejection', role: 'status' });
  readonly #fork = new ForkBar((atUs) => {
    this.#addFork(atUs);
  });
  readonly #forkBanner = new ForkBanner((atUs) => {
    this.#changeForkTime(atUs);
  });
  readonly #formHost = h('div', {}, this.#rejection, this.#forkBanner.element);
  readonly #variants = h('div', { class: 'variants', role: 'group', 'aria-label': 'Variants' });
  readonly #about = h('p', { class: 'about', id: 'about' });
  readonly #gallery: HTMLElement;
  readonly #tabs: Tabs;

  /**
   * Shows everything before the next frame, as moving a slider changes text, facts and rejection one after the other.
   */
  readonly #showSoon = oncePerFrame(() => {
    this.#show();
  });

  constructor(lab: Lab, host: HTMLElement) {
    this.#lab = lab;
    this.#editor = new Editor((text) => {
      this.#edit(text);
    });
    this.#gallery = this.#makeGallery();
    const json = h('div', {}, this.#editor.element);
    const algorithm = new AlgorithmTab(lab);
    this.#tabs = tabs('Experiment as', [['Parameters', this.#formHost], ['JSON', json], [ALGORITHM, algorithm.element]],
      (title) => {
        document.body.dataset.experiment = title.toLowerCase();
        if (title === ALGORITHM) algorithm.open();
      });
    host.append(this.#gallery, workloadOpener(lab), this.#variants, this.#about, this.#tabs.element);
    for (const signal of [lab.chosen, lab.b]) signal.onChange(this.#showSoon);
    this.#watch(lab.a);
    lab.b.onChange((variant) => {
      if (variant !== undefined) this.#watch(variant);
    });
    void lab.a.client.schema().then(({ schema, presets }) => {
      this.#form = new Form(schema as Schema, presets, (path, value) => {
        this.#changeValue(path, value);
      }, this.#showSoon);
      this.#formHost.append(this.#form.element);
      this.#show();
    });
    const showInstant = (): void => {
      const { client: { data: { value: data } } } = lab.a;
      this.#fork.show(lab.view.value.timePs < 0 ? data?.reportedPs ?? -1 : lab.view.value.timePs);
    };
    lab.view.onChange(showInstant);
    lab.a.client.data.onChange(showInstant);
    this.#show();
  }

  #watch(variant: Variant): void {
    const show = (): void => {
      if (variant === this.#lab.chosen.value) this.#showSoon();
    };
    variant.text.onChange(show);
    variant.facts.onChange(show);
    variant.client.rejection.onChange(show);
  }

  #show(): void {
    this.#showItem();
    const { name, text, facts, client, startText } = this.#lab.chosen.value;
    this.#editor.show(text.value);
    const inJson = client.rejection.value && explained(client.rejection.value, text.value);
    this.#editor.showRejection(inJson);
    const rejection = inJson && { ...inJson, where: rowOf(inJson.where) };
    fill(this.#rejection, rejection?.message ?? '');
    document.body.classList.toggle('is-stale', rejection !== undefined && client.data.value !== undefined);
    const scenario = parseJson(text.value);
    const fork = forkOf(scenario);
    this.#forkBanner.show(fork, this.#lab.a.client.data.value?.outcome?.simulatedPs);
    if (scenario !== undefined) this.#form?.show(name, inForce(scenario), facts.value, parseJson(startText), fork);
    this.#rejection.hidden = this.#form?.showRejection(rejection) === true;
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
      }, 'Remove B'), b.value === undefined && this.#fork.element);
  }

  /** Makes B a fork of A: the same up to an instant, and from then on with settings that the user chooses. */
  #addFork(atUs: number): void {
    const scenario = parseJson(this.#lab.a.text.value);
    if (scenario === undefined) return;
    const variant = this.#lab.addB(toText(withFork(scenario, atUs)));
    this.#lab.chosen.value = variant;
    this.#tabs.choose('Parameters');
    variant.run();
  }

  #changeForkTime(atUs: number): void {
    const variant = this.#lab.chosen.value;
    const scenario = parseJson(variant.text.value);
    const fork = forkOf(scenario);
    if (scenario === undefined || fork === undefined) return;
    this.#changeText(variant, toText(withForkTime(scenario, fork, atUs)));
  }

  #changeText(variant: Variant, text: string): void {
    variant.text.value = text;
    this.#lab.statedHash.value = '';
    if (this.#lab.isLive.value && variant.isFast) variant.runSoon();
    else void variant.check();
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
    variant.keepBefore(pathText(path));
    const fork = forkOf(scenario);
    if (fork !== undefined) {
      this.#changeText(variant, toText(withForkValue(scenario, fork, pathText(path), value)));
      return;
    }
    const before = path[0] === 'algorithms' && path[2] === 'preset' ?
      withValue(withValue(scenario, [...path.slice(0, 2), 'parameters'], undefined), [...path.slice(0, 2), 'set'],
        undefined) :
      scenario;
    this.#changeText(variant, toText(withValue(before, path, value)));
  }

  showAlgorithm(): void {
    this.#tabs.choose(ALGORITHM);
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

  /** Marks the item of the gallery that the experiment began with. */
  #showItem(): void {
    const current = itemOf(this.#lab);
    for (const button of this.#gallery.querySelectorAll('button')) {
      if (button.dataset.item === current?.id) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  choose({ a, b }: GalleryItem): void {
    const lab = this.#lab;
    lab.statedHash.value = '';
    lab.chosen.value = lab.a;
    lab.show(FIRST_VIEW);
    lab.a.begin(a);
    if (b !== undefined) {
      lab.dropCode();
      lab.addB(b);
    } else if (lab.code.value === undefined) lab.removeB();
    lab.run();
    this.#showItem();
  }
}

/** The gallery item that the experiment began with; undefined if it came from elsewhere. */
function itemOf({ a, b }: Lab): GalleryItem | undefined {
  const ofA = GALLERY.filter((item) => item.a === a.startText);
  return ofA.find((item) => item.b === b.value?.startText) ?? ofA.find((item) => item.b === undefined);
}

function scenarioAbout(text: string): string {
  const scenario = parseJson(text);
  if (typeof scenario !== 'object' || scenario === null || Array.isArray(scenario)) return '';
  const { description } = scenario as { readonly description?: unknown };
  return typeof description === 'string' ? description : '';
}
