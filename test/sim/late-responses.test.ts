/**
 * Responses that arrive late or out of order, caused by a link that goes down and comes up again.
 * The kernel is compared with the plain model too.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { modelNetwork } from '../model/model.js';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

const MTU = 1024;
const LOST = 5;

/** A short path between two hosts, and one of 2 ms through s2 while the short one is down. */
function twoWays(faults: readonly FaultSpec[]): ScenarioSpec {
  const link = (from: string, to: string, delayNs: number, rateGbps = 1) => ({ from, to, delayNs, rateGbps });
  return {
    name: 'two ways',
    topology: {
      kind: 'edges',
      nodes: [
        { name: 'h0', kind: 'host' },
        { name: 'h1', kind: 'host' },
        { name: 's0', kind: 'switch' },
        { name: 's1', kind: 'switch' },
        { name: 's2', kind: 'switch' },
      ],
      links: [
        // Faster than the others, so that the sender's port is idle when the NAK comes.
        link('h0', 's0', 1000, 10),
        link('h1', 's1', 100_000),
        link('s0', 's1', 1000),
        link('s0', 's2', 1_000_000),
        link('s2', 's1', 1_000_000),
      ],
    },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 600 * MTU }] },
    algorithms: { none: { preset: 'none' } },
    hosts: { transport: 'selective-repeat', timeout: 7 },
    faults: [...faults],
  };
}

const lost: FaultSpec = { kind: 'drop', flow: 0, firstByte: LOST * MTU, arrival: 1, of: 'data' };
/** The NAK reaches s1 meanwhile, and takes the long path. */
const down: FaultSpec = { kind: 'link-down', between: ['s0', 's1'], fromUs: 230, toUs: 390 };

/** The outcomes of kernel and model. */
function outcomes(spec: ScenarioSpec): { kernel: unknown; model: unknown; naks: number; retransmitted: number } {
  const { plan } = compileScenario(validateScenario(spec));
  const { flows, losses, totals } = runPlan(plan);
  const model = modelNetwork(plan);
  return {
    kernel: { completionPs: flows.map(({ completionPs }) => completionPs), totals },
    model: { completionPs: model.flows.map(({ completionPs }) => completionPs), totals: model.totals },
    naks: losses[0]?.naks ?? 0,
    retransmitted: totals.retransmittedPackets,
  };
}

describe('A NAK that arrives after the ACK of the packets that it requests', () => {
  it('causes no retransmission under selective repeat', () => {
    const { kernel, model, naks, retransmitted } = outcomes(twoWays([lost, down]));
    expect(kernel).toEqual(model);
    expect(naks).toBeGreaterThan(0);
    expect(retransmitted).toBeGreaterThan(0);
  });
});

describe('Rounds of HPCC under IRN', () => {
  /**
   * Two flows to one host, so that rates move from round to round; many losses, so that responses arrive while lost packets are
   * retransmitted.
   */
  const incast = (seed: number, preset: string): ScenarioSpec => ({
    name: 'rounds',
    seed,
    topology: { kind: 'star', hosts: 3, delayNs: 2000 },
    workload: { kind: 'incast', senders: 2, sizeBytes: 100 * MTU },
    algorithms: { hpcc: { preset } },
    hosts: { transport: 'irn' },
    faults: [{ kind: 'loss', between: ['h0', 's0'], share: 0.1, of: 'data' }],
  });

  it.each([[7, 'hpcc-sigcomm19'], [15, 'hpcc-sigcomm19'], [7, 'hpcc-pp-draft'], [15, 'hpcc-pp-draft']])(
    'are counted by first transmissions only: seed %i, %s',
    (seed, preset) => {
      const { kernel, model, retransmitted } = outcomes(incast(seed, preset));
      expect(kernel).toEqual(model);
      expect(retransmitted).toBeGreaterThan(3);
    },
  );
});
