/** Changes single values of a scenario by path: `switches.ecn.kminKB`, `workload[0].senders`. */
import { JSON_DEPTH_MAX, requirePlainJson } from '../config/json-limits.js';
import { RoceError, type Allowed } from '../errors.js';

/** One change: the path of a value, and the new value. */
export interface ValueChange {
  /** Member names and list indices, from the top down. */
  readonly path: readonly string[];
  /** The new value. */
  readonly value: unknown;
  /** The source of the change, for errors. */
  readonly from: string;
}

/** One step: a name, a name in double quotes (which may contain dots), or an index in brackets. */
const STEP_PATTERN = /(?:^|\.)(?:"([^"]*)"|([^.[\]"]+))|\[(\d+)\]/y;
const INDEX_PATTERN = /^(?:0|[1-9]\d*)$/;

/** Maximum steps of a path. */
export const PATH_STEPS_MAX = JSON_DEPTH_MAX;

/** Splits a path into steps; undefined if it is invalid. A path that is too long gives one step more than allowed. */
export function stepsOfPath(text: string): string[] | undefined {
  const steps: string[] = [];
  STEP_PATTERN.lastIndex = 0;
  while (STEP_PATTERN.lastIndex < text.length) {
    const match = STEP_PATTERN.exec(text);
    if (match === null) return undefined;
    steps.push(match[1] ?? match[2] ?? match[3] ?? '');
    if (steps.length > PATH_STEPS_MAX) return steps;
  }
  return steps;
}

/**
 * Applies changes to a scenario, in order. Only the objects on their paths are copied. Missing objects are created; the
 * scenario's validation finds unknown names.
 *
 * @throws RoceError `invalid-argument` if a path leads through a number, a text, or beyond a list's end.
 */
export function withChanges(scenario: unknown, changes: readonly ValueChange[]): unknown {
  let changed = scenario;
  for (const change of changes) {
    requirePlainJson(change.value, 'invalid-argument', change.from);
    changed = put(changed, change, 0);
  }
  return changed;
}

function put(target: unknown, change: ValueChange, depth: number): unknown {
  const step = change.path[depth];
  if (step === undefined) return change.value;
  if (Array.isArray(target)) return putIntoList(target as unknown[], step, change, depth);
  if (target !== undefined && (typeof target !== 'object' || target === null)) {
    reject(change, depth, target, 'a path through objects and lists');
  }
  const object = { ...target } as Record<string, unknown>;
  const before = Object.hasOwn(object, step) ? object[step] : undefined;
  // Not an assignment, which would set the prototype for a key named __proto__.
  return Object.defineProperty(object, step, {
    value: put(before, change, depth + 1),
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function putIntoList(before: readonly unknown[], step: string, change: ValueChange, depth: number): unknown[] {
  const index = INDEX_PATTERN.test(step) ? Number(step) : NaN;
  if (!(index <= before.length)) reject(change, depth, step, { min: 0, max: before.length, multipleOf: 1 });
  const list = [...before];
  list[index] = put(list[index], change, depth + 1);
  return list;
}

function reject(change: ValueChange, depth: number, got: unknown, allowed: Allowed): never {
  const where = `${change.from}, at ${change.path.slice(0, depth).join('.') || 'the top'}`;
  throw new RoceError('invalid-argument', { what: 'the path', got, allowed, where });
}
