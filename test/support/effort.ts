/**
 * How many random cases a test tries: some in `npm test`, all in the long tests (`npm run test:all`).
 *
 * An environment variable sets another number. Each such test prints its seed, which is the same in every run.
 */

import { Seeded } from './seeded.js';

/** Whether this is a run of the long tests: vitest.config.ts sets the variable. */
export const IS_LONG = process.env['ROCE_TESTS'] === 'long';

/** The number of cases to try. @param variable the environment's variable that overrides it. */
export function caseCount(variable: string, { few, all }: { readonly few: number; readonly all: number }): number {
  const given = process.env[variable];
  if (given === undefined) return IS_LONG ? all : few;
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${variable} must be a positive integer (got ${given})`);
  return count;
}

/** The seed by which `npm test` chooses among slow cases; ROCE_SEED sets another. */
export const CHOICE_SEED = Number(process.env['ROCE_SEED'] ?? 1);

/** All items among the long tests; else `few` of them, chosen by the seed and in their order. */
export function someOf<Item>(items: readonly Item[], few: number): readonly Item[] {
  if (IS_LONG || items.length <= few) return items;
  const random = new Seeded(CHOICE_SEED);
  const ranked = items.map((item, index) => ({ item, index, rank: random.next() }));
  return ranked.sort((a, b) => a.rank - b.rank).slice(0, few).sort((a, b) => a.index - b.index).map(({ item }) => item);
}

/** Appended to the name of a test that chooses: `12 of 60, seed 1`. */
export function choiceOf(chosen: readonly unknown[], items: readonly unknown[]): string {
  return chosen.length === items.length ?
    `all ${items.length}` :
    `${chosen.length} of ${items.length}, seed ${CHOICE_SEED}`;
}
