/** Plans the form's sections and rows from the schema, the scenario's kinds and the parameters of its algorithms. */
import type { AlgorithmFacts, ParameterFacts, ScenarioFacts } from '../../protocol/run-protocol.js';
import { wordsOfKey } from '../../../src/view/format.js';
import { kindsOf, withKind, type Part } from './kinds.js';
import { parametersByPlace, sourceOf } from './parameter-notes.js';
import { EMPTY_SPEC, parameterSpec } from './parameter-spec.js';
import type { FieldSpec, FieldValue } from './rows.js';
import { pathText, valueAt, type Json, type Path } from './scenario-edit.js';
import { fieldSpec, ofKind, placesIn, type Place, type Schema } from './schema-fields.js';

export interface RowPlan {
  readonly path: Path;
  readonly spec: (scenario: Json) => FieldSpec;
  readonly valueOf: (scenario: Json) => FieldValue | undefined;
  /** Place in the schema of the default, which other settings can change. */
  readonly place?: Place;
  /** The change that a chosen value makes. Default: sets the value at the path. */
  readonly change?: (scenario: Json, value: FieldValue | undefined) => { readonly path: Path; readonly value: Json };
}

export interface SectionPlan {
  readonly title: string;
  /** Key under which its open or closed state is remembered. */
  readonly key: string;
  readonly opens: boolean;
  readonly rows: readonly RowPlan[];
  /** A closed section below the rows. */
  readonly inner?: SectionPlan;
}

export interface FormContent {
  readonly schema: Schema;
  readonly presets: readonly string[];
  readonly scenario: Json;
  readonly facts: ScenarioFacts | undefined;
  /** The scenario that the experiment began with. */
  readonly start: Json | undefined;
}

export function sectionsOf(content: FormContent): SectionPlan[] {
  const { schema: { properties = {} }, scenario, facts, start } = content;
  const workloads = workloadPaths(scenario);
  const section = (title: string, opens: boolean, places: readonly Place[]): SectionPlan => ({
    title,
    key: title,
    opens,
    rows: placeRows(places, start),
  });
  return [
    section('Marking and Fast CNP', true, [
      ...placesUnder(properties['switches'], 'ecn', ['kminKB', 'kmaxKB', 'pmax', 'markAt', 'enabled']),
      ...placesUnder(properties['switches'], 'fastCnp', ['enabled', 'option', 'flowRatePerSecond']),
    ]),
    ...(facts?.algorithms ?? []).map((algorithm) => algorithmSection(algorithm, content)),
    ...workloads.map((at, index) =>
      kindSection('workload', workloads.length > 1 ? `Workload ${index + 1}` : 'Workload', at, content)
    ),
    kindSection('topology', 'Topology', { path: ['topology'], kind: kindAt(scenario, ['topology']) }, content),
    section('Switches', false, placesIn(properties['switches'] ?? {}, ['switches'], ['watchdog', 'drill', 'conga'])),
    section('Hosts', false, placesIn(properties['hosts'] ?? {}, ['hosts'], ['irn'])),
    section('Run', false, [
      ...placesIn({ properties: runProperties(properties) }, []),
      ...placesIn({ properties: pick(properties['record']?.properties ?? {}, ['intervalUs', 'maxSamples']) }, [
        'record',
      ]),
    ]),
  ].filter(({ rows }) => rows.length > 0);
}

/** A value that is equal for scenarios with the same sections and rows. */
export function kindsIn(scenario: Json): unknown {
  return [valueAt(scenario, ['topology', 'kind']), ...workloadPaths(scenario).map(({ kind }) => kind)];
}

function placeRows(places: readonly Place[], start: Json | undefined): RowPlan[] {
  return places.map((place) => ({
    path: place.path,
    place,
    spec: (scenario) => {
      const spec = labelOf(place, scenario);
      const started = fieldAt(start, place.path);
      return { ...spec, fallback: place.isRequired ? started : spec.fallback, start: started };
    },
    valueOf: (scenario) => fieldAt(scenario, place.path),
  }));
}

/** The section of a topology or workload: its kind, and the fields of that kind. */
function kindSection(part: Part, title: string, { path, kind }: KindAt, content: FormContent): SectionPlan {
  const schema = content.schema.properties?.[part];
  const kindPath = [...path, 'kind'];
  const ofThis = ofKind(schema, kind);
  const start = fieldAt(content.start, kindPath);
  const kindRow: RowPlan = {
    path: kindPath,
    spec: () => ({
      ...EMPTY_SPEC,
      path: pathText(kindPath),
      label: 'Kind',
      kind: 'choice',
      choices: kindsOf(part, kind),
      fallback: start,
      start,
      hint: `${ofThis?.description ?? ''} Kinds that need lists or files: in the JSON.`.trim(),
      isOptional: false,
    }),
    valueOf: (scenario) => fieldAt(scenario, kindPath),
    change: (scenario, value) => ({ path, value: withKind(schema, part, valueAt(scenario, path), String(value)) }),
  };
  const places = placesIn(ofThis ?? {}, path, ['uplink', 'bottleneck', 'wan']);
  const rows = [kindRow, ...placeRows(places, content.start)];
  return { title: `${title}: ${kind}`, key: title, opens: part === 'workload', rows };
}

/** The section of an algorithm: main parameters, then the others in an inner section. */
function algorithmSection(algorithm: AlgorithmFacts, content: FormContent): SectionPlan {
  const name = algorithm.name === '' ? 'default' : algorithm.name;
  const rows = (parameters: readonly ParameterFacts[]): RowPlan[] =>
    parameters.map((parameter) => {
      const path = ['algorithms', name, 'parameters', parameter.name];
      return {
        path,
        spec: () => ({ ...parameterSpec(algorithm, parameter, path), start: fieldAt(content.start, path) }),
        valueOf: (scenario) => fieldAt(scenario, path),
      };
    });
  const { main, others } = parametersByPlace(algorithm);
  const title = algorithmTitle(algorithm);
  const more = `${others.length} more parameters`;
  return {
    title,
    key: title,
    opens: true,
    rows: [presetRow(name, algorithm, content), ...rows(main)],
    inner: { title: more, key: more, opens: false, rows: rows(others) },
  };
}

function presetRow(name: string, { preset }: AlgorithmFacts, { presets, start }: FormContent): RowPlan {
  const path = ['algorithms', name, 'preset'];
  return {
    path,
    spec: () => ({
      ...EMPTY_SPEC,
      path: pathText(path),
      label: 'Preset',
      kind: 'choice',
      choices: presets,
      fallback: preset,
      start: fieldAt(start, path),
      hint: sourceOf(preset),
      isOptional: false,
    }),
    valueOf: () => preset,
  };
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

/** A fidelity that the lab does not offer, as its build lacks that kernel. */
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

function fieldAt(scenario: Json | undefined, path: Path): FieldValue | undefined {
  const value = valueAt(scenario, path);
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}
