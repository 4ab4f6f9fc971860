/**
 * Fidelity `reference` where round trips are longer than the 500 us between two NAKs for one gap: the second one sets the next
 * byte back while packets sent after the first are in flight, and the flow retransmits them although they arrive.
 * Kernel and plain model agree.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { modelNetwork } from '../model/model.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const MB = 1_000_000;

/**
 * A second sender makes the first lose packets; later another flow of the first host halves its rate, so that ACKs of
 * packets sent before overtake those being sent.
 */
function longLinks(preset: string, laterUs: number): NetworkPlan {
  return compileScenario(validateScenario({
    name: 'long links',
    fidelity: 'reference',
    durationUs: 8000,
    topology: { kind: 'star', hosts: 3, delayNs: 300_000 },
    workload: {
      kind: 'flows',
      flows: [
        { from: 'h0', to: 'h2', sizeBytes: 30 * MB },
        { from: 'h1', to: 'h2', sizeBytes: 0.3 * MB },
        { from: 'h0', to: 'h1', sizeBytes: 20 * MB, startUs: laterUs },
      ],
    },
    algorithms: { a: { preset, window: 'none' } },
    switches: { pfc: false, bufferBytes: 200_000, ecn: { enabled: false } },
  })).plan;
}

describe('A next byte that a NAK has moved back', () => {
  it('is not moved forward again, and received packets are retransmitted', () => {
    const plan = longLinks('dcqcn-ns3', 2300);
    const kernel = runPlan(plan);
    const model = modelNetwork(plan);
    expect(kernel.flows.map(({ completionPs, retransmittedPackets }) => ({ completionPs, retransmittedPackets })))
      .toEqual(
        model.flows.map(({ completionPs, retransmitted }) => ({ completionPs, retransmittedPackets: retransmitted })),
      );
    expect(kernel.ports.map(({ txPackets, drops }) => ({ txPackets, drops })))
      .toEqual(model.ports.map(({ txPackets, drops }) => ({ txPackets, drops })));
    expect(kernel.totals.naks).toBeGreaterThan(2);
  });
});
