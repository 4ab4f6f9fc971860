/**
 * A sweep over workers that are connected by a real Redis: workers are killed, Redis is restarted, and no row is
 * missing.
 *
 * Needs redis-server on the PATH or in REDIS_SERVER; without it the test is skipped, and in CI it fails.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INCAST } from '../sweep/support/incast.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { start, startInBackground } from './support/process.js';

const SERVER = process.env['REDIS_SERVER'] ?? 'redis-server';
const hasRedis = spawnSync(SERVER, ['--version']).status === 0;
const TEST_MS = 120_000;

const SWEEP = {
  name: 'far',
  base: {
    ...INCAST,
    topology: { kind: 'star', hosts: 9 },
    workload: { kind: 'incast', senders: 8, sizeBytes: 1_000_000 },
  },
  axes: [{ path: 'workload.senders', values: [2, 4, 99, 8] }],
  seeds: 6,
  metrics: ['slowdown.p99'],
};

/** Very short runs. */
const QUICK = { ...SWEEP, name: 'quick', axes: [{ path: 'workload.sizeBytes', values: [1000, 1001] }], seeds: 400 };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

function linesOf(file: string): number {
  try {
    return readFileSync(file, 'utf8').split('\r\n').length - 2;
  } catch {
    return 0;
  }
}

describeNeeding(hasRedis ? undefined : 'redis-server is not installed', 'a sweep by a Redis (redis-server)', () => {
  let folder: string;
  let port: number;
  let url: string;
  const children: ChildProcess[] = [];
  const at = (name: string) => path.join(folder, name);
  const kept = (child: ChildProcess) => {
    children.push(child);
    return child;
  };
  const startRedis = () =>
    kept(spawn(SERVER, [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--save',
      '',
    ], {
      stdio: 'ignore',
    }));
  const startWorker = () =>
    kept(startInBackground(['worker', '--redis', url, '--workers', '1', '--no-cache', '-q'], { stdio: 'ignore' }));

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-redis-'));
    port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    writeFileSync(at('sweep.json'), JSON.stringify(SWEEP));
  });

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(ended));
    rmSync(folder, { recursive: true, force: true });
  });

  it('has all rows although two of three workers are killed and Redis is restarted', async () => {
    const alone = start(['sweep', at('sweep.json'), '--csv', at('alone.csv'), '--no-cache', '-q', '--workers', '2']);
    expect(alone.status).toBe(1);
    let redis = startRedis();
    await wait(500);
    const [first, second] = [startWorker(), startWorker(), startWorker()];
    const far = kept(
      startInBackground(['sweep', at('sweep.json'), '--csv', at('far.csv'), '--no-cache', '-q', '--redis', url], {
        stdio: 'ignore',
      }),
    );
    while (linesOf(at('far.csv')) < 2 && far.exitCode === null) await wait(20);
    first.kill('SIGKILL');
    redis.kill('SIGKILL');
    await ended(redis);
    second.kill('SIGKILL');
    await wait(300);
    redis = startRedis();
    expect(await ended(far)).toBe(1);
    expect(readFileSync(at('far.csv'), 'utf8')).toBe(readFileSync(at('alone.csv'), 'utf8'));
  }, TEST_MS);

  it('uses existing results without a worker', () => {
    for (const child of children.slice(1, 4)) child.kill('SIGKILL');
    const again = start(['sweep', at('sweep.json'), '--csv', at('again.csv'), '--no-cache', '--redis', url]);
    expect(again.status).toBe(1);
    expect(readFileSync(at('again.csv'), 'utf8')).toBe(readFileSync(at('alone.csv'), 'utf8'));
    const [, name] = /--attach ([0-9a-f]{16}) --redis URL/.exec(again.stderr) ?? [];
    const attached = ['sweep', '--attach', '--redis', url, '--csv', at('attached.csv'), '--no-cache', '-q'];
    expect(start(attached).status).toBe(1);
    expect(readFileSync(at('attached.csv'), 'utf8')).toBe(readFileSync(at('alone.csv'), 'utf8'));
    const { stderr } = start(['sweep', '--attach', '0123456789abcdef', '--redis', url]);
    expect(stderr).toContain(`0123456789abcdef`);
    expect(stderr).toContain(name);
  }, TEST_MS);

  it('has one row per run, even if runs end while they are requested', async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(ended));
    startRedis();
    await wait(500);
    for (let worker = 0; worker < 3; worker += 1) startWorker();
    writeFileSync(at('quick.json'), JSON.stringify(QUICK));
    const far = ['sweep', at('quick.json'), '--csv', at('quick.csv'), '--no-cache', '-q', '--redis', url];
    const { stderr } = start(far);
    expect({ lines: linesOf(at('quick.csv')), stderr }).toEqual({ lines: 800, stderr: '' });
  }, TEST_MS);

  it('is required to attach to a sweep', () => {
    expect(start(['sweep', '--attach']).stderr).toContain("'--attach' has no effect without '--redis'");
    expect(start(['sweep']).stderr).toContain('either a sweep file or --attach');
  });
});

describe('Without Redis', () => {
  it('a sweep reports that none responds, and never prints the password', async () => {
    const unused = await freePort();
    const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-redis-'));
    writeFileSync(path.join(folder, 'sweep.json'), JSON.stringify(SWEEP));
    const { status, stderr } = start([
      'sweep',
      path.join(folder, 'sweep.json'),
      '--no-cache',
      '--redis',
      `redis://me:secret@127.0.0.1:${unused}`,
    ]);
    rmSync(folder, { recursive: true });
    expect(status).toBe(1);
    expect(stderr).toContain(`Redis at 127.0.0.1:${unused} does not respond`);
    expect(stderr).not.toContain('secret');
    expect(start(['worker', '--redis', 'http://secret']).stderr).toMatch(/^roce-cc: --redis: the Redis URL .*redis:/);
  });
});
