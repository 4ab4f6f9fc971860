/** Regressions found by fuzzers, and a few rounds of each fuzzer with a fixed seed. `npm run fuzz` searches for more. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Random } from '../../scripts/fuzz/random.js';
import { FUZZER_NAMES, loadFuzzer } from '../../scripts/fuzz/fuzzers.js';

const FOLDER = new URL('../fuzz-corpus/', import.meta.url);
const ROUNDS = 40;
const SEED = 1;

interface Case {
  readonly fuzzer: string;
  readonly problem: string;
  readonly input: unknown;
}

const cases = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).map((name): [string, Case] => [
  name,
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Case,
]);

describe('inputs on which a fuzzer once found a problem', () => {
  it('cause no problem', async () => {
    for (const [name, { fuzzer, input }] of cases) {
      const { replay } = await loadFuzzer(fuzzer);
      await expect(replay(input), name).resolves.toBeUndefined();
    }
  });
});

describe('fuzzers', () => {
  it.each(FUZZER_NAMES)(`%s: ${ROUNDS} rounds find no problem, and a seed makes the same input again`, async (name) => {
    const { run, inputOf } = await loadFuzzer(name);
    await run(new Random(SEED), ROUNDS);
    expect(inputOf(SEED)).toEqual(inputOf(SEED));
  });

  it('for a single workload format are loaded by name', async () => {
    const { run, inputOf } = await loadFuzzer('workloads-goal');
    await run(new Random(SEED), ROUNDS);
    expect(inputOf(SEED)).toMatchObject({ file: expect.stringMatching(/^goal\/.*\.goal$/) as string });
    await expect(loadFuzzer('workloads-none')).rejects.toThrow('got none, allowed: goal, goal-binary');
  });
});
