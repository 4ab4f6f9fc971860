import { describe, expect, it } from 'vitest';
import { ecmpHash, goldenExpectations, goldenPlan, goldenRuns } from '../support/golden-plan.js';
import { GOLDEN_UNIT, readGolden } from '../support/golden.js';
import { ns } from '../../src/units.js';

describe('Plans of the golden runs', () => {
  it.each(goldenRuns())('%s %s: starts and times of lone flows match the reference', (scenario, cc) => {
    const plan = goldenPlan(scenario, cc);
    const expected = goldenExpectations(scenario, cc);
    expect(plan.flows.map(({ startPs }) => startPs)).toEqual(expected.startPs);
    expect(plan.flows.map(({ idealPs }) => idealPs)).toEqual(expected.standalonePs);
    expect(plan.endPs).toBe(ns(expected.summary.end_ns));
  });

  it.each(goldenRuns())('%s %s: the window is the largest bandwidth-delay product', (scenario, cc) => {
    const { summary } = goldenExpectations(scenario, cc);
    for (const { windowBytes, windowMode } of goldenPlan(scenario, cc).flows) {
      expect(windowBytes).toBe(windowMode === 'none' ? 0 : summary.maxBdp);
    }
  });

  it.each(goldenRuns())('%s %s: ports are linked in pairs, and groups hold ports of one node', (scenario, cc) => {
    const { ports, nodes, routes, groups } = goldenPlan(scenario, cc);
    for (const [index, port] of ports.entries()) expect(ports[port.peerPort].peerPort).toBe(index);
    for (const [node, { firstPort, portCount }] of nodes.entries()) {
      const used = nodes.flatMap((_, destination) => groups[routes.group(node, destination)] ?? []);
      expect(used.every((port) => port >= firstPort && port < firstPort + portCount)).toBe(true);
    }
  });

  it('thresholds scale with the rate of the port, and faster ports get a larger share', () => {
    const { ports } = goldenPlan('leafspine32_48f', 'dcqcn_step');
    const uplink = ports.find(({ rateBps }) => rateBps === 400e9)!;
    expect(uplink).toMatchObject({
      kminBytes: 1_600_000,
      kmaxBytes: 1_600_000,
      pmax: 1,
      headroomBytes: 150_000,
      thresholdShift: 1,
    });
    const downlink = ports.find(({ rateBps, ecn }) => rateBps === 100e9 && ecn)!;
    expect(downlink).toMatchObject({ kminBytes: 400_000, headroomBytes: 37_500, thresholdShift: 3 });
  });
});

describe('Hashes', () => {
  it.each(['ecmp_hash.csv', 'qp_hash.csv'])('match the reference: %s', (file) => {
    for (const { sip, dip, sport, dport, seed, hash } of readGolden(GOLDEN_UNIT, file)) {
      expect(ecmpHash(Number(sip), Number(dip), Number(sport), Number(dport), Number(seed ?? 0x8badf00d))).toBe(
        Number(hash),
      );
    }
  });
});
