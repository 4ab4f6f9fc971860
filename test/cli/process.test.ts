/** The built executable in a separate process. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUNDLED_CAPTURE, BUNDLED_FLOWS } from '../../src/cli/shipped-files.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
/** The longest acceptable time until the first table. */
const MAIN_JOB_MS = 120_000;
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

function start(args: readonly string[],
  options: { input?: Uint8Array; env?: NodeJS.ProcessEnv; cwd?: string } = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [MAIN, ...args], { cwd: REPOSITORY, encoding: 'utf8', ...options });
}

describe('dist/cli/main.js', () => {
  it('replays the bundled capture', () => {
    const { status, stdout, stderr } = start(['replay'], { env: { ...process.env, npm_lifecycle_event: 'start' } });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('20,890 in = 19,549 handled + 1,221 ignored + 120 rejected');
    expect(stdout).toContain('npm start -- replay FILE --flows FLOWS');
  });

  it('runs the main job without arguments: three runs and the reasons for their results on one screen, and a report', {
    timeout: MAIN_JOB_MS,
  }, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-main-'));
    try {
      const { status, stdout, stderr } = start([], {
        cwd: folder,
        env: { ...process.env, npm_lifecycle_event: 'start', COLUMNS: '80' },
      });
      expect([status, stderr.replaceAll(/^.+ simulated.*\n/gm, '')]).toEqual([0, '']);
      expect(stdout).toMatch(/pause frames +152 +0 +433\n/);
      expect(stdout).toMatch(/DCQCN, Fast CNP: Congestion control did the work; PFC never fired\./);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(24);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(stdout).toContain('npm start -- run FILE.json');
      expect(readFileSync(path.join(folder, 'roce-cc-report.html'), 'utf8')).toContain('id="chart-queue"');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reads standard input', () => {
    const { status, stdout } = start(['replay', '-', '--flows', BUNDLED_FLOWS, '--json'], {
      input: readFileSync(BUNDLED_CAPTURE),
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: '-',
      totals: { in: 20890 },
      notifications: { cnpsSeen: 127, cnpsHandled: 127 },
    });
  });

  it('prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(start(['--version']).stdout).toBe(`${version}\n`);
  });

  it('ends with exit code 1 for invalid input and 2 for an invalid command line', () => {
    expect(start(['replay', 'no-such.pcap'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'roce-cc: no such file: no-such.pcap\n',
    });
    expect(start(['--bogus'])).toMatchObject({ status: 2, stdout: '' });
  });
});
