/**
 * Rejects scenarios with errors that have the code `invalid-scenario`, the value, the allowed values, and the path; finds what
 * scenarios name.
 */
import { RoceError, type RoceErrorFields } from '../../errors.js';
import type { NetworkNode } from '../topology/network.js';
import type { Fidelity } from './spec.js';

/**
 * Rejects a scenario. `where` is the path in the JSON, such as `topology.links[3].from`.
 * @throws RoceError `invalid-scenario`, always.
 */
export function rejectScenario(fields: RoceErrorFields & { readonly where: string }): never {
  throw new RoceError('invalid-scenario', fields);
}

/** Rejects settings of one fidelity under another, which would ignore them. @param given values by path; undefined: left out. */
export function rejectForeign(given: readonly (readonly [where: string, got: unknown])[], owner: Fidelity,
  fidelity: Fidelity): void {
  if (fidelity === owner) return;
  const problem = `is a setting of fidelity ${owner}, and the fidelity is ${fidelity}`;
  for (const [where, got] of given) if (got !== undefined) rejectScenario({ what: where, problem, got, where });
}

/** Finds the index for a name, or rejects the name. */
export type NameFinder = (name: string, where: string) => number;

/** @param kind what the names denote, such as `a node`. */
export function nameFinder(numbers: ReadonlyMap<string, number>, kind: string): NameFinder {
  return (got, where) =>
    numbers.get(got) ?? rejectScenario({ what: `the name of ${kind}`, got, allowed: [...numbers.keys()], where });
}

/** The index of each name in a list. */
export function indexByName(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, i) => [name, i]));
}

/** Functions that find a node of a kind by name, or reject the name. */
export interface NodeFinders {
  readonly node: NameFinder;
  readonly host: NameFinder;
  readonly switch: NameFinder;
}

export function nodeFinders(nodes: readonly NetworkNode[]): NodeFinders {
  const finder = (what: string, kinds: readonly NetworkNode['kind'][]): NameFinder =>
    nameFinder(new Map(nodes.flatMap(({ name, kind }, i) => (kinds.includes(kind) ? [[name, i] as const] : []))), what);
  return {
    node: finder('a node', ['host', 'switch']),
    host: finder('a host', ['host']),
    switch: finder('a switch', ['switch']),
  };
}

/** Lists names for a message: all of a few, or the first and last of many. */
export function listNames(names: readonly string[]): string {
  if (names.length <= 8) return names.length === 0 ? 'none: there are none' : names.join(', ');
  return `${names.slice(0, 3).join(', ')}, … ${String(names.at(-1))} (${names.length} in all)`;
}
