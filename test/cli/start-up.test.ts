/** The modules that a command loads before it runs, from the files of dist/cli: sizes and sources, not times. */
import { Command, Help } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandEntry } from '../../src/cli/command-table.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { ROLES } from '../../src/cli/live/command.js';
import { readBuiltChunks, type BuiltChunks } from './support/built-chunks.js';
import { start } from './support/process.js';

/** Of main.js and its imports, all that --version loads; most of it is commander. */
const MAIN_BYTES_MAX = 155_000;
/** The same with what `lint FILE` and `dissect FILE` load. */
const SMALL_COMMAND_BYTES_MAX = { lint: 421_000, dissect: 673_000 };

const ALL: readonly (readonly [string, CommandEntry])[] = [
  ...COMMANDS.map((entry) => [entry.name, entry] as const),
  ...ROLES.map((entry) => [`live ${entry.name}`, entry] as const),
];
/** The modules with the options of a command, and with its action. */
const FILES_OF: Readonly<Record<string, readonly [string, string?]>> = {
  worker: ['redis/command.ts', 'redis/run-worker.ts'],
  headroom: ['plan/command.ts', 'plan/run-plan.ts'],
  live: ['live/command.ts'],
};
const SIMULATOR = /^src\/sim\/|^node_modules\/zod\//;
const KERNEL = /^src\/sim\/(kernel|run|compile\/compile-scenario)/;
/** Modules that the options of a command must not load, as they need only the names of workload formats. */
const HEAVY =
  /^src\/(sim|engine|live|packet|replay|workloads\/(?!job-formats\.ts)|cli\/report\/page)|^node_modules\/(?!commander\/)/;

let chunks: BuiltChunks;
beforeAll(async () => {
  chunks = await readBuiltChunks();
});

function filesOf(command: string): readonly string[] {
  const name = command.split(' ').at(-1)!;
  const files = FILES_OF[command] ??
    (command.startsWith('live ') ?
      ['live/roles.ts', `live/run-${name}.ts`] :
      [`${command}/command.ts`, `${command}/run-${name}.ts`]);
  return files.map((file) => chunks.fileOf(`src/cli/${file}`));
}

/** Sources that are loaded when a command begins to run. */
function loadedBy(command: string): readonly string[] {
  return chunks.sources(chunks.closure('main.js', ...filesOf(command)));
}

describe('main.js', () => {
  it('loads no command', () => {
    const sources = chunks.sources(chunks.closure('main.js'));
    expect(sources).toEqual(expect.arrayContaining(['src/cli/program.ts', 'node_modules/commander/lib/command.js']));
    expect(sources.filter((source) => /^src\/cli\/.+\//.test(source))).toEqual([]);
    expect(sources.filter((source) => HEAVY.test(source))).toEqual([]);
  });

  it(`has at most ${MAIN_BYTES_MAX} bytes with all that it loads`, () => {
    expect(chunks.bytes(chunks.closure('main.js'))).toBeLessThanOrEqual(MAIN_BYTES_MAX);
  });
});

describe('Each command', () => {
  it.each(ALL)('prints its help without loading heavy modules: %s', (name) => {
    const { status, stdout, stderr } = start([...name.split(' '), '--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(`Usage: roce-cc ${name} [options]`);
    const [options = ''] = filesOf(name);
    expect(chunks.sources(chunks.closure('main.js', options)).filter((source) => HEAVY.test(source))).toEqual([]);
  });

  it.each(ALL)('has the arguments of the command table: %s', async (_, { name, usage, load }) => {
    const command = new Command(name);
    const define = await load();
    define(command, { output: process, version: '', finish: () => undefined });
    expect(`${name} ${usage}`.trimEnd()).toBe(new Help().subcommandTerm(command));
  });

  it.each([
    'explain',
    'replay',
    'dissect',
    'craft',
    'lint',
    'settings',
    'headroom',
    'plan',
    'live watch',
    'live notification-point',
  ])('runs without the simulator kernel: %s', (name) => {
    expect(loadedBy(name).filter((source) => KERNEL.test(source))).toEqual([]);
  });

  it.each(['lint', 'dissect'] as const)('runs without any simulator module: %s', (name) => {
    expect(loadedBy(name)).toContain(`src/cli/${name}/run-${name}.ts`);
    expect(loadedBy(name).filter((source) => SIMULATOR.test(source))).toEqual([]);
    expect(chunks.bytes(chunks.closure('main.js', ...filesOf(name)))).toBeLessThanOrEqual(
      SMALL_COMMAND_BYTES_MAX[name],
    );
  });
});
