/** The scenario as a form: builds the rows of its sections, a few per frame, and shows values, rejections and forks in them. */
import type { AlgorithmFacts, Rejection, ScenarioFacts } from '../../protocol/run-protocol.js';
import { h, inNextFrame } from '../../../src/view/charts/dom.js';
import { isChangeable, type Fork } from './fork.js';
import { fieldRow, type FieldRow, type FieldValue } from './rows.js';
import { pathText, type Json, type Path } from './scenario-edit.js';
import { defaultIn, type Place, type Schema } from './schema-fields.js';
import { kindsIn, sectionsOf, type RowPlan, type SectionPlan } from './sections.js';

/** @param value undefined removes the key. */
export type ChangeValue = (path: Path, value: Json | undefined) => void;

interface Shown {
  readonly path: Path;
  readonly row: FieldRow;
  readonly valueOf: RowPlan['valueOf'];
}

export class Form {
  readonly element = h('div', { class: 'form' });
  readonly #schema: Schema;
  readonly #presets: readonly string[];
  readonly #change: ChangeValue;
  readonly #onReady: () => void;
  #rows: Shown[] = [];
  /** Defaults that are shown, each with its place in the schema, to detect when the scenario changes them. */
  #defaults: (readonly [FieldValue | undefined, Place])[] = [];
  #structure = '';
  /** Number of builds so far; unfinished work of an older one is dropped. */
  #build = 0;
  /** Whether the sections on the page are still those of an earlier build. */
  #isAwaited = false;
  /** Whether the user is editing a field, which a rebuild would remove from under their hand. */
  #isHeld = false;
  /** The scenario that the experiment began with. */
  #start: Json | undefined;
  #scenario: Json = null;
  /** Key that the user changed last. */
  #changed = '';
  /** Whether the user has opened or closed a section, by key. */
  readonly #isOpen = new Map<string, boolean>();

