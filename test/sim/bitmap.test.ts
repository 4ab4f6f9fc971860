/** Penalties of entropies under `bitmap`: few entropies and many packets, so that each penalty expires. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const MTU = 1024;
const PACKETS = 300;

interface Setting {
  readonly entropies: number;
  /** In flight at once; 1: only a timeout finds a loss. */
  readonly windowPackets: number;
  /** Their first arrival at the receiver is dropped. */
  readonly lost: readonly number[];
  readonly isMarked?: boolean;
}

/** Two paths, one of which is slower, so that each packet's time identifies its path. */
function scenario({ entropies, windowPackets, lost, isMarked = false }: Setting): ScenarioSpec {
  const link = { delayNs: 500, rateGbps: 100 };
  return {
    name: 'penalties of entropies',
    topology: {
      kind: 'edges',
      nodes: [
        ...['h0', 'h1'].map((name) => ({ name, kind: 'host' as const })),
        ...['leaf0', 'leaf1', 'spine0', 'spine1'].map((name) => ({ name, kind: 'switch' as const })),
      ],
      links: [
        { from: 'h0', to: 'leaf0', ...link },
        { from: 'h1', to: 'leaf1', ...link },
        { from: 'leaf0', to: 'spine0', ...link },
        { from: 'leaf0', to: 'spine1', ...link, rateGbps: 40 },
        { from: 'leaf1', to: 'spine0', ...link },
        { from: 'leaf1', to: 'spine1', ...link },
      ],
    },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: PACKETS * MTU }] },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: isMarked ? { kminKB: 0, kmaxKB: 0, pmax: 1 } : false },
    hosts: {
      transport: 'irn',
      irn: { windowBytes: windowPackets * MTU },
      mtuBytes: MTU,
      retransmitTimeoutUs: 100,
      pathSelection: 'bitmap',
      entropies,
    },
    faults: lost.map((packet): FaultSpec => ({ kind: 'drop', flow: 0, firstByte: packet * MTU, arrival: 1 })),
  };
}

it('Kernel and model agree on penalties if there are few entropies', () => {
  const settings = fc.record({
    entropies: fc.constantFrom(1, 2, 4, 8),
    windowPackets: fc.constantFrom(1, 2, 8),
    lost: fc.uniqueArray(fc.nat(PACKETS / 2), { maxLength: 6 }),
    isMarked: fc.boolean(),
  });
  const seen = { timeouts: 0, naks: 0, marks: 0 };
  const property = fc.property(settings, (setting) => {
    const { totals } = expectAgreement(planOf(scenario(setting))!);
    seen.timeouts += totals.timeouts;
    seen.naks += totals.naks;
    seen.marks += totals.marks;
  });
  fc.assert(property, { seed: 20_261_128, numRuns: 40 });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});
