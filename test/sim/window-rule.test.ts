/**
 * The rule by which a window admits an MRC packet, `hosts.mrc.windowRule`: packets sent before the first ACK, computed
 * by hand.
 */
import { describe, expect, it } from 'vitest';
import type { PacketRecord } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { MrcSpec, MrcWindowRule, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';

const MTU = 1024;
const PACKETS = 40;
const DELAY_PS = 10e6;
/** Two links there and two back. */
const LEAST_RTT_PS = 4 * DELAY_PS;

function scenario(initialWindowBytes: number, mrc: MrcSpec): ScenarioSpec {
  return {
    name: 'a window',
    topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 10_000 },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: PACKETS * MTU }] },
    algorithms: { only: { preset: 'nscc-mrc', parameters: { initialWindowBytes } } },
    switches: { pfc: false, trimming: true },
    hosts: { transport: 'mrc', mtuBytes: MTU, mrc },
    record: { capture: ['h0:s0'] },
  };
}

/** Data packets that leave before the first SACK can arrive. */
function sentAtFirst(windowBytes: number, mrc: MrcSpec = {}): PacketRecord[] {
  const records: PacketRecord[] = [];
  const { summary } = runScenarioSync(scenario(windowBytes, mrc), { onPackets: (some) => void records.push(...some) });
  expect(summary.flowsDone).toBe(1);
  return records.filter(({ kind, timePs }) => kind === 'data' && timePs < LEAST_RTT_PS);
}

const RULES = ['below-window', 'packet-fits'] as const satisfies readonly MrcWindowRule[];

describe('A window of four packets', () => {
  it.each([
    [4 * MTU - 1, 4, 3],
    [4 * MTU, 4, 4],
    [4 * MTU + 1, 5, 4],
    [5 * MTU - 1, 5, 4],
    [5 * MTU, 5, 5],
  ])('of %i bytes holds %i packets if they may begin below it, and %i if each has to fit',
    (windowBytes, below, fits) => {
      expect(RULES.map((windowRule) => sentAtFirst(windowBytes, { windowRule }).length)).toEqual([below, fits]);
    });

  it('may be exceeded by less than a packet by default', () => {
    expect(sentAtFirst(4 * MTU + 1)).toHaveLength(5);
  });

  it.each(RULES)('lets only its last packet request a SACK, %s', (windowRule) => {
    const sent = sentAtFirst(4 * MTU, { windowRule, sackBytes: 1e6 });
    expect(sent.map(({ mrc }) => mrc?.asks)).toEqual([false, false, false, true]);
  });

  it('lets packets request SACKs once less than a packet of it is left, with small-window', () => {
    const asking = (windowBytes: number): unknown[] =>
      sentAtFirst(windowBytes, { ackRequest: 'small-window', sackBytes: 1024 }).map(({ mrc }) => mrc?.asks);
    expect(asking(4 * MTU)).toEqual([false, false, false, true]);
    expect(asking(4 * MTU - 1)).toEqual([false, false, true, true]);
    expect(asking(4 * MTU + 1)).toEqual([false, false, false, true, true]);
  });

  it('lets each packet request a SACK, with small-window, only if it is smaller than sackBytes', () => {
    const asking = (sackBytes: number): unknown[] =>
      sentAtFirst(4 * MTU, { ackRequest: 'small-window', sackBytes }).map(({ mrc }) => mrc?.asks);
    expect(asking(4 * MTU)).toEqual([false, false, false, true]);
    expect(asking(4 * MTU + 1)).toEqual([true, true, true, true]);
  });
});

it.each(RULES)('A window below a packet allows one packet at a time, %s', (windowRule) => {
  expect(sentAtFirst(1, { windowRule })).toHaveLength(1);
});

it.each(RULES)('A window that a rate makes shorter than a packet allows one when nothing is in flight, %s',
  (windowRule) => {
    // Every packet is marked, and the receiver's link has 1 % of the line rate, so the rate falls to that, and the window to less than a packet.
    const spec: ScenarioSpec = {
      ...scenario(MTU, { windowRule }),
      topology: {
        kind: 'edges',
        nodes: [{ name: 's0', kind: 'switch' }, { name: 'h0', kind: 'host' }, { name: 'h1', kind: 'host' }],
        links: [{ from: 'h0', to: 's0', delayNs: 100 }, { from: 'h1', to: 's0', rateGbps: 1, delayNs: 100 }],
      },
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 400 * MTU }] },
      algorithms: { only: { preset: 'dcqcn-sigcomm15', window: 'variable' } },
      switches: { pfc: false, ecn: { kminKB: 0, kmaxKB: 0, pmax: 1 } },
      record: {},
    };
    const { ended, totals } = runScenarioSync(spec);
    expect([ended, totals.timeouts]).toEqual(['all-flows-done', 0]);
    const plan = planOf(spec);
    if (plan === undefined) throw new Error('The scenario does not compile.');
    expectAgreement(plan);
  });

it.each(RULES)('Kernel and model agree on the end of a window, %s', (windowRule) => {
  for (const windowBytes of [1, MTU, 4 * MTU - 1, 4 * MTU, 4 * MTU + 1]) {
    const plan = planOf({ ...scenario(windowBytes, { windowRule }), record: {} });
    if (plan === undefined) throw new Error('The scenario does not compile.');
    expectAgreement(plan);
  }
});
