/** The scenario as a form: sections of fields, made of the schema and of the parameters in force. */
import type { AlgorithmFacts, ParameterFacts, Rejection, ScenarioFacts } from '../../protocol/run-protocol.js';
import { h } from '../../../src/charts/dom.js';
import { inNextFrame } from '../../../src/charts/frame-queue.js';
import { wordsOfKey } from '../../../src/charts/units.js';
import { kindsOf, withKind, type Part } from './kinds.js';
import { EMPTY_SPEC, parameterSpec } from './parameter-spec.js';
import { isChangeable, type Fork } from './fork.js';
import { parametersByPlace, sourceOf } from './parameter-notes.js';
import { fieldRow, type FieldRow, type FieldSpec, type FieldValue } from './rows.js';
import { pathText, valueAt, type Json, type Path } from './scenario-edit.js';
import { defaultIn, fieldSpec, ofKind, placesIn, type Place, type Schema } from './schema-fields.js';

/** @param value undefined takes the key away. */
export type ChangeValue = (path: Path, value: Json | undefined) => void;

interface Shown {
  readonly path: Path;
  readonly row: FieldRow;
  readonly valueOf: (scenario: Json) => FieldValue | undefined;
}

/** @returns undefined where nothing of it can be set. */
type Section = (scenario: Json) => HTMLElement | undefined;

export class Form {
  readonly element = h('div', { class: 'form' });
  readonly #schema: Schema;
  readonly #presets: readonly string[];
  readonly #change: ChangeValue;
  readonly #onReady: () => void;
  #rows: Shown[] = [];
  /** Defaults that are shown, with what they are by the scenario. */
  #defaults: (readonly [FieldValue | undefined, Place])[] = [];
  #structure = '';
  /** Builds so far: what is left of an older one is dropped. */
  #build = 0;
  /** Whether the sections on the page are of an earlier build. */
  #isAwaited = false;
  /** Whether the reader is typing a number or moves a slider: a build would remove the field from under the hand. */
  #isHeld = false;
  /** The initial experiment. */
  #start: Json | undefined;
  #scenario: Json = null;
  /** Key that the reader has changed last. */
  #changed = '';
  /** Sections that the reader has opened or closed. */
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
   * @param owner whose scenario it is; another one is built again.
   * @param fork whose values are edited: other rows are hidden.
   * @param start what the experiment began with: keys are marked where they differ from it.
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

