/** Rules of fidelity `standard` that both kernel and model follow, verified on packets. */
import { describe, expect, it } from 'vitest';
import type { PacketRecord } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { us } from '../../src/units.js';

const ONE_DATA_PACKET_PS = Math.ceil(((1024 + 82 + 20) * 8e12) / 100e9);

describe('CNPs', () => {
  it('overtake queued data: at a switch they wait at most for the packet in transmission', () => {
    // h0 sends to h3, which is congested; h1 and h2 send to h0 in five classes, so that CNPs meet long queues on their way back,
    // which round-robin would serve in order.
    const records: PacketRecord[] = [];
    const spec: ScenarioSpec = {
      name: 'strict',
      topology: { kind: 'star', hosts: 5 },
      workload: {
        kind: 'flows',
        flows: [
          ...['h0', 'h4'].map((from) => ({ from, to: 'h3', sizeBytes: 300_000 })),
          ...['h1', 'h2'].flatMap((from) =>
            [1, 2, 3, 4, 5].map((trafficClass) => ({ from, to: 'h0', sizeBytes: 60_000, trafficClass }))
          ),
        ],
      },
      algorithms: { none: { preset: 'none' } },
      switches: { ecn: { kminKB: 5, kmaxKB: 5 } },
      hosts: { cnpIntervalUs: 4 },
      record: { capture: ['h3:s0', 's0:h0'] },
    };
    const { ports } = runScenarioSync(spec, { onPackets: (some) => void records.push(...some) });
    const timesAt = (name: string): number[] =>
      records.filter(({ kind, port, flow }) => kind === 'cnp' && flow === 0 && ports[port].name === name)
        .map(({ timePs }) => timePs);
    const [sent, passedOn] = [timesAt('h3:s0'), timesAt('s0:h0')];
    expect(sent.length).toBeGreaterThan(5);
    expect(passedOn).toHaveLength(sent.length);
    const cnpPs = Math.ceil(((98 + 20) * 8e12) / 100e9);
    const waitsPs = passedOn.map((timePs, i) => timePs - sent[i] - cnpPs - us(1));
    expect(Math.min(...waitsPs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waitsPs)).toBeLessThanOrEqual(ONE_DATA_PACKET_PS);
    expect(ports.find(({ name }) => name === 's0:h0')?.maxQueueBytes).toBeGreaterThan(50 * 1106);
  });

  it('that arrive within 50 us of a Fast CNP are ignored as repetitions, and later ones count', () => {
    // Both senders share s0:s1, where Fast CNPs are made; s1:h2 is slower, and marks.
    const outcome = (cnpDelayUs: number) => {
      const { flows } = runScenarioSync({
        name: 'twice',
        topology: {
          kind: 'edges',
          nodes: [
            ...['h0', 'h1', 'h2'].map((name) => ({ name, kind: 'host' as const })),
            ...['s0', 's1'].map((name) => ({ name, kind: 'switch' as const })),
          ],
          links: [
            { from: 'h0', to: 's0' },
            { from: 'h1', to: 's0' },
            { from: 's0', to: 's1' },
            { from: 's1', to: 'h2', rateGbps: 50 },
          ],
        },
        workload: { kind: 'flows', flows: ['h0', 'h1'].map((from) => ({ from, to: 'h2', sizeBytes: 40_960 })) },
        switches: { ecn: { kminKB: 0, kmaxKB: 0 } },
        overrides: [{ nodes: ['s0'], switch: { fastCnp: { enabled: true } } }],
        hosts: { cnpDelayUs },
      });
      return flows.map(({ cnps, fastCnps, duplicateNotifications }) => [fastCnps, cnps, duplicateNotifications]);
    };
    expect(outcome(10)).toEqual([[1, 0, 1], [1, 0, 1]]);
    expect(outcome(45)).toEqual([[1, 0, 1], [1, 0, 1]]);
    expect(outcome(60)).toEqual([[1, 1, 0], [1, 1, 0]]);
  });
});

describe('Pauses', () => {
  it('add up to the paused time of a port, which sends nothing meanwhile', () => {
    const result = runScenarioSync({
      name: 'paused',
      topology: { kind: 'star', hosts: 4 },
      workload: { kind: 'incast', senders: 3, sizeBytes: 400_000 },
      algorithms: { none: { preset: 'none' } },
      switches: { bufferBytes: 600_000, headroomBytes: 60_000 },
      record: { pauses: true },
    });
    expect(result.totals.pauses).toBeGreaterThan(5);
    expect(result.totals.packetsDropped).toBe(0);
    for (const { name, pausedPs } of result.ports.filter(({ node }) => node.startsWith('h'))) {
      const own = result.pauses!.filter(({ port }) => port === name);
      expect(pausedPs, name).toBe(own.reduce((sum, { fromPs, toPs }) => sum + toPs - fromPs, 0));
      if (name !== 'h3:s0') expect(pausedPs, name).toBeGreaterThan(us(10));
    }
  });
});
