/** Runs `roce-cc run --watch`: runs again whenever a file of an algorithm or a scenario changes, until Ctrl-C. */
import { existsSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { isAlgorithmFile } from '../algorithms/load-algorithm.js';
import { describeError } from '../describe-error.js';
import { EXIT_INTERRUPTED, type Output } from '../output.js';
import type { RunFlags } from './run-job.js';
import { runRun } from './run-run.js';

/** Delay before a changed file is read: editors write a file in several steps. */
const DEBOUNCE_MS = 100;

/** @returns the exit code, 130. */
export async function watchRun(scenarios: readonly string[], flags: RunFlags, output: Output,
  version: string): Promise<number> {
  const files = filesOf(scenarios, flags);
  const changes = new Changes(files);
  process.once('SIGINT', changes.close);
  try {
    while (!changes.isClosed) {
      const exitCode = await runOnce(scenarios, flags, output, version);
      if (exitCode === EXIT_INTERRUPTED) break;
      output.stderr.write(
        `Waiting for changes to ${files.map((file) => path.basename(file)).join(', ')}; press Ctrl-C to stop.\n`,
      );
      await changes.next();
    }
    return EXIT_INTERRUPTED;
  } finally {
    changes.close();
    process.removeListener('SIGINT', changes.close);
  }
}

/** Runs once. An error is shown, and the next change may fix it. */
async function runOnce(scenarios: readonly string[], flags: RunFlags, output: Output,
  version: string): Promise<number> {
  try {
    return await runRun(scenarios, flags, output, version);
  } catch (error) {
    output.stderr.write(`roce-cc run: ${describeError(error)}\n`);
    return 1;
  }
}

function filesOf(scenarios: readonly string[], { algorithm, compare, substitute = [] }: RunFlags): readonly string[] {
  const words = [algorithm ?? [], Array.isArray(compare) ? compare : []].flat() as readonly string[];
  return [
    ...words.filter(isAlgorithmFile),
    ...substitute.map(({ file }) => file),
    ...scenarios.filter((scenario) => existsSync(scenario) && statSync(scenario).isFile()),
  ].map((file) => path.resolve(file));
}

/** Watches files for changes. It watches their folders, because editors replace files. */
class Changes {
  isClosed = false;
  readonly #watchers: readonly FSWatcher[];
  #hasChanged = false;
  #wake: () => void = () => undefined;

  constructor(files: readonly string[]) {
    const folders = new Set(files.map((file) => path.dirname(file)));
    this.#watchers = [...folders].map((folder) =>
      watch(folder, (_, name) => {
        if (name !== null && !files.includes(path.join(folder, name))) return;
        this.#hasChanged = true;
        this.#wake();
      })
    );
  }

  /** Resolves once a file has changed since the last call and is complete, or the watch ends. */
  async next(): Promise<void> {
    if (!this.#hasChanged && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await new Promise((resolve) => {
      setTimeout(resolve, DEBOUNCE_MS);
    });
    this.#hasChanged = false;
  }

  readonly close = (): void => {
    this.isClosed = true;
    for (const watcher of this.#watchers) watcher.close();
    this.#wake();
  };
}
