/**
 * A fork: a scenario whose last change of settings is edited in the form. Until that change it runs like the original.
 */
import { CHANGEABLE_PATH } from '../../../src/sim/features/changes.js';
import { timeText } from '../../../src/view/format.js';
import { PS_PER_US } from '../../../src/units.js';
import { stepsOf } from './json-place.js';
import { isObject, valueAt, withValue, type Difference, type Json, type Path } from './scenario-edit.js';

export interface Fork {
  /** Index of the change in the scenario's list. */
  readonly index: number;
  readonly atUs: number;
  /** Values from then on, by path. */
  readonly set: Readonly<Record<string, Json>>;
}

/** The last change; undefined if the scenario has none. */
export function forkOf(scenario: Json | undefined): Fork | undefined {
  return changesOf(scenario).at(-1);
}

/** Adds an empty change at an instant, to be edited; removes later changes. */
export function withFork(scenario: Json, atUs: number): Json {
  const before = changesOf(scenario).filter((change) => change.atUs < atUs).map(({ atUs: at, set }) => ({
    atUs: at,
    set,
  }));
  return withValue(scenario, ['changes'], [...before, { atUs, set: {} }]);
}

/** @param value undefined keeps the value from before the fork. */
export function withForkValue(scenario: Json, { index, set }: Fork, path: string, value: Json | undefined): Json {
  const others = Object.fromEntries(Object.entries(set).filter(([key]) => key !== path));
  return withValue(scenario, ['changes', index, 'set'], value === undefined ? others : { ...others, [path]: value });
}

export const withForkTime = (scenario: Json, { index }: Fork, atUs: number): Json =>
  withValue(scenario, ['changes', index, 'atUs'], atUs);

/** The scenario with all changes applied from the start. */
export function inForce(scenario: Json): Json {
  return changesOf(scenario).flatMap(({ set }) => Object.entries(set)).reduce<Json>(
    (json, [path, value]) => withValue(json, stepsOf(path), value),
    scenario,
  );
}

export const isChangeable = (path: string): boolean => CHANGEABLE_PATH.test(path);

/** Path of the form's row for an error: `switches.ecn.kminKB` for `changes[0].set.switches.ecn.kminKB`. */
export const rowOf = (where: string): string => where.replace(/^changes\[\d+\]\.set\./, '');

/** Values that B changes but A does not, each with A's value. */
export function forkDifferences(a: Json | undefined, b: Json | undefined): Difference[] {
  const known = JSON.stringify(changesOf(a));
  if (a === undefined || b === undefined || known === JSON.stringify(changesOf(b))) return [];
  const before = inForce(a);
  return changesOf(b).filter((change) => !known.includes(JSON.stringify(change))).flatMap(({ atUs, set }) =>
    Object.entries(set).map(([path, value]) => ({
      path: `${path}, from ${timeText(atUs * PS_PER_US)} on`,
      a: valueAt(before, stepsOf(path) as Path),
      b: value,
    }))
  );
}

function changesOf(scenario: Json | undefined): Fork[] {
  const changes = valueAt(scenario, ['changes']);
  if (!Array.isArray(changes)) return [];
  return (changes as readonly Json[]).flatMap((change, index): Fork[] => {
    const [atUs, set] = [valueAt(change, ['atUs']), valueAt(change, ['set'])];
    return typeof atUs === 'number' && isObject(set) ? [{ index, atUs, set }] : [];
  });
}