  /** Of a fork only what it can change, marked where it does. */
  #showFork(fork: Fork | undefined): void {
    for (const { path, row } of this.#rows) {
      row.element.hidden = fork !== undefined && !isChangeable(pathText(path));
      if (fork !== undefined) row.markSet(pathText(path) in fork.set);
    }
    for (const details of this.element.querySelectorAll('details'))
      details.hidden = [...details.querySelectorAll<HTMLElement>('.row')].every(({ hidden }) => hidden);
  }

  /**
   * At the row that the reader has just changed, where it is about that part of the scenario; else at the row of its key.
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

  /** One section after the other, each instead of an earlier one, in as many frames as they need: all at once would hold the page up. */
  #rebuild(scenario: Json, facts: ScenarioFacts | undefined): void {
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.#rows = [];
    this.#defaults = [];
    this.#isAwaited = true;
    const build = ++this.#build;
    const isWanted = (): boolean => build === this.#build;
    let count = 0;
    for (const section of this.#sections(scenario, facts)) {
      inNextFrame(() => {
        const element = section(this.#scenario);
        if (element === undefined) return;
        const old = this.element.children[count++];
        if (old === undefined) this.element.append(element);
        else old.replaceWith(element);
      }, { isWanted });
    }
    inNextFrame(() => {
      for (const old of [...this.element.children].slice(count)) old.remove();
      this.#isAwaited = false;
      if (focused !== undefined && document.activeElement === document.body) document.getElementById(focused)?.focus();
      this.#onReady();
    }, { isWanted });
  }

  #sections(built: Json, facts: ScenarioFacts | undefined): Section[] {
    const { properties = {} } = this.#schema;
    const workloads = workloadPaths(built);
    return [
      (scenario) =>
        this.#section('Marking and Fast CNP', true, scenario, [
          ...placesUnder(properties['switches'], 'ecn', ['kminKB', 'kmaxKB', 'pmax', 'markAt', 'enabled']),
          ...placesUnder(properties['switches'], 'fastCnp', ['enabled', 'option', 'flowRatePerSecond']),
        ]),
      ...(facts?.algorithms ?? []).flatMap((algorithm) => this.#algorithmSections(algorithm)),
      ...workloads.map((at, index): Section => (scenario) =>
        this.#kindSection('workload', workloads.length > 1 ? `Workload ${index + 1}` : 'Workload', at, scenario)
      ),
      (scenario) => {
        const at = { path: ['topology'], kind: kindAt(built, ['topology']) };
        return this.#kindSection('topology', 'Topology', at, scenario);
      },
      (scenario) =>
        this.#section('Switches', false, scenario,
          placesIn(properties['switches'] ?? {}, ['switches'], ['watchdog', 'drill', 'conga'])),
      (scenario) => this.#section('Hosts', false, scenario, placesIn(properties['hosts'] ?? {}, ['hosts'], ['irn'])),
      (scenario) =>
        this.#section('Run', false, scenario, [
          ...placesIn({ properties: runProperties(properties) }, []),
          ...placesIn({ properties: pick(properties['record']?.properties ?? {}, ['intervalUs', 'maxSamples']) }, [
            'record',
          ]),
        ]),
    ];
  }

  #section(title: string, opens: boolean, scenario: Json, places: readonly Place[]): HTMLElement | undefined {
    if (places.length === 0) return undefined;
    return this.#details(title, opens, ...this.#placeRows(places, scenario));
  }

  #placeRows(places: readonly Place[], scenario: Json): HTMLElement[] {
    return places.map((place) => {
      const spec = labelOf(place, scenario);
      if (!place.isRequired) this.#defaults.push([spec.fallback, place]);
      const start = asField(valueAt(this.#start, place.path));
      const fallback = place.isRequired ? start : spec.fallback;
      return this.#row(place.path, { ...spec, fallback, start }, (from) => asField(valueAt(from, place.path)),
        scenario);
    });
  }

  /** Topology or workload: its kind, and the fields of that kind. */
  #kindSection(part: Part, title: string, { path, kind }: KindAt, scenario: Json): HTMLElement {
    const schema = this.#schema.properties?.[part];
    const kindPath = [...path, 'kind'];
    const ofThis = ofKind(schema, kind);
    const row = fieldRow({
      ...EMPTY_SPEC,
      path: pathText(kindPath),
      label: 'Kind',
      kind: 'choice',
      choices: kindsOf(part, kind),
      fallback: asField(valueAt(this.#start, kindPath)),
      start: asField(valueAt(this.#start, kindPath)),
      hint: `${ofThis?.description ?? ''} Kinds that need lists or files: in the JSON.`.trim(),
      isOptional: false,
    }, kind, (value) => {
      this.#change(path, withKind(schema, part, valueAt(this.#scenario, path), String(value)));
    });
    this.#rows.push({ path: kindPath, row, valueOf: (from) => asField(valueAt(from, kindPath)) });
    const places = placesIn(ofThis ?? {}, path, ['uplink', 'bottleneck', 'wan']);
    const opens = part === 'workload';
    return this.#keptDetails(title, `${title}: ${kind}`, opens, [row.element, ...this.#placeRows(places, scenario)]);
  }

  #details(title: string, opens: boolean, ...content: readonly HTMLElement[]): HTMLElement {
    return this.#keptDetails(title, title, opens, content);
  }

  /** @param key under which it is kept whether the reader has it open. */
  #keptDetails(key: string, title: string, opens: boolean, content: readonly HTMLElement[]): HTMLElement {
    // By the click: the toggle event comes later, and the form may have been made again by then.
    const click = (): void => {
      this.#isOpen.set(key, !details.open);
    };
    const details = h('details', { open: this.#isOpen.get(key) ?? opens }, h('summary', { click }, title), ...content);
    return details;
  }

  /** The main parameters; then, in a later frame, the others below them. */
  #algorithmSections(algorithm: AlgorithmFacts): Section[] {
    const name = algorithm.name === '' ? 'default' : algorithm.name;
    const rows = (parameters: readonly ParameterFacts[], scenario: Json): HTMLElement[] =>
      parameters.map((parameter) => {
        const path = ['algorithms', name, 'parameters', parameter.name];
        const spec = { ...parameterSpec(algorithm, parameter, path), start: asField(valueAt(this.#start, path)) };
        return this.#row(path, spec, (from) => asField(valueAt(from, path)), scenario);
      });
    const { main, others } = parametersByPlace(algorithm);
    let details: HTMLElement | undefined;
    return [
      (scenario) => {
        details = this.#details(algorithmTitle(algorithm), true, this.#presetRow(name, algorithm, scenario),
          ...rows(main, scenario));
        return details;
      },
      (scenario) => {
        details?.append(this.#details(`${others.length} more parameters`, false, ...rows(others, scenario)));
        return undefined;
      },
    ];
  }

  #presetRow(name: string, { preset }: AlgorithmFacts, scenario: Json): HTMLElement {
    const path = ['algorithms', name, 'preset'];
    return this.#row(path, {
      ...EMPTY_SPEC,
      path: pathText(path),
      label: 'Preset',
      kind: 'choice',
      choices: this.#presets,
      fallback: preset,
      start: asField(valueAt(this.#start, path)),
      hint: sourceOf(preset),
      isOptional: false,
    }, () => preset, scenario);
  }

  #row(path: Path, spec: FieldSpec, valueOf: Shown['valueOf'], scenario: Json): HTMLElement {
    const row = fieldRow(spec, valueOf(scenario), (value) => {
      this.#change(path, value);
    });
    this.#rows.push({ path, row, valueOf });
    return row.element;
  }
}

function algorithmTitle({ name, algorithm }: AlgorithmFacts): string {
  return `Algorithm: ${algorithm}${name === '' || name === algorithm ? '' : ` (${name})`}`;
}

function labelOf(place: Place, scenario: Json): FieldSpec {
  const spec = fieldSpec(place, scenario);
  const parent = place.path[place.path.length - 2];
  if (typeof parent !== 'string' || place.path.length < 3) return spec;
  return { ...spec, label: `${wordsOfKey(parent)}: ${spec.label}` };
}

function placesUnder(schema: Schema | undefined, key: string, keys: readonly string[]): Place[] {
  const inner = schema?.properties?.[key]?.properties ?? {};
  return placesIn({ properties: pick(inner, keys) }, ['switches', key]);
}

/** The simulator of the lab does not have its kernel. */
const NOT_IN_LAB = 'reference-uet';

function runProperties(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const { fidelity = {}, ...others } = pick(properties, ['fidelity', 'seed', 'durationUs', 'end']);
  const enumInLab = fidelity.enum?.filter((one) => one !== NOT_IN_LAB);
  return { fidelity: { ...fidelity, ...(enumInLab && { enum: enumInLab }) }, ...others };
}

function pick(properties: Readonly<Record<string, Schema>>, keys: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(keys.flatMap((key) => (properties[key] === undefined ? [] : [[key, properties[key]]])));
}

interface KindAt {
  readonly path: Path;
  readonly kind: string;
}

function workloadPaths(scenario: Json): KindAt[] {
  const workload = valueAt(scenario, ['workload']);
  const paths: Path[] = Array.isArray(workload) ? workload.map((_, index) => ['workload', index]) : [['workload']];
  return paths.map((path) => ({ path, kind: kindAt(scenario, path) }));
}

function kindAt(scenario: Json, path: Path): string {
  const kind = valueAt(scenario, [...path, 'kind']);
  return typeof kind === 'string' ? kind : '';
}

function kindsIn(scenario: Json): unknown {
  return [valueAt(scenario, ['topology', 'kind']), ...workloadPaths(scenario).map(({ kind }) => kind)];
}

const shapeOf = ({ name, preset, parameters }: AlgorithmFacts): unknown => [
  name,
  preset,
  parameters.map((parameter) => [parameter.name, parameter.presetValue]),
];

function asField(value: Json | undefined): FieldValue | undefined {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}
