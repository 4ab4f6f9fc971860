/** A sweep that is killed at random instants and continued: no row lost, none twice, none different. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const SWEEP = {
  name: 'killed',
  base: {
    name: 'incast',
    topology: { kind: 'star', hosts: 17 },
    workload: { kind: 'incast', senders: 16, sizeBytes: 400_000 },
    algorithms: { a: { preset: 'dcqcn-sigcomm15' } },
  },
  axes: [{ path: 'switches.ecn.kminKB', values: [10, 20, 50, 100] }],
  seeds: 6,
};

/** Findings. */
export interface KillReport {
  readonly kills: number;
  /** Sweeps that came to their end between kills. */
  readonly ended: number;
  /** The fault; none. */
  readonly problems: readonly string[];
}

/**
 * Kills a sweep N times.
 *
 * @param random numbers from 0 to 1.
 */
export async function killSweep(kills: number, random: () => number): Promise<KillReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-kills-'));
  const problems: string[] = [];
  let ended = 0;
  try {
    const file = path.join(folder, 'sweep.json');
    writeFileSync(file, JSON.stringify(SWEEP));
    const whole = await wholeRows(file, folder);
    const tookMs = whole.tookMs;
    for (let kill = 0; kill < kills; kill++) {
      const rows = path.join(folder, 'rows.csv');
      const isEnded = await runSweep(file, rows, path.join(folder, 'cache'), random() * tookMs);
      problems.push(...problemsOf(rows, whole.text, isEnded).map((problem) => `kill ${kill}: ${problem}`));
      if (!isEnded) continue;
      ended++;
      rmSync(path.join(folder, 'cache'), { recursive: true, force: true });
    }
    const last = path.join(folder, 'last.csv');
    await runSweep(file, last, path.join(folder, 'cache'), undefined);
    problems.push(...problemsOf(last, whole.text, true).map((problem) => `at the end: ${problem}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { kills, ended, problems };
}

async function wholeRows(file: string, folder: string): Promise<{ text: string; tookMs: number }> {
  const rows = path.join(folder, 'whole.csv');
  const beganMs = performance.now();
  await runSweep(file, rows, undefined, undefined);
  return { text: readFileSync(rows, 'utf8'), tookMs: performance.now() - beganMs };
}

/** Whether it ended without being killed. */
async function runSweep(file: string, rows: string, cache: string | undefined,
  killAfterMs: number | undefined): Promise<boolean> {
  const kept = cache === undefined ? ['--no-cache'] : ['--cache', cache];
  const child = spawn(process.execPath, [MAIN, 'sweep', file, '--csv', rows, '-q', '--workers', '2', ...kept], {
    stdio: 'ignore',
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  clearTimeout(timer);
  return code === 0;
}

/** Rows so far are the first of all, the last of them perhaps cut off; at the end they are all. */
function problemsOf(rows: string, whole: string, isEnded: boolean): string[] {
  const text = existsSync(rows) ? readFileSync(rows, 'utf8') : '';
  if (isEnded) return text === whole ? [] : ['rows are not the same'];
  return whole.startsWith(text) ? [] : ['rows so far are not the first of all'];
}
