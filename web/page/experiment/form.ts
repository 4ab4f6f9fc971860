/** The scenario as a form: sections of fields, made of the schema and of the parameters in force. */
import type { AlgorithmFacts, ParameterFacts, ScenarioFacts } from '../../shared/protocol.js';
import { fill, h } from '../dom.js';
import { shortNumber, unitOfKey, wordsOfKey } from '../units.js';
import { isMainParameter, sourceOf, vendorName } from './parameter-notes.js';
import { fieldRow, type FieldRow, type FieldSpec, type FieldValue } from './rows.js';
import { pathText, valueAt, type Json, type Path } from './scenario-edit.js';
import { fieldSpec, ofKind, placesIn, type Place, type Schema } from './schema-fields.js';

/** @param value undefined takes the key away. */
export type ChangeValue = (path: Path, value: FieldValue | undefined) => void;

interface Shown {
  readonly path: Path;
  readonly row: FieldRow;
  readonly valueOf: (scenario: Json) => FieldValue | undefined;
}

export class Form {
  readonly element = h('div', { class: 'form' });
  readonly #schema: Schema;
  readonly #presets: readonly string[];
  readonly #change: ChangeValue;
  #rows: Shown[] = [];
  #structure = '';
  /** Sections that the reader has opened or closed. */
  readonly #isOpen = new Map<string, boolean>();

  constructor(schema: Schema, presets: readonly string[], change: ChangeValue) {
    this.#schema = schema;
    this.#presets = presets;
    this.#change = change;
  }

  /** @param owner whose scenario it is; another one is built anew. */
  show(owner: string, scenario: Json, facts: ScenarioFacts | undefined): void {
    const structure = JSON.stringify([owner, kindsOf(scenario), facts?.algorithms.map(shapeOf)]);
    if (structure !== this.#structure) this.#build(scenario, facts);
    this.#structure = structure;
    for (const { row, valueOf } of this.#rows) row.show(valueOf(scenario));
  }

  #build(scenario: Json, facts: ScenarioFacts | undefined): void {
    this.#rows = [];
    const { properties = {} } = this.#schema;
    const workloads = workloadPaths(scenario);
    fill(this.element, ...(facts?.algorithms ?? []).map((algorithm) => this.#algorithmSection(scenario, algorithm)),
      this.#section('Marking and Fast CNP', true, scenario, [
        ...placesUnder(properties['switches'], 'ecn', ['kminKB', 'kmaxKB', 'pmax', 'markAt', 'enabled']),
        ...placesUnder(properties['switches'], 'fastCnp', ['enabled', 'option', 'flowRatePerSecond']),
      ]),
      ...workloads.map(({ path, kind }, index) =>
        this.#section(workloads.length > 1 ? `Workload ${index + 1}: ${kind}` : `Workload: ${kind}`, index === 0,
          scenario, placesIn(ofKind(properties['workload'], kind) ?? {}, path))
      ),
      this.#section(`Topology: ${kindAt(scenario, ['topology'])}`, false, scenario,
        placesIn(ofKind(properties['topology'], kindAt(scenario, ['topology'])) ?? {}, ['topology'], [
          'uplink',
          'bottleneck',
          'wan',
        ])),
      this.#section('Switches', false, scenario,
        placesIn(properties['switches'] ?? {}, ['switches'], ['watchdog', 'drill', 'conga'])),
      this.#section('Hosts', false, scenario, placesIn(properties['hosts'] ?? {}, ['hosts'], ['irn'])),
      this.#section('Run', false, scenario, [
        ...placesIn({ properties: pick(properties, ['fidelity', 'seed', 'durationUs', 'end']) }, []),
        ...placesIn({ properties: pick(properties['record']?.properties ?? {}, ['intervalUs', 'maxSamples']) }, [
          'record',
        ]),
      ]));
  }

  #section(title: string, opens: boolean, scenario: Json, places: readonly Place[]): HTMLElement | undefined {
    if (places.length === 0) return undefined;
    const rows = places.map((place) => {
      const labelled = labelOf(place);
      return this.#row(place.path, labelled, (from) => asField(valueAt(from, place.path)), scenario);
    });
    return this.#details(title, opens, ...rows);
  }

  #details(title: string, opens: boolean, ...content: readonly HTMLElement[]): HTMLElement {
    const details = h('details', { open: this.#isOpen.get(title) ?? opens }, h('summary', {}, title), ...content);
    details.addEventListener('toggle', () => {
      this.#isOpen.set(title, details.open);
    });
    return details;
  }

  #algorithmSection(scenario: Json, algorithm: AlgorithmFacts): HTMLElement {
    const name = algorithm.name === '' ? 'default' : algorithm.name;
    const preset = this.#row(['algorithms', name, 'preset'], {
      ...EMPTY_SPEC,
      path: `algorithms.${name}.preset`,
      label: 'Preset',
      kind: 'choice',
      choices: this.#presets,
      fallback: algorithm.preset,
      hint: sourceOf(algorithm.preset),
      isOptional: false,
    }, () => algorithm.preset, scenario);
    const row = (parameter: ParameterFacts): HTMLElement => {
      const path = ['algorithms', name, 'parameters', parameter.name];
      return this.#row(path, parameterSpec(algorithm, parameter, path), (from) => asField(valueAt(from, path)),
        scenario);
    };
    const main = algorithm.parameters.filter((parameter) => isMainParameter(parameter.name));
    const others = algorithm.parameters.filter((parameter) => !isMainParameter(parameter.name));
    const title = `Algorithm: ${algorithm.name === '' ? algorithm.algorithm : algorithm.name}`;
    return this.#details(title, true, preset, ...main.map(row),
      this.#details(`${others.length} more parameters`, false, ...others.map(row)));
  }

  #row(path: Path, spec: FieldSpec, valueOf: Shown['valueOf'], scenario: Json): HTMLElement {
    const row = fieldRow(spec, valueOf(scenario), (value) => {
      this.#change(path, value);
    });
    this.#rows.push({ path, row, valueOf });
    return row.element;
  }
}

