/** The counters of charts over time are those of the totals. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileScenario, simulate, validateScenario } from '../../src/sim/index.js';

it.each([
  'scenarios/incast-16',
  'scenarios/pause-storm-watchdog',
  'scenarios/incast-16-fast-cnp',
  'scenarios/discovery',
  'scenarios/two-messages',
  'jobs/two-jobs-dcqcn',
])('at each sample of %s', (file) => {
  const spec: unknown = JSON.parse(readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), 'utf8'));
  let samples = 0;
  const run = simulate(compileScenario(validateScenario(spec)), {
    onSample: (kernel) => {
      samples++;
      expect({ ...kernel.totals(), bytesDelivered: kernel.bytesDelivered }).toMatchObject(kernel.sampledTotals());
    },
  });
  while (run.next().done !== true);
  expect(samples).toBeGreaterThan(100);
});
