/**
 * Rates over real links: each of sixteen flows has a sixteenth of the link within 10 %, averaged over the second half
 * of a run. A process that is scheduled late cannot keep its rates, so a busy machine gets more attempts.
 */
import { describe, expect, it } from 'vitest';
import { runNamespaceDemo, runUdpDemo, type DemoMode, type DemoOptions,
  type DemoResult } from '../../src/live/index.js';
import { describeWithNamespaces } from './support/namespaces.js';

const MOST_OFF = 0.1;
const SECONDS = [16, 32, 48];

type Run = (options: DemoOptions) => Promise<DemoResult>;

async function expectFair(run: Run, mode: DemoMode): Promise<void> {
  const tries: string[] = [];
  for (const seconds of SECONDS) {
    const { worst, fairness, maxLagPs, goodputsBps, lostOnLinks } = await run({ mode, rateBps: 50e6, seconds });
    expect(goodputsBps).toHaveLength(16);
    if (worst <= MOST_OFF) {
      expect(fairness).toBeGreaterThan(0.99);
      return;
    }
    const lagMs = (maxLagPs / 1e9).toFixed(1);
    tries.push(
      `after ${seconds} s ${(worst * 100).toFixed(1)} % off, ${lagMs} ms late, ${lostOnLinks} frames lost on links`,
    );
  }
  expect(tries, 'worst flow of each try').toEqual([]);
}

describe('sixteen flows over UDP sockets', () => {
  it('share the link fairly under DCQCN', async () => {
    await expectFair(runUdpDemo, 'dcqcn');
  }, 180_000);
});

describeWithNamespaces('sixteen flows between namespaces', () => {
  it('share the link fairly under DCQCN with Fast CNPs', async () => {
    await expectFair(runNamespaceDemo, 'dcqcn-fast-cnp');
  }, 180_000);
});
