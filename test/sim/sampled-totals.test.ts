/** The samples of charts match single reads. */
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
])('matches single reads at each sample of %s', (file) => {
  const spec: unknown = JSON.parse(readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), 'utf8'));
  let samples = 0;
  const run = simulate(compileScenario(validateScenario(spec)), {
    onSample: (kernel, timePs, { rateBps, fairness }) => {
      samples++;
      expect(fairness).toBe(kernel.fairness(timePs - 1));
      for (const [flow, rate] of rateBps.entries()) {
        const { started, done, failed, deliveredBytes } = kernel.flow(flow);
        const isRunning = started && !done && !failed;
        expect(kernel.isRunning(flow)).toBe(isRunning);
        expect(rate).toBe(isRunning ? kernel.rateBps(flow, timePs - 1) : 0);
        expect(kernel.deliveredBytes(flow)).toBe(deliveredBytes);
      }
      expect({ ...kernel.totals(), bytesDelivered: kernel.bytesDelivered }).toMatchObject(kernel.sampledTotals());
    },
  });
  while (run.next().done !== true);
  expect(samples).toBeGreaterThan(100);
});
