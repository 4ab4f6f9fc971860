/**
 * Checks of a scenario against its schema: reports the first of the issues that zod finds, in the order of the file, as
 * an error with the path of the key, the value and the allowed values; rejects settings that the scenario's fidelity
 * does not have. The schema's `x-fidelities` lists the fidelities of a setting; default: all except `reference-uet`.
 * Checks that need more than the schema are in the features' own files.
 */
import type * as z from 'zod';
import { HAZARD_KINDS } from '../features/hazards/schema.js';
import { rejectScenario, rejectForeign } from './scenario-error.js';
import { allowedOf } from './schema-parts.js';
import { SPEC_SCHEMA } from './schema.js';
import type { Fidelity, ScenarioSpec } from './spec.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type Piece = z.core.$ZodTypes;

/**
 * Rejects a scenario for the first of its issues.
 * @throws RoceError `invalid-scenario`, always.
 */
export function rejectIssue(spec: unknown, issues: readonly Issue[]): never {
  const { issue, path } = deepest(issues[0], []);
  const allowed = allowedOf(issue.message);
  if (issue.code === 'unrecognized_keys') {
    const [field] = issue.keys;
    const keyPath = [...path, field];
    const got = valueAt(spec, keyPath);
    const problem = 'is not a known key';
    rejectScenario({ problem, got, allowed, where: placeOf(keyPath), field, settingFault: 'unknown-key' });
  }
  const got = valueAt(spec, path);
  const settingFault = got === undefined ? 'missing-key' : undefined;
  rejectScenario({ got, allowed, where: placeOf(path), settingFault });
}

/**
 * For a union, the issue of the branch that matched furthest, which is probably the intended one; if none matched at all, that
 * of the union.
 */
function deepest(issue: Issue, above: Path): { readonly issue: Issue; readonly path: Path } {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_key') {
    return { issue: { ...issue, message: issue.issues[0]?.message ?? issue.message }, path };
  }
  if (issue.code !== 'invalid_union') return { issue, path };
  const branches = issue.errors.flatMap((errors) => errors.slice(0, 1).map((first) => deepest(first, path)));
  const furthest = branches.reduce((best, branch) => (branch.path.length > best.path.length ? branch : best), {
    issue,
    path,
  });
  if (furthest.path.length > path.length) return furthest;
  const unknownKey = branches.find((branch) => branch.issue.code === 'unrecognized_keys');
  return unknownKey ?? furthest;
}

/** Formats a path, such as `workload[0].flows[3].from`. */
function placeOf(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text === '' ? 'scenario' : text.replace(/^\./, '');
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return at;
}

/** @throws RoceError `invalid-scenario`, naming the first such setting. */
export function requireFidelity(spec: ScenarioSpec, fidelity: Fidelity): void {
  if (fidelity === 'reference-uet') requireHeld(SPEC_SCHEMA, spec, '');
  else requireMembers(spec, fidelity);
}

/**
 * Rejects settings of fidelity `standard`, among them values, under other fidelities, which would ignore them.
 * @throws RoceError `invalid-scenario`, naming the setting.
 */
export function requireStandard(
  { topology, discovery, network, changes, switches = {}, faults = [], overrides = [], record = {} }: ScenarioSpec,
  fidelity: Fidelity,
): void {
  const down = faults.findIndex(({ kind }) =>
    ['switch-down', 'plane-down', 'usid-withdrawn', 'receiver-discards'].includes(kind)
  );
  const hazard = faults.findIndex(({ kind }) => HAZARD_KINDS.some((one) => one === kind));
  rejectForeign([
    ['network', network],
    ['discovery', discovery],
    ['changes', changes],
    ['switches.watchdog', switches.watchdog],
    ['switches.buffer', switches.buffer],
    ['switches.trimming', switches.trimming],
    ...overrides.map(({ switch: own }, i) => [`overrides[${i}].switch.watchdog`, own?.watchdog] as const),
    ['record.victims', record.victims],
    [`faults[${down}]`, down < 0 ? undefined : faults[down]],
    ['topology.planes', 'planes' in topology ? topology.planes : undefined],
    [`faults[${hazard}]`, hazard < 0 ? undefined : faults[hazard]],
  ], 'standard', fidelity);
}

