/** A network preset has the settings of its slide, and contradicting settings are rejected. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { NETWORK_PRESETS } from '../../src/sim/scenario/network-presets.js';
import { explainResult } from '../../src/sim/explain/explain.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const SLOW: FaultSpec = { kind: 'slow-receiver', host: 'h3', rateGbps: 20 };

/** Three senders and a host that receives at a fifth of its link rate. */
function incast(given: Partial<ScenarioSpec>): ScenarioSpec {
  return {
    name: 'incast',
    durationUs: 2000,
    topology: { kind: 'star', hosts: 4 },
    workload: { kind: 'incast', senders: 3, sizeBytes: 200_000 },
    faults: [SLOW],
    ...given,
  };
}

const planOf = (given: Partial<ScenarioSpec>) => compileScenario(validateScenario(incast(given))).plan;

describe('A network preset', () => {
  it('has the settings of its slide', () => {
    const byHand: Record<string, Partial<ScenarioSpec>> = {
      lossless: { switches: { pfc: true, ecn: { enabled: true } }, faults: [{ ...SLOW, pfc: true }] },
      'semi-lossless': { switches: { pfc: false, ecn: { enabled: true } }, faults: [{ ...SLOW, pfc: true }] },
      'lossy-1': {
        switches: { pfc: false, ecn: { enabled: true, markAt: 'dequeue' } },
        hosts: { transport: 'selective-repeat' },
        faults: [{ ...SLOW, pfc: false }],
      },
      'lossy-2': {
        switches: { pfc: false, ecn: { enabled: false } },
        hosts: { transport: 'selective-repeat', lossReaction: 'cnp' },
        faults: [{ ...SLOW, pfc: false }],
      },
    };
    expect(Object.keys(byHand)).toEqual(NETWORK_PRESETS);
    for (const network of NETWORK_PRESETS) expect(planOf({ network }), network).toEqual(planOf(byHand[network] ?? {}));
  });

  it('determines which nodes send pauses: a slow receiver loses packets under lossy-1, not under semi-lossless', () => {
    const seen = NETWORK_PRESETS.map((network) => {
      const { totals, ports } = runScenarioSync(incast({ network, switches: { bufferBytes: 300_000 } }));
      const pausesOf = (node: string) =>
        ports.filter((port) => port.node === node).reduce((sum, { pausesSent }) => sum + pausesSent, 0);
      const { receiveBuffer = 0 } = totals.drops;
      return { network, switches: pausesOf('s0') > 0, receiver: pausesOf('h3') > 0, receiveDrops: receiveBuffer > 0 };
    });
    expect(seen).toEqual([
      { network: 'lossless', switches: true, receiver: true, receiveDrops: false },
      { network: 'semi-lossless', switches: false, receiver: true, receiveDrops: false },
      { network: 'lossy-1', switches: false, receiver: false, receiveDrops: true },
      { network: 'lossy-2', switches: false, receiver: false, receiveDrops: true },
    ]);
  });

  it.each<[Partial<ScenarioSpec>, string, string]>([
    [{ network: 'lossless', switches: { pfc: false } }, 'switches.pfc', 'true'],
    [{ network: 'semi-lossless', switches: { pfc: true } }, 'switches.pfc', 'false'],
    [{ network: 'lossy-1', switches: { ecn: { enabled: false } } }, 'switches.ecn.enabled', 'true'],
    [{ network: 'lossy-1', switches: { ecn: { markAt: 'enqueue' } } }, 'switches.ecn.markAt', 'dequeue'],
    [{ network: 'lossy-2', switches: { ecn: { enabled: true } } }, 'switches.ecn.enabled', 'false'],
    [{ network: 'lossy-1', faults: [SLOW, { ...SLOW, host: 'h2', pfc: true }] }, 'faults[1].pfc', 'false'],
  ])('rejects %j', (given, where, allowed) => {
    expect(() => validateScenario(incast(given))).toThrow(expect.objectContaining({
      code: 'invalid-scenario',
      where,
      allowed,
      message: expect.stringContaining(`contradicts the network ${given.network}`) as string,
    }));
  });

  it('is of fidelity standard, and one of four names', () => {
    expect(() => validateScenario(incast({ network: 'lossless', fidelity: 'reference', faults: [] }))).toThrow(
      'network is a setting of fidelity standard, and the fidelity is reference (got "lossless").',
    );
    expect(() => validateScenario(incast({ network: 'lossy' as 'lossy-1' }))).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where: 'network', got: 'lossy' }),
    );
  });

  it('allows a different transport, a different loss reaction and overrides of single nodes', () => {
    const valid = validateScenario(incast({
      network: 'lossy-2',
      hosts: { transport: 'irn', lossReaction: 'none' },
      overrides: [{ nodes: ['s0'], switch: { pfc: true } }],
    }));
    expect(valid.hosts).toMatchObject({ transport: 'irn', lossReaction: 'none' });
    expect(valid.switches.find((one) => one !== null)).toMatchObject({ pfc: true, ecn: { enabled: false } });
  });

  it('is kept in the result, and explanations use its settings', () => {
    const spec = incast({ network: 'lossy-2', faults: [] });
    const result = runScenarioSync(spec);
    expect(result.scenario).toEqual(spec);
    expect(() => explainResult(result)).not.toThrow();
  });
});
