/**
 * The JavaScript blocks of README and docs/reference/entry-points.md run as printed, each in its own process, on the
 * built package. The text after `console.log(…); //` is the output; `…` matches anything, and any white space is equal.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/support/run.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const ENTRY_POINTS = readFileSync(new URL('../../docs/reference/entry-points.md', import.meta.url), 'utf8');
const COMMANDS = readFileSync(new URL('../../docs/reference/commands.md', import.meta.url), 'utf8');

const BLOCKS = [...(README + ENTRY_POINTS).matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code!);

/** Outputs that a block states, in order. */
function promises(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, text]) => text!);
}

/** A stated output as a pattern. */
function patternOf(promise: string): RegExp {
  const parts = promise.trim().split(/\s*…\s*/).map((part) =>
    part.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('\\s+')
  );
  return new RegExp(parts.join('[\\s\\S]*?'));
}

/** The stated outputs that the output does not contain, searched in order. */
function brokenPromises(code: string, output: string): string[] {
  let rest = output;
  return promises(code).filter((promise) => {
    const match = patternOf(promise).exec(rest);
    if (match === null) return true;
    rest = rest.slice(match.index + match[0].length);
    return false;
  });
}

function runModule(code: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: REPOSITORY, encoding: 'utf8' });
}

describe('README', () => {
  it('has examples that state their output', () => {
    expect(BLOCKS.map((code) => promises(code).length)).toEqual([1, 2, 0, 2, 2, 1]);
  });

  it.each(BLOCKS.map((code) => [/from '(.*?)'/.exec(code)?.[1], code] as const))(
    'states the output of its example of %s',
    (_, code) => {
      const { status, stdout, stderr } = runModule(code);
      expect([status, stderr]).toEqual([0, '']);
      expect(brokenPromises(code, stdout), stdout).toEqual([]);
    },
  );

  it('is checked for stated output that is missing or out of order', () => {
    const code = "console.log({ a: 1 }); // { a: 1, … }\nconsole.log('b'); // b\nconsole.log('c'); // d";
    expect(brokenPromises(code, '{\n  a: 1,\n  z: 2\n}\nb\nc\n')).toEqual(['d']);
    expect(brokenPromises(code, 'b\n{ a: 1, z: 2 }\n')).toEqual(['b', 'd']);
  });

  it('links to a page that names only subpaths of the package', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      exports: object;
    };
    const named = [...ENTRY_POINTS.matchAll(/roce-cc\/([\w./-]*\w)/g)].map(([, path]) => `./${path}`);
    expect([...new Set(named)].filter((path) => !Object.keys(exports).includes(path))).toEqual([]);
    expect(named).toContain('./flow-control');
  });

  it('links to a page whose commands and options exist', async () => {
    const rows = [...COMMANDS.matchAll(/^\| `(\w+) [A-Z]+` \|.*$/gm)].map(([row, command]) => [command!, row] as const);
    expect(rows.map(([command]) => command)).toEqual([
      'run',
      'sweep',
      'tune',
      'gym',
      'explain',
      'replay',
      'dissect',
      'lint',
      'settings',
      'craft',
    ]);
    for (const [command, row] of rows) {
      const { stdout } = await run([command, '--help']);
      const options = [...row.matchAll(/`(--[\w-]+)/g)].map(([, option]) => option!);
      expect(options.filter((option) => !stdout.includes(option)), command).toEqual([]);
    }
  });

  it('has at most 150 lines of 100 columns, and no path outside the repository', () => {
    const lines = README.split('\n');
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(README).not.toContain('../');
  });
});
