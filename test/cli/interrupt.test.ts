/** Ctrl-C as a terminal sends it, while the event loop is busy. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startInBackground } from './support/process.js';

const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-interrupt-'));
const at = (name: string): string => path.join(folder, name);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const HOSTS = 1000;
/** Compiling them takes seconds, and so does setting up their run. */
const FLOWS = 900_000;
/** A second, with a margin for a busy machine. */
const SOON_MS = 5000;

function scenario(name: string, workload: unknown): string {
  writeFileSync(at(`${name}.json`), JSON.stringify({ name, topology: { kind: 'star', hosts: HOSTS }, workload }));
  return at(`${name}.json`);
}

/**
 * Sends SIGINT when a text appears on standard output, or after a time; returns the exit code and the time until the
 * exit.
 */
async function interrupted(when: RegExp | number, args: readonly string[]) {
  const child = startInBackground(args);
  let stdout = '';
  const isTime = new Promise<void>((resolve) => {
    if (typeof when === 'number') setTimeout(resolve, when);
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (typeof when !== 'number' && when.test(stdout)) resolve();
    });
  });
  await isTime;
  const beganMs = performance.now();
  child.kill('SIGINT');
  const [code, signal] = await once(child, 'close') as [number | null, string | null];
  return { exitCode: signal === 'SIGINT' ? 130 : code, stdout, tookMs: performance.now() - beganMs };
}

const small = () => scenario('small', { kind: 'incast', senders: 1, sizeBytes: 1000 });
const large = () =>
  scenario('large', {
    kind: 'flows',
    flows: Array.from({ length: FLOWS }, (_, index) => ({
      from: `h${index % HOSTS}`,
      to: `h${(index + 1) % HOSTS}`,
      sizeBytes: 1000,
    })),
  });

it('ends a run while its second scenario is compiled', async () => {
  const { exitCode, tookMs } = await interrupted(2500, ['run', small(), large()]);
  expect(exitCode).toBe(130);
  expect(tookMs).toBeLessThan(SOON_MS);
}, 60_000);

it('ends a run while its second scenario is set up, with the first result printed and in its file', async () => {
  const { exitCode, tookMs, stdout } = await interrupted(/notification delay, mean/, [
    'run',
    small(),
    large(),
    '--json',
    at('r.json'),
  ]);
  expect(exitCode).toBe(130);
  expect(tookMs).toBeLessThan(SOON_MS);
  expect(stdout).toContain('roce-cc run: small');
  expect(JSON.parse(readFileSync(at('r-small.json'), 'utf8'))).toMatchObject({ ended: 'all-flows-done' });
}, 60_000);
