/**
 * HPCC++ traces each rate change: those of ACKs, echoes and Fast CNPs with the hop that decided, those of CNPs, and
 * each recovery step at its own time. hpcc-pp-equivalence.test.ts and algorithms-equivalence.test.ts compare random
 * streams.
 */
import { describe, expect, it } from 'vitest';
import { hpccPpDraft, type HpccPpPresetOptions } from '../../src/config/algorithms/hpcc-pp.js';
import { gbps, mbps, us, type HpccChange, type RateChange } from '../../src/index.js';
import { Chains } from './support/chains.js';
import { ackWith, fastCnpWith, nodeOf, traceOf, type TestHop } from './support/hpcc-pp-frames.js';
import { applyPackets, cnpPacket, senderEngine } from './support/network.js';
import { BACKENDS } from '../support/backends.js';

const RTT = { lineRateBps: gbps(100), baseRttPs: us(10) };
/** W0 and W_AI at 100 Gb/s and 10 us. */
const W0 = 125_000;
const W_AI = (W0 * (1 - 0.95)) / 100;
const TELEMETRY = {
  ackTraces: 'echo',
  txBytes: { field: 'namespace-data', fromBit: 0, bits: 32, unit: 8 },
  ports: [{ nodeId: 5, lineRateBps: gbps(400) }, { nodeId: 7, lineRateBps: gbps(100) }],
} as const;
const rateOf = (windowBytes: number): number => (windowBytes * 8e12) / us(10);

