/** `--set path=value`: changes single values of a scenario before it is checked. */
import { InvalidArgumentError } from 'commander';
import { RoceError, type Allowed } from '../../errors.js';
import { JSON_DEPTH_MAX, requirePlainJson } from '../../config/json-limits.js';

/** One change: the way to a value, and what is put there. */
export interface SetValue {
  /** As typed. */
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A name, a name in double quotes (which may hold dots), or an index in brackets; then a dot, a bracket or the end. */
const STEP_PATTERN = /(?:^|\.)(?:"([^"]*)"|([^.[\]"]+))|\[(\d+)\]/y;
const INDEX_PATTERN = /^(?:0|[1-9]\d*)$/;
const ALLOWED = 'Allowed: PATH=VALUE such as switches.ecn.kminKB=50 or workload[0].senders=8.';

/** Adds a change to those given before. The value is JSON where it reads as JSON, and else text. */
export function collectSetValue(text: string, before: readonly SetValue[]): SetValue[] {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new InvalidArgumentError(ALLOWED);
  return [...before, {
    text,
    path: parsePath(text.slice(0, equals).trim()),
    value: parseValue(text.slice(equals + 1)),
  }];
}

function parsePath(text: string): string[] {
  const steps: string[] = [];
  STEP_PATTERN.lastIndex = 0;
  while (STEP_PATTERN.lastIndex < text.length) {
    const match = STEP_PATTERN.exec(text);
    if (match === null) throw new InvalidArgumentError(ALLOWED);
    steps.push(match[1] ?? match[2] ?? match[3] ?? '');
    if (steps.length > JSON_DEPTH_MAX) {
      throw new InvalidArgumentError(`Allowed: a path of at most ${JSON_DEPTH_MAX} steps.`);
    }
  }
  return steps;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * The scenario with the changes made, in their order: copied is what lies on the way to them. Objects that are missing
 * there are made; whether the names mean anything is for the scenario's own check to say.
 *
 * @throws RoceError `invalid-argument` if a path leads through a number, a text, or beyond a list's end.
 */
export function applySetValues(scenario: unknown, changes: readonly SetValue[]): unknown {
  let changed = scenario;
  for (const change of changes) {
    requirePlainJson(change.value, 'invalid-argument', `--set ${change.text}`);
    changed = put(changed, change, 0);
  }
  return changed;
}

function put(target: unknown, change: SetValue, depth: number): unknown {
  const step = change.path[depth];
  if (step === undefined) return change.value;
  if (Array.isArray(target)) return putIntoList(target as unknown[], step, change, depth);
  if (target !== undefined && (typeof target !== 'object' || target === null)) {
    refuse(change, depth, target, 'a path through objects and lists');
  }
  const object = { ...target } as Record<string, unknown>;
  const before = Object.hasOwn(object, step) ? object[step] : undefined;
  // Not by assignment, which would give a key named __proto__ another meaning.
  return Object.defineProperty(object, step, {
    value: put(before, change, depth + 1),
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function putIntoList(before: readonly unknown[], step: string, change: SetValue, depth: number): unknown[] {
  const index = INDEX_PATTERN.test(step) ? Number(step) : NaN;
  if (!(index <= before.length)) refuse(change, depth, step, { min: 0, max: before.length, multipleOf: 1 });
  const list = [...before];
  list[index] = put(list[index], change, depth + 1);
  return list;
}

function refuse(change: SetValue, depth: number, got: unknown, allowed: Allowed): never {
  const where = `--set ${change.text}, at ${change.path.slice(0, depth).join('.') || 'the top'}`;
  throw new RoceError('invalid-argument', { what: 'the path', got, allowed, where });
}
