import { describe, expect, it } from 'vitest';
import { PHASES } from '../../src/sim/index.js';
import { run } from './support/run.js';

describe('roce-cc run --profile', () => {
  it('reports the time of each phase on standard error, and prints the same result', async () => {
    const [profiled, plain] = [
      await run(['run', 'incast-16', '--profile', '--json', '-']),
      await run(['run', 'incast-16', '--json', '-']),
    ];
    expect(profiled.stdout).toBe(plain.stdout);
    expect(plain.stderr).toBe('');
    const lines = profiled.stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Profile of .*: 16 flows, [\d,]+ packet hops$/);
    expect(lines.at(-1)).toMatch(/^In the kernel: [\d.,]+ million packet hops per second$/);
    expect(lines.slice(1, -1).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      ...PHASES,
      'all',
      'outside kernel',
    ]);
    const kernelMs = Number(/kernel +([\d.]+) ms/.exec(profiled.stderr)?.[1]);
    expect(kernelMs).toBeGreaterThan(0);
  });
});
