/** The runtimes of the matrix, each as a function that runs the probe and returns its facts. */
import { PINS, isRunning, pinnedProgram } from './pinned.js';
import { BROWSERS, browserProgram, browserVersion, factsFromPage } from './browsers.js';
import { factsFromProcess, type Dialect } from './processes.js';
import { runProgram } from './run-program.js';
import type { Facts } from './probe.js';
import type { Project } from './project.js';

export type RuntimeKind = 'process' | 'page';

export interface Runtime {
  readonly name: string;
  readonly kind: RuntimeKind;
  /** The path of its program; rejects with the reason if there is none. */
  program(): Promise<string>;
  version(program: string): Promise<string>;
  facts(program: string, project: Project): Promise<Facts>;
}

const VERSION_MS = 30_000;

const BUN: Dialect = { args: [], env: {} };
const DENO: Dialect = { args: ['run', '--allow-all', '--quiet'], env: { DENO_NO_UPDATE_CHECK: '1' } };
const NODE: Dialect = { args: [], env: {} };

/** The base of the comparison. */
export const RUNNING_NODE: Runtime = processRuntime('node', () => Promise.resolve(process.execPath));

export const RUNTIMES: readonly Runtime[] = [
  ...Object.keys(PINS).map((name) => processRuntime(name, () => pinnedProgram(name))),
  ...BROWSERS.map((browser): Runtime => ({
    name: browser.name,
    kind: 'page',
    program: () =>
      new Promise((resolve) => {
        resolve(browserProgram(browser));
      }),
    version: (program) => browserVersion(program),
    facts: (program, project) => factsFromPage(browser, program, project.dir),
  })),
];

/** The named runtimes, or all, preceded by the base of the comparison, which is the Node of this process. */
export function chosenRuntimes(only: readonly string[] | undefined): readonly Runtime[] {
  const allowed = RUNTIMES.map(({ name }) => name);
  const unknown = only?.find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw new Error(`--only: got ${unknown}, allowed: ${allowed.join(', ')}`);
  const chosen = RUNTIMES.filter(({ name }) => only === undefined || only.includes(name));
  const base = chosen.find(({ name }) => isRunning(name)) ?? RUNNING_NODE;
  return [base, ...chosen.filter((runtime) => runtime !== base)];
}

function processRuntime(name: string, program: () => Promise<string>): Runtime {
  const dialect = name === 'deno' ? DENO : name === 'bun' ? BUN : NODE;
  return {
    name,
    kind: 'process',
    program,
    version: async (file) => {
      const { stdout } = await runProgram([file, '--version'], { cwd: '/', timeoutMs: VERSION_MS });
      return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim();
    },
    facts: (file, project) => factsFromProcess(file, dialect, project),
  };
}
