/** Long runs: their estimate before the start, and a time limit. */
import { describe, expect, it } from 'vitest';
import { EXIT_TIME_UP } from '../../src/cli/output.js';
import { run } from './support/run.js';

describe('roce-cc run --estimate', () => {
  it('prints one estimate per run, and no result', async () => {
    const { stdout, stderr, exitCode } = await run(['run', 'incast-16', 'long-link', '--estimate']);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^16-to-1 incast, DCQCN: 16 flows, about 62,512 data packets, 250,048 packet hops, 1\d\d\.\d MB of memory, .* on this machine$/,
      ),
      expect.stringMatching(/: \d+ flows, about 78,128 data packets, 468,768 packet hops, /),
    ]);
  });
});

describe('roce-cc run --max-time', () => {
  it('stops a run, prints and reports the partial result, with the exit code of timeout(1)', async () => {
    const endless = '{"kind":"incast","senders":8,"sizeBytes":1e12}';
    const { stdout, stderr, exitCode } = await run([
      'run',
      'incast-16',
      '--set',
      `workload=${endless}`,
      '--set',
      'durationUs=1e9',
      '--max-time',
      '1s',
      '--json',
      '-',
    ]);
    expect(exitCode).toBe(EXIT_TIME_UP);
    expect(stderr).toContain('stopped after 1.00 s (--max-time)');
    expect((JSON.parse(stdout) as { ended: string }).ended).toBe('cancelled');
  });

  it('does not affect a run that ends earlier', async () => {
    const [bounded, free] = [
      await run(['run', 'incast-16', '--json', '-', '--max-time', '1h']),
      await run(['run', 'incast-16', '--json', '-']),
    ];
    expect(bounded).toEqual(free);
  });

  it.each(['5', '0s', '-1s', '600h', '10m'])('rejects %s', async (time) => {
    const { exitCode, stderr } = await run(['run', 'incast-16', '--max-time', time]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Allowed: a time such as 90s, 10min or 2h');
  });
});
