/** Runs of uet-htsim with one command: the file of flows equals that of the program byte by byte. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GOLDEN_UET, uetGoldenRun } from '../support/golden-uet.js';
import { run } from './support/run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-uet-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const runFile = (name: string) => path.join(GOLDEN_UET, name, 'run.json');
const written = (...names: string[]) => readFileSync(path.join(folder, ...names), 'utf8');

describe('roce-cc run with a scenario of fidelity reference-uet', () => {
  const EXAMPLE = 'incast-8-uet';

  it('shows the scenario in the table of all runs, and also writes uet-flows.csv', async () => {
    const { exitCode, stdout, stderr } = await run([
      'run',
      EXAMPLE,
      '--csv',
      folder,
      '--json',
      path.join(folder, 'r.json'),
    ]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/flows done +8 of 8\n/);
    expect(stdout).toMatch(/fidelity reference-uet/);
    expect(written('uet-flows.csv')).toMatch(/^flow,src,dst,flow_id,size,start_ps,finish_ps,/);
    expect(written('flows.csv').split('\n')).toHaveLength(10);
    const { stdout: explained } = await run(['explain', path.join(folder, 'r.json')]);
    expect(explained).toMatch(/What did uet-htsim count\?\n +Switches trimmed \d+ packets/);
  });

  it('compares the scenario with a run of another fidelity', async () => {
    const { exitCode, stdout } = await run(['run', EXAMPLE, 'incast-16', '--compare', '--no-report']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/flows done +8 of 8 +16 of 16/);
  });

  it.each([
    [['--trace', 'x'], /--trace is not an option of scenarios of fidelity reference-uet/],
    [['--estimate'], /--estimate is not an option of scenarios of fidelity reference-uet/],
    [['--set', 'switches.pfc=false'], /switches is not a setting of the fidelity reference-uet/],
    [['--set', 'uet.paths=3'], /uet\.paths must be a power of two \(got 3\)/],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stderr } = await run(['run', EXAMPLE, ...args]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
  });
});

describe('roce-cc run of uet-htsim', () => {
  it('writes the file of flows with --reference RUN/run.json --csv, as the program does', async () => {
    const { exitCode, stdout, stderr } = await run(['run', '--reference', runFile('incast8_nscc'), '--csv', folder]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(written('uet-flows.csv')).toBe(uetGoldenRun('incast8_nscc').read('flows.csv'));
    expect(stdout).toMatch(/incast8_nscc +8 of 8 +164\.2 µs +200\.7 µs +592 +135 +135 +135 +444 +0/);
  });

  it('uses a folder for each of two runs, with a separate file of messages', async () => {
    const names = ['messages_one_pair', 'outcast4_nscc'];
    const { exitCode } = await run([
      'run',
      ...names.flatMap((name) => ['--reference', runFile(name)]),
      '--csv',
      folder,
      '-q',
    ]);
    expect(exitCode).toBe(0);
    for (const name of names) expect(written(name, 'uet-flows.csv')).toBe(uetGoldenRun(name).read('flows.csv'));
    expect(written('messages_one_pair', 'uet-messages.csv')).toBe(
      uetGoldenRun('messages_one_pair').read('messages.csv'),
    );
  });

  it.each([60, 80])('fits a terminal of %d columns without losing figures', async (columns) => {
    const file = `${GOLDEN_UET}incast8_nscc/run.json`;
    const { stdout } = await run(['run', '--reference', file], columns);
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    const { stdout: whole } = await run(['run', '--reference', file]);
    const words = (text: string): string[] =>
      text.split(/\s+/).filter((word) => !['', 'run', 'incast8_nscc'].includes(word)).sort();
    expect(words(lines.join('\n'))).toEqual(words(whole));
  });

  it('prints only the whole result with --json -', async () => {
    const { stdout } = await run(['run', '--reference', runFile('outcast4_nscc'), '--json', '-']);
    expect(JSON.parse(stdout)).toMatchObject({ totals: uetGoldenRun('outcast4_nscc').totals, messages: [] });
  });

  it('reads the files of the current folder with --reference-argv', async () => {
    cpSync(path.join(GOLDEN_UET, 'outcast4_nscc'), path.join(folder, 'files'), { recursive: true });
    const { argv } = uetGoldenRun('outcast4_nscc');
    const words = argv.map((word) => (/^(?:conn|topo)\./.test(word) ? path.join(folder, 'files', word) : word));
    const { exitCode, stdout } = await run(['run', '--reference-argv', words.join(' ')]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/htsim_uec +4 of 4/);
  });

  it.each([
    [['--reference-argv', '-tm conn.cm -nodes 16 -log all'], /the option must be one of "-tm".*\(got "-log"\)/],
    [['--reference-argv', '-nodes 16 -strat ecmp_wild'], /-strat must be ecmp_host, .*\(got "ecmp_wild"\)/],
    [['--reference', '/absent/run.json'], /absent/],
    [
      ['--reference', runFile('outcast4_nscc'), '--pcap', 'x'],
      /must be --csv, --json or --quiet, or another run of uet-htsim \(got "--pcap"\)/,
    ],
    [['--reference', runFile('outcast4_nscc'), 'incast-16'], /another run of uet-htsim \(got "incast-16"\)/],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stderr } = await run(['run', ...args]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
  });
});
