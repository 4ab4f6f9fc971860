/** `roce-cc list`. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALGORITHMS, PRESET_ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { run } from './support/run.js';

const filesOf = (...folders: string[]): string[] =>
  folders.flatMap((folder) => readdirSync(`examples/${folder}`)).filter((file) => file.endsWith('.json')).map((file) =>
    file.replace('.json', '')
  ).sort();

describe('roce-cc list', () => {
  it('lists every shipped file and every preset, with their descriptions', async () => {
    const { exitCode, stdout } = await run(['list', '--json']);
    const lists = JSON.parse(stdout) as Record<string, { name: string; about: string }[]>;
    expect(exitCode).toBe(0);
    expect(Object.fromEntries(Object.entries(lists).map(([name, items]) => [name, items.map((item) => item.name)])))
      .toEqual({
        scenarios: filesOf('scenarios', 'jobs'),
        sweeps: filesOf('figures', 'sweeps'),
        tunings: filesOf('tune'),
        presets: Object.keys(PRESET_ALGORITHMS),
        algorithms: [
          ...Object.keys(ALGORITHMS),
          ...readdirSync('examples/algorithms').filter((file) => file.endsWith('.js')).sort().map((file) =>
            `examples/algorithms/${file}`
          ),
        ],
      });
    expect(Object.values(lists).flat().filter(({ about }) => about === '')).toEqual([]);
  });

  it('lists algorithms by the names that --algorithm accepts', async () => {
    const { exitCode, stdout } = await run(['run', 'incast-16', '--algorithm', 'examples/algorithms/nscc.js']);
    expect([exitCode, stdout.includes('under nscc')]).toEqual([0, true]);
  });

  it.each([60, 80, 120])('fits a terminal of %d columns', async (columns) => {
    const { stdout } = await run(['list'], columns);
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('lists one kind, and names the kinds', async () => {
    expect((await run(['list', 'sweeps'])).stdout).toMatch(/^sweeps\n {2}dcqcn-fixed-point /);
    expect((await run(['list', 'flows'])).stderr).toMatch(/scenarios, sweeps, tunings, presets, algorithms/);
  });
});

describe('A misspelt scenario name', () => {
  it.each([
    ['incast-61', /must be a JSON file or a shipped scenario \(got "incast-61"\)\. Did you mean incast-16\?/],
    ['longlink', /Did you mean long-link\?/],
    ['nothing like it at all', /at all"\)\. roce-cc list has the scenarios/],
  ])('is rejected with a one-line error: %s', async (name, message) => {
    const { exitCode, stderr } = await run(['run', name]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr.length).toBeLessThan(200);
  });
});
