/**
 * Packets over a recovered link overtake those on a longer path. The receiver treats the gap as a loss,
 * the sender goes back, and many of the retransmitted packets are duplicates.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { modelNetwork } from '../model/model.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const PACKETS = 400;
const MTU_BYTES = 1024;

function overtaking(retransmitTimeoutUs: number): ScenarioSpec {
  return {
    name: 'overtaking',
    topology: {
      kind: 'edges',
      nodes: [
        { name: 'h0', kind: 'host' },
        { name: 'h1', kind: 'host' },
        ...['s0', 's1', 's2'].map((name) => ({ name, kind: 'switch' as const })),
      ],
      links: [['h0', 's0'], ['s0', 's1'], ['s1', 'h1'], ['s0', 's2'], ['s2', 's1']]
        .map(([from, to]) => ({ from, to, rateGbps: 100, delayNs: from === 's2' ? 10_000 : 100 })),
    },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: PACKETS * MTU_BYTES, startUs: 2 }] },
    hosts: { mtuBytes: MTU_BYTES, retransmitTimeoutUs },
    faults: [{ kind: 'link-down', between: ['s0', 's1'], fromUs: 1, toUs: 20 }],
  };
}

describe.each([['kernel', runPlan], ['model', modelNetwork]] as const)('Duplicate packets, in the %s', (_, run) => {
  const outcome = (retransmitTimeoutUs: number) => {
    const { flows, totals } = run(compileScenario(validateScenario(overtaking(retransmitTimeoutUs))).plan);
    expect(flows[0].completionPs).not.toBeNull();
    expect([totals.timeouts, totals.packetsDropped]).toEqual([0, 0]);
    expect(Math.min(totals.naks, totals.retransmittedPackets)).toBeGreaterThan(0);
    return totals;
  };

  it('cause no further ACK if the sender has no timeout', () => {
    const { dataPackets, acks } = outcome(0);
    expect(acks).toBe(PACKETS);
    expect(dataPackets).toBeGreaterThan(PACKETS);
  });

  it('are acknowledged if the sender has a timeout', () => {
    expect(outcome(500).acks).toBeGreaterThan(PACKETS);
  });
});
