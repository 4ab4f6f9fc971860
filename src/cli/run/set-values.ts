/** The `--set path=value` option: changes single values of a scenario before it is validated. */
import { InvalidArgumentError } from 'commander';
import { PATH_STEPS_MAX, stepsOfPath, withChanges } from '../../sweep/value-path.js';

/** One change: the path of a value, and the new value. */
export interface SetValue {
  /** The option's value as typed. */
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

const ALLOWED = 'Allowed: PATH=VALUE such as switches.ecn.kminKB=50 or workload[0].senders=8.';

/** Adds a change to those given before. The value is parsed as JSON if possible, otherwise taken as text. */
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
  const steps = stepsOfPath(text);
  if (steps === undefined) throw new InvalidArgumentError(ALLOWED);
  if (steps.length > PATH_STEPS_MAX) {
    throw new InvalidArgumentError(`Allowed: a path of at most ${PATH_STEPS_MAX} steps.`);
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
 * Applies the changes to the scenario, in order.
 *
 * @throws RoceError `invalid-argument` if a path leads through a number, a text, or beyond a list's end.
 */
export function applySetValues(scenario: unknown, changes: readonly SetValue[]): unknown {
  return withChanges(scenario, changes.map(({ text, path, value }) => ({ path, value, from: `--set ${text}` })));
}
