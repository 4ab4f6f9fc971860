/** How scenarios are refused: always by the same code, always with what was got, what is allowed, and where. */
import { RoceError } from '../../errors.js';

/**
 * Refuses a scenario.
 *
 * @param what what is wrong, naming the flow, node, link or key.
 * @param where the place in the JSON, as `topology.links[3].from`.
 * @throws RoceError `invalid-scenario`, always.
 */
export function refuseScenario(what: string, got: unknown, allowed: string, where: string): never {
  throw new RoceError('invalid-scenario', what, { got, allowed, where });
}

/** Names for a message: all of a few, the first and last of many. */
export function listNames(names: readonly string[]): string {
  if (names.length <= 8) return names.length === 0 ? 'none: there are none' : names.join(', ');
  return `${names.slice(0, 3).join(', ')}, … ${String(names.at(-1))} (${names.length} in all)`;
}
