/** Scenarios: changed JSON, checked and compiled. */
import { readdirSync, readFileSync } from 'node:fs';
import { compileScenario, parseScenario, validateScenario } from '../../src/sim/index.js';
import { randomScenario } from '../../test/support/random-scenarios.js';
import { makeFuzzer } from './fuzzer.js';
import { mutateJson } from './mutate.js';
import type { Random } from './random.js';

const FOLDER = new URL('../../examples/scenarios/', import.meta.url);
/** Those that compile in a moment, with a hundred times the hosts too: messages of an all-to-all grow with the square. */
const bases = readdirSync(FOLDER)
  .filter((name) => !/k16|all-to-all/.test(name))
  .map((name): unknown => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));

function make(random: Random): unknown {
  const base = random.oneIn(2) ? random.of(bases) : randomScenario(random.below(1e6), { faults: true });
  return mutateJson(random, base);
}

function check(spec: unknown): void {
  parseScenario(spec);
  const valid = validateScenario(spec);
  if (valid.uet === null) compileScenario(valid);
}

export const scenarios = makeFuzzer('scenarios', make, check);