  /**
   * @param onReady is called when all rows of another structure are there, as those built last have not been shown yet, and
   *   when the reader lets go of a field, as builds waited for that.
   */
  constructor(schema: Schema, presets: readonly string[], change: ChangeValue, onReady: () => void) {
    this.#onReady = onReady;
    this.#schema = schema;
    this.#presets = presets;
    this.#change = (path, value) => {
      this.#changed = pathText(path);
      change(path, value);
    };
    for (const begin of ['focusin', 'input'] as const) {
      this.element.addEventListener(begin, ({ target }) => {
        if (target instanceof HTMLInputElement && target.type === 'number') this.#holdBuilds();
      });
    }
    this.element.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === 'range') this.#holdBuilds();
    });
    const release = (): void => {
      if (!this.#isHeld) return;
      this.#isHeld = false;
      onReady();
    };
    for (const end of ['change', 'focusout'] as const) this.element.addEventListener(end, release);
    for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, release);
  }

  #holdBuilds(): void {
    this.#isHeld = true;
    if (!this.#isAwaited) return;
    this.#build++;
    this.#structure = '';
  }

  /**
   * @param owner variant of the scenario; the form is rebuilt for another one.
   * @param fork to edit; rows that it can't change are hidden.
   * @param start the initial scenario; keys that differ from it are marked.
   */
  show(owner: string, scenario: Json, facts: ScenarioFacts | undefined, start: Json | undefined, fork?: Fork): void {
    this.#start = start;
    this.#scenario = scenario;
    const structure = JSON.stringify([owner, kindsIn(scenario), facts?.algorithms.map(shapeOf), start ?? '']);
    const isAsBuilt = this.#defaults.every(([value, place]) => value === defaultIn(scenario, place));
    if ((structure !== this.#structure || !isAsBuilt) && !this.#isHeld) {
      this.#rebuild(scenario, facts);
      this.#structure = structure;
    }
    for (const { row, valueOf } of this.#rows) row.show(valueOf(scenario));
    this.#showFork(fork);
  }

  /** For a fork, shows only rows that it can change, and marks those that it does. */
  #showFork(fork: Fork | undefined): void {
    for (const { path, row } of this.#rows) {
      row.element.hidden = fork !== undefined && !isChangeable(pathText(path));
      if (fork !== undefined) row.markSet(pathText(path) in fork.set);
    }
    for (const details of this.element.querySelectorAll('details'))
      details.hidden = [...details.querySelectorAll<HTMLElement>('.row')].every(({ hidden }) => hidden);
  }

  /**
   * Shows a rejection at the row that the user just changed, if it concerns that part of the scenario, otherwise at the
   * row of its key.
   *
   * @returns whether there is such a row.
   */
  showRejection(rejection: Rejection | undefined): boolean {
    const parent = (path: string): string => path.slice(0, path.lastIndexOf('.'));
    const where = rejection?.where ?? '';
    const isOfChange = this.#changed !== '' && parent(this.#changed) === parent(where);
    const faulty = isOfChange ? this.#changed : where;
    let isShown = false;
    for (const { path, row } of this.#rows) {
      const isHere = rejection !== undefined && pathText(path) === faulty;
      row.showFault(isHere ? `Invalid: ${rejection.message} Showing the last valid run.` : '');
      isShown ||= isHere;
    }
    return isShown;
  }

  /**
   * Builds rows over as many frames as needed, since all at once would block the page. A section replaces that of the
   * same key when all its rows are built.
   */
  #rebuild(scenario: Json, facts: ScenarioFacts | undefined): void {
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.#rows = [];
    this.#defaults = [];
    this.#isAwaited = true;
    const build = ++this.#build;
    const isWanted = (): boolean => build === this.#build;
    const sections = sectionsOf({ schema: this.#schema, presets: this.#presets, scenario, facts, start: this.#start });
    for (const [index, section] of sections.entries()) {
      const finished = this.#buildRows(section, isWanted);
      inNextFrame(() => {
        const element = finished();
        const old = [...this.element.children].slice(index).find((other) => sectionKey(other) === section.key);
        this.element.insertBefore(element, this.element.children[index] ?? null);
        old?.remove();
      }, { isWanted });
    }
    inNextFrame(() => {
      for (const old of [...this.element.children].slice(sections.length)) old.remove();
      this.#isAwaited = false;
      if (focused !== undefined && document.activeElement === document.body) document.getElementById(focused)?.focus();
      this.#onReady();
    }, { isWanted });
  }

  /** @returns function that makes the section from the rows, which the next frames build. */
  #buildRows(section: SectionPlan, isWanted: () => boolean): () => HTMLElement {
    const rows: HTMLElement[] = [];
    for (const plan of section.rows) {
      inNextFrame(() => {
        rows.push(this.#row(plan));
      }, { isWanted });
    }
    const inner = section.inner && this.#buildRows(section.inner, isWanted);
    return () => this.#details(section, ...rows, ...(inner === undefined ? [] : [inner()]));
  }

  #details({ key, title, opens }: SectionPlan, ...content: readonly HTMLElement[]): HTMLElement {
    // Not the toggle event: it fires later, when the form may already have been rebuilt.
    const click = (): void => {
      this.#isOpen.set(key, !details.open);
    };
    const open = this.#isOpen.get(key) ?? opens;
    const details = h('details', { open, 'data-section': key }, h('summary', { click }, title), ...content);
    return details;
  }

  #row({ path, spec, valueOf, place, change }: RowPlan): HTMLElement {
    const now = spec(this.#scenario);
    if (place !== undefined && !place.isRequired) this.#defaults.push([now.fallback, place]);
    const row = fieldRow(now, valueOf(this.#scenario), (value) => {
      if (change === undefined) this.#change(path, value);
      else {
        const { path: at, value: next } = change(this.#scenario, value);
        this.#change(at, next);
      }
    });
    this.#rows.push({ path, row, valueOf });
    return row.element;
  }
}

const sectionKey = (element: Element): string | null => element.getAttribute('data-section');

const shapeOf = ({ name, preset, parameters }: AlgorithmFacts): unknown => [
  name,
  preset,
  parameters.map((parameter) => [parameter.name, parameter.presetValue]),
];
