import { describe, expect, it } from 'vitest';
import { createEngineSync } from '../../src/engine/create.js';
import type { DcqcnParameters } from '../../src/config/algorithms/dcqcn.js';
import { dcqcnConnectx } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { dcqcnIrdma } from '../../src/config/algorithms/dcqcn/preset-irdma.js';
import { DCQCN_NS3_SETS, dcqcnNs3 } from '../../src/config/algorithms/dcqcn/preset-ns3.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { type HpccPpParameters, hpccPpDraft } from '../../src/config/algorithms/hpcc-pp.js';
import { gbps, mbps, seconds, us } from '../../src/units.js';
import { BACKENDS } from '../support/backends.js';

const lineRateBps = gbps(100);

const PRESETS: readonly (readonly [string, DcqcnParameters])[] = [
  ['dcqcnSigcomm15', dcqcnSigcomm15({ lineRateBps })],
  ...DCQCN_NS3_SETS.map((set) => [`dcqcnNs3 ${set}`, dcqcnNs3(set, { lineRateBps })] as const),
  ['dcqcnConnectx', dcqcnConnectx({ lineRateBps })],
  ['dcqcnIrdma', dcqcnIrdma({ lineRateBps, mssBytes: 1024, rttPs: us(100) })],
];

/**
 * The maximum number of timer steps: alpha decays to 2^-64 (or through 1023 integers), F steps of fast recovery and one
 * hyper threshold pass, the target rises from the minimum to the maximum rate by R_AI, and 64 steps halve the gap.
 */
function bound(p: DcqcnParameters): number {
  const alphaSteps = p.numbers === 'alpha-q10' ? 1024 : Math.ceil((-64 * Math.LN2) / Math.log(1 - p.alphaGain));
  const slowest = p.stages === 'time' ? p.haiRateBps : p.aiRateBps;
  return alphaSteps + Math.ceil((p.maxRateBps - p.minRateBps) / slowest) + p.fastRecoverySteps + 2 + 64;
}

describe.each(PRESETS)('one touch under %s', (_, parameterSet) => {
  const engine = createEngineSync({ parameterSets: { default: parameterSet } });

  /** A QP at its minimum rate and maximum alpha. */
  const beatenDown = (localQpn: number): number => {
    const qp = engine.openQp({ localQpn });
    for (let i = 1; i <= 3000; i++) engine.cnp(us(60) * i, qp);
    return qp;
  };

  it.each([seconds(0.2), seconds(10), seconds(3600), seconds(2 * 3600)])(
    'takes a bounded number of timer steps after %d ps without events',
    (gapPs) => {
      const qp = beatenDown(gapPs % 1000003 + 1);
      const before = engine.stats().timerSteps;
      engine.touch(us(180_000) + gapPs, qp);
      expect(engine.stats().timerSteps - before).toBeLessThanOrEqual(bound(parameterSet));
    },
  );

  it('takes the same number of timer steps after two hours as after one', () => {
    const [first, second] = [beatenDown(1), beatenDown(2)];
    const steps = (qp: number, gapPs: number): number => {
      const before = engine.stats().timerSteps;
      engine.touch(us(180_000) + gapPs, qp);
      return engine.stats().timerSteps - before;
    };
    expect(steps(first, seconds(3600))).toBe(steps(second, seconds(7200)));
  });
});

const RTT = { lineRateBps, baseRttPs: us(10) };
const RECOVERIES: readonly (readonly [string, HpccPpParameters])[] = [
  ['window', hpccPpDraft(RTT)],
  [
    'rate',
    hpccPpDraft({
      ...RTT,
      primary: 'rate',
      windowMode: 'none',
      numbers: 'whole-bps',
      minRateBps: mbps(100),
      aiRateBps: mbps(50),
      aiWindowBytes: 0,
    }),
  ],
  // The bound is nearly reached only when recovery consists of additive steps.
  ['additive steps only', hpccPpDraft({ ...RTT, fastRecoverySteps: 0 })],
];

/** F halvings of the gap, then additive steps from the minimum to the maximum (docs/reference/sources.md, HPCC++). */
function recoveryBound(p: HpccPpParameters): number {
  const [minimum, maximum, step] = p.primary === 'rate' ?
    [p.minRateBps, p.maxRateBps, p.aiRateBps] :
    [(p.minRateBps * p.baseRttPs) / 8e12, p.windowBytes, p.aiWindowBytes];
  return p.fastRecoverySteps + Math.ceil((maximum - minimum) / step) + 1;
}

describe.each(RECOVERIES)('one touch under HPCC++ (%s)', (_, parameterSet) => {
  it.each(BACKENDS)('takes at most the documented number of recovery steps, after which no deadline remains (%s)',
    (_, backend) => {
      const engine = createEngineSync({ backend, parameterSets: { default: parameterSet } });
      const qp = engine.openQp({ localQpn: 1 });
      // Growing queues lower the QP to its minimum in several cuts, so that the target is near the minimum, too.
      for (let i = 1; i <= 60; i++) {
        const hop = { lineRateBps, qlenBytes: i < 3 ? 5e6 : 1e9, txBytes: 0, timePs: us(10 * i) };
        const telemetry = { kind: 'exact', hops: [hop] } as const;
        engine.events.ack(us(10 * i), qp, { ackSeq: 100 * i, sndNxt: 100 * i + 50, telemetry });
        engine.applyEvents();
      }
      const lowest = engine.rateBps(qp);
      expect(lowest).toBeLessThan(gbps(1));
      expect(engine.stats().timerSteps).toBe(0);
      engine.touch(us(600) + seconds(10), qp);
      const steps = engine.stats().timerSteps;
      expect(steps).toBeLessThanOrEqual(recoveryBound(parameterSet));
      expect(steps).toBeGreaterThan(recoveryBound(parameterSet) * 0.95);
      expect([engine.rateBps(qp), engine.nextDeadlinePs(qp)]).toStrictEqual([lineRateBps, Infinity]);
      engine.touch(us(600) + seconds(3600), qp);
      expect(engine.stats().timerSteps).toBe(steps);
    });
});
