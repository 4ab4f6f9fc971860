import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Ends what hangs; the longest take a fifth of it, and a busy machine may need several times that.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'threads',
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
  },
});
