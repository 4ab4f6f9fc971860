/** The examples of a slow link, as docs/guides/scenarios.md describes them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

function slowestUs(example: string): number {
  const { flows } = runScenarioSync(JSON.parse(read(`examples/scenarios/${example}.json`)) as ScenarioSpec);
  return Math.max(...flows.map(({ completionPs }) => completionPs ?? Infinity)) / PS_PER_US;
}

describe('A link at a tenth of its rate', () => {
  it('delays RC, whose flows stay on it, and hardly MRC, whose entropies avoid it', () => {
    const [rc, mrc] = [slowestUs('slow-link-rc'), slowestUs('slow-link-mrc')];
    const words = `takes ${Math.round(rc).toLocaleString('en')} µs under RC with ECMP, ${
      Math.round(mrc)
    } µs under\nMRC`;
    expect(read('docs/guides/scenarios.md')).toContain(words);
    expect(mrc).toBeLessThan(rc / 8);
  });
});
