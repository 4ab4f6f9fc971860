import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
  },
});
