/** A copy of the sources in a separate folder, changed and run as a page describes. */

import { exec, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync,
  writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyDiff, type PageBlock } from './page-blocks.js';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** Files and folders that git ignores, and its own. The copy must build what they hold. */
const LEFT_OUT: readonly string[] = [
  '.git',
  ...readFileSync(path.join(REPOSITORY, '.gitignore'), 'utf8').split('\n').map((line) => line.replace(/\/$/, ''))
    .filter(Boolean),
];
/** Enough for each algorithm to meet each event some hundred times; the longer run is that of the repository itself. */
const EQUIVALENCE_EVENTS = '6000';
const OUTPUT_MAX_BYTES = 2 ** 24;

export interface Finished {
  readonly status: number;
  readonly output: string;
}

export class RepositoryCopy {
  readonly #folder: string;

  constructor() {
    this.#folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'roce-cc-page-')));
    cpSync(REPOSITORY, this.#folder, {
      recursive: true,
      filter: (source) => !LEFT_OUT.includes(path.relative(REPOSITORY, source)),
    });
    symlinkSync(path.join(REPOSITORY, 'node_modules'), this.#at('node_modules'), 'dir');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes a new file, or changes one that is there. @throws Error naming the block that can't be followed. */
  follow(block: PageBlock): void {
    try {
      if (block.language === 'diff') this.#change(block);
      else this.#create(block);
    } catch (error) {
      throw new Error(`line ${block.line}, ${block.file}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Makes it a checkout, as a reader has one: the linter holds the files that git tracks to the rules of words and paths. */
  track(): void {
    execFileSync('git', ['init', '--quiet'], { cwd: this.#folder });
    // A link, which .gitignore takes for a file.
    writeFileSync(this.#at('.git/info/exclude'), 'node_modules\n');
    execFileSync('git', ['add', '--all'], { cwd: this.#folder });
  }

  /** Runs a command of the page as it is printed. */
  run(command: string): Promise<Finished> {
    const options = { cwd: this.#folder, env: cleanEnvironment(), maxBuffer: OUTPUT_MAX_BYTES };
    return new Promise((resolve) => {
      exec(command, options, (error, stdout, stderr) => {
        resolve({ status: error ? 1 : 0, output: stdout + stderr });
      });
    });
  }

  #at(name: string): string {
    return path.join(this.#folder, ...name.split('/'));
  }

  #change({ file, text }: PageBlock): void {
    writeFileSync(this.#at(file), applyDiff(readFileSync(this.#at(file), 'utf8'), text));
  }

  #create({ file, text }: PageBlock): void {
    if (existsSync(path.join(REPOSITORY, file))) throw new Error('the file is there already');
    mkdirSync(path.dirname(this.#at(file)), { recursive: true });
    writeFileSync(this.#at(file), text, { flag: 'wx' });
  }
}

/** The nested run must know nothing of the run that started it. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) =>
    !/^(VITEST|VITE_|TEST$|NODE_ENV$|NODE_OPTIONS$)/.test(name)
  );
  return { ...Object.fromEntries(inherited), ROCE_EVENTS: EQUIVALENCE_EVENTS, NO_COLOR: '1' };
}
