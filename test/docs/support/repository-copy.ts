/** A copy of the sources in a separate folder, changed and run as a page describes. */

import { execFile, type ExecFileException } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync,
  writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyDiff, type PageBlock } from './page-blocks.js';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** What an algorithm, its build and its tests are made of. */
const COPIED = [
  'assembly',
  'src',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.check.json',
  'asconfig.json',
  'asconfig.dcqcn.json',
  'asconfig.sim.json',
  'eslint.config.js',
  'vitest.config.ts',
  'test/support',
  'test/engine/support',
  'test/engine/algorithms-equivalence.test.ts',
];
/** The copy must build its own. */
const GENERATED = path.join(REPOSITORY, 'src', 'engine', 'wasm-bytes.ts');
/** Enough for each algorithm to meet each event some hundred times; the longer run is that of the repository itself. */
const EQUIVALENCE_EVENTS = '6000';
const OUTPUT_MAX_BYTES = 2 ** 24;

export interface Finished {
  readonly status: number;
  readonly output: string;
}

export class RepositoryCopy {
  readonly #folder: string;
  readonly #written: string[] = [];

  constructor() {
    this.#folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'roce-cc-page-')));
    for (const name of COPIED) {
      cpSync(path.join(REPOSITORY, name), this.#at(name), {
        recursive: true,
        filter: (source) => source !== GENERATED,
      });
    }
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
    this.#written.push(block.file);
  }

  /** Gives a command of the page. */
  async run(command: string): Promise<Finished> {
    const [program = '', ...words] = command.split(' ');
    if (command === 'npm run build') return this.#build();
    if (command === 'npm run typecheck') return this.#typecheck();
    if (command === 'npm run lint') return this.#tool('eslint', ['--max-warnings', '0', ...this.#hostFiles()]);
    if (program === 'npx' && words[0] !== undefined) return this.#tool(words[0], words.slice(1));
    throw new Error(`a command that the test does not know: ${command}`);
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

  /** Both engines, and the module with their bytes; what `npm run build` makes of it for users is not needed here. */
  #build(): Promise<Finished> {
    const script = "import { buildWasm } from './scripts/build-wasm.mjs'; await buildWasm();";
    return this.#node(['--input-type=module', '--eval', script]);
  }

  /** The TypeScript files that the page touches; asc has checked the others. */
  #hostFiles(): readonly string[] {
    return this.#written.filter((file) => !file.startsWith('assembly/'));
  }

  /** Those, with all that they import. */
  #typecheck(): Promise<Finished> {
    const files = this.#hostFiles();
    writeFileSync(this.#at('tsconfig.page.json'),
      JSON.stringify({ extends: './tsconfig.check.json', files, include: [] }));
    return this.#node([realpathSync(this.#at('node_modules/typescript/bin/tsc')), '--project', 'tsconfig.page.json']);
  }

  #tool(name: string, args: readonly string[]): Promise<Finished> {
    return this.#node([realpathSync(this.#at(`node_modules/.bin/${name}`)), ...args]);
  }

  #node(args: readonly string[]): Promise<Finished> {
    const options = { cwd: this.#folder, env: cleanEnvironment(), maxBuffer: OUTPUT_MAX_BYTES };
    return new Promise((resolve) => {
      execFile(process.execPath, args, options, (error: ExecFileException | null, stdout, stderr) => {
        resolve({ status: error ? 1 : 0, output: stdout + stderr });
      });
    });
  }
}

/** The nested run must know nothing of the run that started it. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) =>
    !/^(VITEST|VITE_|TEST$|NODE_ENV$|NODE_OPTIONS$)/.test(name)
  );
  return { ...Object.fromEntries(inherited), ROCE_EVENTS: EQUIVALENCE_EVENTS, NO_COLOR: '1' };
}