/** Rejects members of the scenario that only another fidelity has. */
function requireMembers(spec: ScenarioSpec, fidelity: Fidelity): void {
  for (const [key, piece] of Object.entries(SPEC_SCHEMA.shape)) {
    const got = spec[key as keyof ScenarioSpec];
    const fidelities = fidelitiesOf(piece);
    if (got === undefined || fidelities === undefined || fidelities.includes(fidelity)) continue;
    const problem = `is a setting of fidelity ${fidelities.join(', ')}, and the fidelity is ${fidelity}`;
    rejectScenario({ what: key, problem, got, where: key });
  }
}

/** Walks the schema along the values of a scenario. */
function requireHeld(schema: Piece, value: unknown, where: string): void {
  const piece = unwrapped(schema);
  const { def } = piece._zod;
  if (Array.isArray(value)) {
    const list = def.type === 'union' ? def.options.map(unwrapped).find((one) => one._zod.def.type === 'array') : piece;
    if (list?._zod.def.type !== 'array') return;
    const { element } = list._zod.def;
    value.forEach((item, at) => {
      requireHeld(element as Piece, item, `${where}[${at}]`);
    });
  } else if (typeof value === 'object' && value !== null) {
    if (def.type === 'object') requireMembersHeld(def.shape, value, where);
    else if (def.type === 'union') requireKindHeld(def.options, value, where);
  }
}

function requireMembersHeld(shape: z.core.$ZodShape, value: object, where: string): void {
  for (const [key, got] of Object.entries(value)) {
    if (got === undefined) continue;
    const place = where === '' ? key : `${where}.${key}`;
    if (!isHeld(shape[key])) {
      rejectScenario({ what: place, problem: 'is not a setting of the fidelity reference-uet', got, where: place });
    }
    // If only this fidelity has the setting, it has all parts of it.
    if (fidelitiesOf(shape[key])?.length !== 1) requireHeld(shape[key] as Piece, got, place);
  }
}

/** Checks an object by its kind, if the schema allows several. */
function requireKindHeld(options: readonly z.core.$ZodType[], value: object, where: string): void {
  const kinds = options.map(unwrapped);
  const nested = kinds.find((one) => one._zod.def.type === 'union');
  if (nested !== undefined) {
    requireHeld(nested, value, where);
    return;
  }
  const got = 'kind' in value ? value.kind : undefined;
  const kind = kinds.find((one) => kindOf(one) === got);
  if (kind === undefined) return;
  if (!isHeld(kind)) {
    const allowed = kinds.filter(isHeld).map(kindOf);
    const place = `${where}.kind`;
    rejectScenario({ got, allowed, where: place, hint: 'The fidelity is reference-uet' });
  }
  requireHeld(kind, value, where);
}

function kindOf(piece: Piece): string {
  const { def } = piece._zod;
  const kind = def.type === 'object' ? unwrapped(def.shape['kind'])._zod.def : undefined;
  return kind?.type === 'literal' ? String(kind.values[0]) : '';
}

function isHeld(piece: z.core.$ZodType): boolean {
  return fidelitiesOf(piece)?.includes('reference-uet') === true;
}

function fidelitiesOf(piece: z.core.$ZodType): readonly Fidelity[] | undefined {
  return (unwrapped(piece) as unknown as z.ZodType).meta()?.['x-fidelities'] as readonly Fidelity[] | undefined;
}

/** The schema without `optional` around it. */
function unwrapped(piece: z.core.$ZodType): Piece {
  const { def } = (piece as Piece)._zod;
  return def.type === 'optional' ? unwrapped(def.innerType) : piece as Piece;
}