describe.each(BACKENDS)('the trace of rate changes under HPCC++ (%s)', (_, backend) => {
  function sender(more: Partial<HpccPpPresetOptions> = {}, trace = true) {
    const parameterSets = { plus: hpccPpDraft({ ...RTT, ...more }) };
    const { engine, qp } = senderEngine({
      backend,
      parameterSets,
      telemetry: TELEMETRY,
      trace,
      fastCnp: { enabled: true, defaultAction: 'allow' },
    });
    return { engine, qp, chains: new Chains(engine) };
  }
  const hops = (...list: readonly TestHop[]): Uint8Array => traceOf(list.map(nodeOf));

  /** The new window must follow from the fields of the change by the equation of HPCC. */
  function expectStep(change: HpccChange): void {
    const { utilization, referenceBytes, reason, toBps } = change;
    const base = reason === 'hpcc-multiplicative' ? referenceBytes! / (utilization / 0.95) : referenceBytes!;
    expect(toBps).toBe(Math.min(gbps(100), rateOf(base + W_AI)));
  }

  it('reports a CNP without a hop and with its assumed utilisation', () => {
    const { engine, qp, chains } = sender();
    applyPackets(engine, us(50), cnpPacket());
    const [change, ...others] = chains.follow();
    expect(others).toStrictEqual([]);
    expect(change).toStrictEqual({
      timePs: us(50),
      qp,
      fromBps: gbps(100),
      toBps: rateOf(W0 / (1 / 0.95) + W_AI),
      cause: 'cnp',
      reason: 'hpcc-multiplicative',
      utilization: 1,
      hop: undefined,
      referenceBps: undefined,
      referenceBytes: W0,
      incStage: 0,
      fullUpdate: true,
    });
  });

  it('reports the busiest hop of a Fast CNP: estimated at its first record, measured at the second', () => {
    const { engine, chains } = sender();
    applyPackets(engine, us(50), fastCnpWith(hops({ nodeId: 5, timeNs: 100, txBytes: 0, queueDepth: 0 }, {
      nodeId: 7,
      timeNs: 200,
      txBytes: 0,
      queueDepth: 10_000,
    })));
    const [first] = chains.follow();
    expect(first).toMatchObject({
      cause: 'fast-cnp',
      reason: 'hpcc-multiplicative',
      utilization: 1 + 10_000 / W0,
      fullUpdate: true,
      hop: {
        index: 1,
        utilization: 1 + 10_000 / W0,
        queueBytes: 10_000,
        txRateBps: gbps(100),
        lineRateBps: gbps(100),
        tauNs: 10_000,
      },
    });
    // 62,000 bytes in 5 us: within the round trip, so the reference remains.
    applyPackets(engine, us(55), fastCnpWith(hops({ nodeId: 7, timeNs: 5200, txBytes: 7750, queueDepth: 20_000 })));
    const [second] = chains.follow() as HpccChange[];
    expect(second).toMatchObject({
      cause: 'fast-cnp',
      fullUpdate: false,
      referenceBytes: W0 / ((1 + 10_000 / W0) / 0.95) + W_AI,
      hop: { index: 0, queueBytes: 10_000, txRateBps: (62_000 * 8) / (5000 * 1e-9), tauNs: 5000 },
    });
    const { utilization, txRateBps, queueBytes, lineRateBps } = second!.hop!;
    expect(utilization).toBe(txRateBps / lineRateBps + (queueBytes * gbps(100)) / lineRateBps / W0);
    expectStep(second!);
  });

  it('assumes no transmitted bytes at a first record under queue-only, and reports it', () => {
    const { engine, chains } = sender({ firstSample: 'queue-only' });
    applyPackets(engine, us(50), fastCnpWith(hops({ nodeId: 7, timeNs: 200, txBytes: 0, queueDepth: 10_000 })));
    expect(chains.follow()).toMatchObject([{
      utilization: 1,
      hop: { utilization: 10_000 / W0, txRateBps: 0, queueBytes: 10_000 },
    }]);
  });

  it('reports the hop of an echoed trace like that of an ACK', () => {
    const { engine, chains } = sender({ clock: 'timer' });
    for (let i = 0; i < 2; i++) {
      applyPackets(engine, us(50 + 10 * i),
        ackWith(hops({ nodeId: 7, timeNs: 10_000 * i, txBytes: 15_625 * i, queueDepth: 25_000 })));
    }
    const [change] = chains.follow() as HpccChange[];
    expect(change).toMatchObject({
      cause: 'ack',
      reason: 'hpcc-multiplicative',
      hop: { index: 0, txRateBps: (125_000 * 8) / (10_000 * 1e-9), queueBytes: 25_000 },
    });
    expectStep(change!);
  });

  it.each(['window', 'rate'] as const)(
    'reports each recovery step at its own time, before the signal that triggered it (%s)',
    (primary) => {
      const more = primary === 'rate' ? { primary, aiRateBps: mbps(50), aiWindowBytes: 0 } : {};
      const { engine, qp, chains } = sender({ ...more, fastRecoverySteps: 2, recoveryAfterPs: us(40) });
      applyPackets(engine, us(50), cnpPacket());
      chains.follow();
      applyPackets(engine, us(115), cnpPacket());
      const changes: RateChange[] = chains.follow();
      expect(changes.map(({ timePs, cause, reason }) => [timePs, cause, reason])).toStrictEqual([
        [us(90), 'time', 'recovery-halfway'],
        [us(100), 'time', 'recovery-halfway'],
        [us(110), 'time', 'recovery-additive'],
        [us(115), 'cnp', 'hpcc-multiplicative'],
      ]);
      const controlled = (bps: number): number => (primary === 'rate' ? bps : (bps * us(10)) / 8e12);
      const step = primary === 'rate' ? mbps(50) : W_AI;
      changes.slice(0, 3).forEach((change, index) => {
        if (change.reason !== 'recovery-halfway' && change.reason !== 'recovery-additive') {
          throw new Error(change.reason);
        }
        const target = primary === 'rate' ? change.targetBps : change.targetBytes;
        expect(primary === 'rate' ? change.targetBytes : change.targetBps).toBeUndefined();
        expect(target).toBe(controlled(gbps(100)));
        expect(change.recoveryStep).toBe(index + 1);
        const wanted = index < 2 ? (controlled(change.fromBps) + target!) / 2 : controlled(change.fromBps) + step;
        expect(controlled(change.toBps)).toBeCloseTo(wanted, 3);
      });
      engine.touch(us(5_000_000), qp);
      expect(chains.follow().at(-1)).toMatchObject({ reason: 'recovery-additive', toBps: gbps(100) });
    },
  );

  it('reports recovery steps when a packet is sent, and when only time passes', () => {
    const { engine, qp, chains } = sender({ recoveryAfterPs: us(40) });
    applyPackets(engine, us(50), cnpPacket());
    chains.follow();
    engine.sent(us(95), qp, 1000);
    expect(chains.follow()).toMatchObject([{ timePs: us(90), reason: 'recovery-halfway', recoveryStep: 1 }]);
    engine.advance(us(100));
    expect(chains.follow()).toMatchObject([{ timePs: us(100), reason: 'recovery-halfway', recoveryStep: 2 }]);
  });

  it('does not affect rate, deadline, actions and counters', () => {
    const [on, off] = [true, false].map((trace) => {
      const { engine, qp } = sender({}, trace);
      for (let i = 0; i < 40; i++) {
        const signal = hops({ nodeId: 7, timeNs: 7000 * i, txBytes: 9000 * i, queueDepth: (i % 5) * 9000 });
        applyPackets(engine, us(50 + 7 * i), i % 3 === 0 ? ackWith(signal) : fastCnpWith(signal));
      }
      engine.touch(us(2000), qp);
      return {
        rateBps: engine.rateBps(qp),
        deadlinePs: engine.nextDeadlinePs(qp),
        actions: [...engine.actions],
        stats: engine.stats(),
      };
    });
    expect(on).toStrictEqual(off);
  });
});
