/**
 * A permutation over a fat-tree whose switches spray: with receivers that accept reordering, no packet is
 * retransmitted. Among the long tests with 1,024 hosts, where it ends within 215 us; a packet alone takes 164 us to
 * leave its host with the 488 before it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { us } from '../../src/units.js';
import { IS_LONG } from '../support/effort.js';

const SLOW_MS = 300_000;
const GIVEN = JSON.parse(
  readFileSync(new URL('../../examples/scenarios/fat-tree-k16-sprayed.json', import.meta.url), 'utf8'),
) as ScenarioSpec;

function runOf(k: number, hosts: HostSpec, more: Partial<ScenarioSpec> = {}) {
  const topology = { kind: 'fat-tree', k, rateGbps: 100 } as const;
  const { flows, totals } = runScenarioSync({ ...GIVEN, topology, ...more, hosts: { mtuBytes: 4096, ...hosts } });
  return {
    lastPs: Math.max(...flows.map(({ completionPs }) => completionPs ?? Infinity)),
    again: totals.retransmittedPackets,
    dropped: totals.packetsDropped,
    timeouts: totals.timeouts,
    depth: Math.max(...flows.map(({ reorderingDepthPackets = 0 }) => reorderingDepthPackets)),
  };
}

describe.each(IS_LONG ? [8, 16] : [8])('A sprayed permutation over a fat-tree, k = %i,', (k) => {
  it('has no retransmissions under tolerant, and many under selective repeat', () => {
    const tolerant = runOf(k, { reordering: 'tolerant' });
    expect(tolerant).toMatchObject({ again: 0, dropped: 0, timeouts: 0 });
    expect(tolerant.lastPs).toBeLessThanOrEqual(us(215));
    const selective = runOf(k, { reordering: 'selective-repeat' });
    expect(selective).toMatchObject({ dropped: 0 });
    expect(selective.again).toBeGreaterThan(k ** 3);
    expect(selective.lastPs).toBeGreaterThan(tolerant.lastPs);
  }, SLOW_MS);

  it('has no retransmissions under DCQCN, with or without PFC, and its packets stay well within the window', () => {
    const algorithms = { dcqcn: { preset: 'dcqcn-sigcomm15' } } as const;
    for (const pfc of [true, false]) {
      const { depth, ...others } = runOf(k, { reordering: 'tolerant' }, {
        algorithms,
        switches: { ...GIVEN.switches, pfc },
      });
      expect(others).toMatchObject({ again: 0, dropped: 0, timeouts: 0 });
      expect(depth).toBeLessThan(1024 / 4);
    }
  }, SLOW_MS);
});