const EMPTY_SPEC: FieldSpec = {
  path: '',
  label: '',
  unit: { name: '', size: 1 },
  kind: 'number',
  choices: [],
  min: -Infinity,
  max: Infinity,
  isWhole: false,
  fallback: undefined,
  hint: '',
  vendor: '',
  isOptional: true,
};

/** Ends that say nothing to a reader. */
const SAID_MAX = 1e13;

function parameterSpec({ algorithm, preset }: AlgorithmFacts, parameter: ParameterFacts, path: Path): FieldSpec {
  const { name, choices, min, max, isWhole, presetValue } = parameter;
  const unit = unitOfKey(name);
  const isNumber = typeof presetValue === 'number' && !choices.includes(presetValue);
  const range = isNumber && max < SAID_MAX ?
    ` ${shortNumber(min / unit.size)} to ${shortNumber(max / unit.size)}.` :
    '';
  const shown = typeof presetValue === 'number' ? shortNumber(presetValue / unit.size) : String(presetValue);
  return {
    ...EMPTY_SPEC,
    path: pathText(path),
    label: wordsOfKey(name),
    unit,
    kind: typeof presetValue === 'boolean' ? 'flag' : isNumber ? 'number' : 'choice',
    choices,
    min,
    max,
    isWhole,
    fallback: presetValue,
    hint: `${`${shown} ${unit.name}`.trim()} in ${preset}.${range}`,
    vendor: vendorName(algorithm, name),
  };
}

function labelOf(place: Place): FieldSpec {
  const spec = fieldSpec(place);
  const parent = place.path[place.path.length - 2];
  if (typeof parent !== 'string' || place.path.length < 3) return spec;
  return { ...spec, label: `${wordsOfKey(parent)}: ${spec.label}` };
}

function placesUnder(schema: Schema | undefined, key: string, keys: readonly string[]): Place[] {
  const inner = schema?.properties?.[key]?.properties ?? {};
  return placesIn({ properties: pick(inner, keys) }, ['switches', key]);
}

function pick(properties: Readonly<Record<string, Schema>>, keys: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(keys.flatMap((key) => (properties[key] === undefined ? [] : [[key, properties[key]]])));
}

function workloadPaths(scenario: Json): { readonly path: Path; readonly kind: string }[] {
  const workload = valueAt(scenario, ['workload']);
  const paths: Path[] = Array.isArray(workload) ? workload.map((_, index) => ['workload', index]) : [['workload']];
  return paths.map((path) => ({ path, kind: kindAt(scenario, path) }));
}

function kindAt(scenario: Json, path: Path): string {
  const kind = valueAt(scenario, [...path, 'kind']);
  return typeof kind === 'string' ? kind : '';
}

function kindsOf(scenario: Json): unknown {
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
