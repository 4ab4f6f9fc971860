/** `roce-cc sweep`: rows, the cache, failed runs, and the reproduction of a run by `roce-cc run`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunCache } from '../../src/cli/sweep/run-cache.js';
import { runJob } from '../../src/sweep/index.js';
import { isDigest, type RunDigest } from '../../src/sweep/digest.js';
import { INCAST } from '../sweep/support/incast.js';
import { run } from './support/run.js';

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-sweep-'));
  writeFileSync(at('base.json'), JSON.stringify(INCAST));
  writeFileSync(at('sweep.json'), JSON.stringify(SWEEP));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SWEEP = {
  name: 'senders',
  base: 'base.json',
  axes: [{ path: 'workload.senders', name: 'senders', values: [2, 4, 99, 8] }],
  seeds: 2,
  metrics: ['slowdown.p99', 'maxQueueBytes'],
};

describe('roce-cc sweep', () => {
  it('writes the same rows with one worker, with two, and from the cache', async () => {
    const one = await run([
      'sweep',
      at('sweep.json'),
      '--csv',
      at('1.csv'),
      '--jsonl',
      at('1.jsonl'),
      '--workers',
      '1',
      '--no-cache',
    ]);
    // A scenario that cannot run still has a row, and sets the exit code to 1.
    expect(one.exitCode).toBe(1);
    const two = await run([
      'sweep',
      at('sweep.json'),
      '--csv',
      at('2.csv'),
      '--jsonl',
      at('2.jsonl'),
      '--workers',
      '2',
      '--cache',
      at('cache'),
    ]);
    const again = await run([
      'sweep',
      at('sweep.json'),
      '--csv',
      at('3.csv'),
      '--jsonl',
      at('3.jsonl'),
      '--cache',
      at('cache'),
    ]);
    const rows = readFileSync(at('1.csv'), 'utf8');
    expect(rows.split('\r\n')).toHaveLength(10);
    expect(rows.split('\r\n')[5]).toMatch(/^4,[0-9a-f]{16},99,1,failed,.*workload\.senders/);
    for (const number of [2, 3]) {
      expect(readFileSync(at(`${number}.csv`), 'utf8')).toBe(rows);
      expect(readFileSync(at(`${number}.jsonl`), 'utf8')).toBe(readFileSync(at('1.jsonl'), 'utf8'));
    }
    expect(readdirSync(at('cache'))).toHaveLength(6);
    expect(two.stdout).toBe(one.stdout);
    expect(again.stdout).toBe(one.stdout);
    expect(one.stdout).toContain('Runs without a result');
  });

  it('writes only rows to standard output', async () => {
    const { stdout } = await run(['sweep', at('sweep.json'), '--jsonl', '-', '--cache', at('cache')]);
    expect(stdout).toBe(readFileSync(at('1.jsonl'), 'utf8'));
  });

  it('has rows that roce-cc run reproduces with the same hash', async () => {
    const row = JSON.parse(readFileSync(at('1.jsonl'), 'utf8').split('\n')[3]!) as { scenario: string; result: string };
    const { stdout } = await run(['run', `${at('sweep.json')}#${row.scenario}`, '--json', '-']);
    expect((JSON.parse(stdout) as { hash: string }).hash).toBe(row.result);
    const unknown = await run(['run', `${at('sweep.json')}#0123456789abcdef`]);
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('must be the hash of one of its 8 runs');
  });

  it('summarises points with the interval over their seeds', async () => {
    await run(['sweep', at('sweep.json'), '--summary', at('summary.csv'), '--cache', at('cache'), '-q']);
    const [head, first, , failed] = readFileSync(at('summary.csv'), 'utf8').split('\r\n');
    expect(head).toMatch(/^senders,runs,failed,slowdown\.p99 mean,slowdown\.p99 deviation,slowdown\.p99 half95,/);
    expect(first).toMatch(/^2,2,0,[\d.]+,[\d.]+,[\d.]+,/);
    expect(failed).toMatch(/^99,0,2,,,,/);
  });

  it('has the requested metrics in table, rows and figures', async () => {
    const asked = ['--metrics', 'goodputBps,pauses', '--csv', at('asked.csv'), '--figures', at('figures')];
    const { stdout } = await run(['sweep', at('sweep.json'), ...asked, '--cache', at('cache')]);
    expect(stdout).toMatch(/^ *senders +runs +goodput$/m);
    expect(stdout).toMatch(/^ *2 +2 +[\d.]+ Gb\/s ± [\d.]+ [MGk]?b\/s$|^ *2 +2 +[\d.]+ Gb\/s$/m);
    expect(stdout).toContain('The same at all points: pause frames ');
    expect(readFileSync(at('asked.csv'), 'utf8')).toMatch(
      /^run,scenario,senders,seed,ended,reason,result,goodputBps,pauses\r\n/,
    );
    expect(readFileSync(path.join(at('figures'), 'figure-1.csv'), 'utf8')).toMatch(/^line,senders,"?Goodput \(Gb\/s\)/);
    const unknown = await run(['sweep', at('sweep.json'), '--metrics', 'speed']);
    expect(unknown.stderr).toContain('--metrics: the metric must be one of');
  });

  it('fits the width of a terminal, with a second table for further metrics', async () => {
    const metrics = ['completionPs.mean', 'completionPs.p99', 'maxQueueBytes', 'meanQueueBytes', 'goodputBps', 'marks'];
    const { stdout } = await run(['sweep', at('sweep.json'), '--metrics', metrics.join(','), '--cache', at('cache')],
      80);
    expect(stdout.match(/^ *senders /gm)).toHaveLength(2);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('lists the planned runs', async () => {
    const { stdout, exitCode } = await run(['sweep', at('sweep.json'), '--dry-run']);
    expect([stdout.split('\n')[0], exitCode]).toEqual(['senders: 8 runs, 4 points', 0]);
  });

  it('continues after a run that takes too long or needs too much memory', async () => {
    const slow = { ...INCAST, workload: { kind: 'incast', senders: 8, sizeBytes: 1e9 } };
    writeFileSync(at('slow.json'), JSON.stringify({
      name: 'slow',
      base: slow,
      axes: [{ path: 'workload.sizeBytes', values: [1e9, 1000] }],
    }));
    const late = await run([
      'sweep',
      at('slow.json'),
      '--csv',
      '-',
      '--time-limit',
      '700ms',
      '--workers',
      '1',
      '--no-cache',
    ]);
    expect(late.stdout.split('\n').map((line) => line.split(',')[4])).toEqual([
      'ended',
      'out-of-time',
      'all-flows-done',
      undefined,
    ]);
    const hosts = { name: 'large', base: INCAST, axes: [{ path: 'topology.hosts', values: [60_000, 9] }] };
    writeFileSync(at('large.json'), JSON.stringify(hosts));
    const large = await run([
      'sweep',
      at('large.json'),
      '--csv',
      '-',
      '--max-memory',
      '200MB',
      '--workers',
      '1',
      '--no-cache',
    ]);
    expect(large.stdout.split('\n').map((line) => line.split(',')[4])).toEqual([
      'ended',
      'out-of-memory',
      'all-flows-done',
      undefined,
    ]);
    expect([late.exitCode, large.exitCode]).toEqual([1, 1]);
  });

  it('continues after a run whose worker ran out of memory', async () => {
    const base = {
      ...INCAST,
      topology: { kind: 'star', hosts: 40 },
      workload: { kind: 'incast', senders: 39, sizeBytes: 1_000_000 },
      durationUs: 1000,
      record: { flows: 'all', ports: 'all', intervalUs: 0.01, maxSamples: 100_000 },
    };
    const axes = [{ path: 'record.maxSamples', values: [100_000, 10] }];
    writeFileSync(at('heap.json'), JSON.stringify({ name: 'heap', base, axes }));
    const { stdout } = await run([
      'sweep',
      at('heap.json'),
      '--csv',
      '-',
      '--max-memory',
      '135MB',
      '--workers',
      '1',
      '--no-cache',
    ]);
    expect(stdout.split('\n').map((line) => line.split(',')[4])).toEqual(['ended', 'out-of-memory', 'time', undefined]);
  });

  it('rejects a sweep without runs', async () => {
    const axes = [{ path: 'algorithms.a.parameters.g', values: [0.1, 0.2] }];
    writeFileSync(at('none.json'), JSON.stringify({ name: 'none', base: INCAST, axes }));
    const { exitCode, stderr } = await run(['sweep', at('none.json'), '--no-cache']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/run 0, algorithms\.a\.parameters\.g: .*"alphaGain".* \(got "g"\)/);
  });

  it.each([
    ['{', 'is not JSON'],
    ['{"name": "a"}', 'sweep.base'],
    ['{"name": "a", "base": "no-such", "axes": []}', 'must be a JSON file or a shipped scenario'],
  ])('rejects %s in one line', async (text, words) => {
    writeFileSync(at('bad.json'), text);
    const { exitCode, stderr } = await run(['sweep', at('bad.json')]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('The cache of runs', () => {
  const job = { scenario: INCAST, metrics: [], sizeBuckets: null };
  const warnings: string[] = [];
  const open = (name: string, more: Partial<ConstructorParameters<typeof RunCache>[0]> = {}) =>
    new RunCache({
      folder: at(name),
      maxBytes: 1e6,
      version: '1',
      warn: (text) => warnings.push(text),
      ...more,
    });
  const digest = (): RunDigest => {
    const outcome = runJob(job);
    if (!isDigest(outcome)) throw new Error(outcome.reason);
    return outcome;
  };

  it('identifies a job by its scenario, with keys in any order, and by the version', () => {
    const cache = open('a');
    const { workload, ...rest } = INCAST;
    expect(cache.keyOf({ ...job, scenario: { workload, ...rest } })).toBe(cache.keyOf(job));
    expect(cache.keyOf({ ...job, scenario: { ...INCAST, seed: 2 } })).not.toBe(cache.keyOf(job));
    expect(cache.keyOf({ ...job, sizeBuckets: [1] })).not.toBe(cache.keyOf(job));
    expect(open('a', { version: '2' }).keyOf(job)).not.toBe(cache.keyOf(job));
  });

  it('rejects an entry that is damaged, truncated or of a different job', () => {
    const cache = open('b');
    const key = cache.keyOf(job);
    const file = path.join(at('b'), `${key}.json`);
    const whole = digest();
    const write = (text: string) => {
      writeFileSync(file, text);
    };
    cache.write(key, whole);
    expect(cache.read(key)).toEqual(whole);
    const text = readFileSync(file, 'utf8');
    for (const bad of [text.replace('"p50":', '"p5o":'), text.slice(0, -20), '', '\n\n', '\u0000'.repeat(100)]) {
      write(bad);
      expect(cache.read(key)).toBeUndefined();
    }
    cache.write(key, whole);
    truncateSync(file, 0);
    expect(cache.read(key)).toBeUndefined();
    const other = cache.keyOf({ ...job, sizeBuckets: [1] });
    cache.write(key, whole);
    writeFileSync(path.join(at('b'), `${other}.json`), readFileSync(file));
    expect(cache.read(other)).toBeUndefined();
    expect(cache.read(key)).toEqual(whole);
  });

  it('stays below its maximum size, and evicts the least recently used entries', () => {
    const lenBytes = JSON.stringify(digest()).length + 66;
    const cache = open('c', { maxBytes: 5 * lenBytes });
    const keys = Array.from({ length: 9 }, (_, seed) => cache.keyOf({ ...job, scenario: { ...INCAST, seed } }));
    for (const key of keys) cache.write(key, digest());
    expect(readdirSync(at('c')).length).toBeLessThanOrEqual(5);
    expect(cache.read(keys[8]!)).toBeDefined();
    expect(cache.read(keys[0]!)).toBeUndefined();
  });
});
