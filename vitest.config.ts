import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.js';

/**
 * Files that run among the long tests alone: they start processes, wait for real time, need a browser or a foreign tool, or build
 * and pack the project. Everything else is for `npm test`.
 */
const LONG_ONLY = [
  'test/browser/**/*.test.ts',
  'test/cli/hostile-process.test.ts',
  'test/cli/interrupt.test.ts',
  'test/cli/kept-results.test.ts',
  'test/cli/long-texts.test.ts',
  'test/cli/process.test.ts',
  'test/cli/sweep-kills.test.ts',
  'test/cli/sweep-redis.test.ts',
  'test/docs/adding-an-algorithm.test.ts',
  'test/docs/shipped-code.test.ts',
  'test/engine/layout-checks.test.ts',
  'test/interop/**/*.test.ts',
  'test/native/**/*.test.ts',
  'test/package/package.test.ts',
  'test/replay/memory.test.ts',
  'test/report/report-browser.test.ts',
  'test/site/site.test.ts',
  'test/web/lab*.test.ts',
];

/** Among those, what watches real time: one file at once, when the others are done, so that nothing else keeps the machine busy. */
const LIVE = [
  'test/docs/live-page.test.ts',
  'test/live/demo.test.ts',
  'test/live/edge.test.ts',
  'test/live/fairness.test.ts',
  'test/live/host-algorithms.test.ts',
  'test/live/namespace-demo.test.ts',
  'test/live/run-hosts.test.ts',
  'test/live/run-switch.test.ts',
];

/** What counts the bytes of V8's heap: in its own worker, since code that other tests made polymorphic allocates. */
const HEAP = ['test/bench/no-allocation.test.ts', 'test/packet/no-allocation.test.ts'];

/** Files of both: `npm test` takes some of their random cases, the long tests all (test/support/effort.ts). */
const SCALED = [
  'test/algorithm/built-ins*.test.ts',
  'test/algorithm/modules-models.test.ts',
  'test/algorithm/modules-runs.test.ts',
  'test/algorithms/hpcc.test.ts',
  'test/api/arguments.test.ts',
  'test/engine/algorithms-equivalence.test.ts',
  'test/engine/equivalence*.test.ts',
  'test/engine/hpcc-pp-equivalence.test.ts',
  'test/engine/larger-engine.test.ts',
  'test/engine/snapshot-damage.test.ts',
  'test/packet/multipath-mutations.test.ts',
  'test/packet/mutations.test.ts',
  'test/parser/agreement.test.ts',
  'test/sim/agreement/*.test.ts',
  'test/sim/conservation-mrc.test.ts',
  'test/sim/conservation.test.ts',
  'test/sim/entropy-events.test.ts',
  'test/sim/entropy-probes.test.ts',
  'test/sim/explain-records.test.ts',
  'test/sim/far-events.test.ts',
  'test/sim/golden-system.test.ts',
  'test/sim/golden-uet.test.ts',
  'test/sim/kernel-model.test.ts',
  'test/sim/model/model-golden.test.ts',
  'test/sim/credit-model.test.ts',
  'test/sim/mrc-model.test.ts',
  'test/sim/usids-model.test.ts',
  'test/sim/planes.test.ts',
  'test/sim/same-numbers.test.ts',
  'test/sim/soak.test.ts',
  'test/sim/sprayed-fat-tree.test.ts',
  'test/sim/spraying-without-loss.test.ts',
  'test/sim/tolerant-model.test.ts',
  'test/sim/uet-kernel.test.ts',
];

/** The files of examples/algorithms import the package; here they are tested with its sources. */
const resolve = { alias: { 'roce-cc/algorithm': new URL('src/algorithm/index.ts', import.meta.url).pathname } };

const common = {
  // Ends what hangs; the longest take a fifth of it, and a busy machine may need several times that.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Vitest's own bound is 1 s, which a page on a busy machine may need for one change.
  expect: { poll: { timeout: 30_000 } },
  pool: 'threads',
  setupFiles: 'test/support/property-seed.ts',
} as const;

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...LONG_ONLY, ...LIVE, ...HEAP],
          // The files of a worker share their modules, which keep no state: without that, half of the time is spent loading them.
          isolate: false,
        },
      },
      { test: { ...common, name: 'heap', include: HEAP } },
      {
        resolve,
        test: {
          ...common,
          name: 'long',
          include: [...LONG_ONLY, ...SCALED],
          env: { ROCE_TESTS: 'long' },
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...common, name: 'live', include: LIVE, fileParallelism: false, sequence: { groupOrder: 2 } } },
    ],
  },
});
