/**
 * A vitest reporter that ends a run with one plain line, `N passed, N failed, N skipped`, for readers that look
 * only at the last line. A test file that cannot be loaded and an error outside every test count as failed.
 */

import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) addModule(counts, module);
    const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
    // The other reporters write until the process ends; this line comes after them.
    process.once('exit', () => process.stdout.write(line));
  }
}

function addModule(counts: Counts, module: TestModule): void {
  counts.failed += module.errors().length;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'passed') counts.passed += 1;
    else if (state === 'failed') counts.failed += 1;
    else counts.skipped += 1;
  }
}
