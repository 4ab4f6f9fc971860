/**
 * Each rate change is reported with its reason and inputs, from which the equations of docs/guides/trace.md give the
 * new rate. algorithms-equivalence.test.ts and equivalence.test.ts compare the traces of random streams on both
 * backends.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AlgorithmParameters } from '../../src/config/algorithms/registry.js';
import { engineConfig } from '../../src/config/engine-config.js';
import { Engine as EngineClass } from '../../src/engine/engine.js';
import { instantiate } from '../../src/engine/instantiate.js';
import { ALL_PARTS } from '../../src/engine/parts.js';
import { WasmBackend } from '../../src/engine/wasm-backend.js';
import { createEngineSync, dcqcnSigcomm15, dctcpNs3, formatTrace, gbps, hpccNs3, hpccPintNs3, hpccSigcomm19, mbps, ms,
  ns, swiftSigcomm20, timelySigcomm15, us, type AckFields, type Engine, type EngineOptions,
  type RateChange } from '../../src/index.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { CONNECTX } from '../reference/support/parameters.js';
import { Chains } from './support/chains.js';
import { BACKENDS } from '../support/backends.js';

const LINE = { lineRateBps: gbps(100) };
const PAPER = dcqcnSigcomm15({ lineRateBps: gbps(40) });
const RTT_PS = us(10);
const T0 = us(10);

type ChangeOf<Reason extends RateChange['reason'], Change = RateChange> = Change extends RateChange ?
  Reason extends Change['reason'] ? Change : never :
  never;

/** Checks the reason of a change and narrows its type. */
function ofReason<Reason extends RateChange['reason']>(change: RateChange | undefined,
  reason: Reason): ChangeOf<Reason> {
  expect(change?.reason).toBe(reason);
  return change as ChangeOf<Reason>;
}

describe.each(BACKENDS)('the trace of rate changes (%s)', (_, backend) => {
  function traced(parameters: AlgorithmParameters,
    options: Partial<EngineOptions> = {}): { engine: Engine; qp: number } {
    const engine = createEngineSync({ backend, trace: true, parameterSets: { one: parameters }, ...options });
    engine.addEndpoint(['2001:db8::1']);
    return { engine, qp: engine.openQp({ localQpn: 1, peerAddress: '2001:db8::2' }) };
  }

  function acknowledge(engine: Engine, qp: number, timePs: number, fields: AckFields): RateChange[] {
    engine.events.ack(timePs, qp, fields);
    engine.applyEvents();
    return [...engine.trace];
  }

  it('reports the cut by a CNP with the alpha used', () => {
    const { engine, qp } = traced(PAPER);
    engine.cnp(T0, qp);
    expect([...engine.trace]).toStrictEqual([
      {
        timePs: T0,
        qp,
        fromBps: gbps(40),
        toBps: gbps(20),
        cause: 'cnp',
        reason: 'cut',
        alpha: 1,
        targetBps: gbps(40),
      },
    ]);
    engine.cnp(T0 + us(300), qp);
    const cut = ofReason([...engine.trace].at(-1), 'cut');
    // Alpha has decayed for five periods since the first CNP, and the clamp rule applies.
    expect(cut.alpha).toBe((255 / 256) ** 5);
    expect(cut.toBps).toBe(cut.fromBps * (1 - cut.alpha / 2));
    expect(cut.targetBps).toBe(cut.fromBps);
  });

  it('reports the rate set by the first CNP before its cut', () => {
    const { engine, qp } = traced({ ...PAPER, rateOnFirstCnpBps: gbps(10) });
    engine.cnp(T0, qp);
    const changes = [...engine.trace];
    expect(changes.map(({ reason, fromBps, toBps }) => [reason, fromBps, toBps])).toStrictEqual([
      ['first-cnp', gbps(40), gbps(10)],
      ['cut', gbps(10), gbps(5)],
    ]);
    expect(ofReason(changes[0], 'first-cnp').alpha).toBe(1);
  });

  it('distinguishes cuts by a Fast CNP, by a CNP and at the end of a period', () => {
    const { engine } = traced(PAPER, { fastCnp: { enabled: true, defaultAction: 'allow' } });
    const peer = parseIpAddress('2001:db8::2', 'peer');
    engine.events.fastCnp(T0, { endpoint: 0, source: peer, originalDestination: peer, destQpn: 1 });
    engine.applyEvents();
    expect([...engine.trace].map(({ reason, cause }) => [reason, cause])).toStrictEqual([['cut', 'fast-cnp']]);

    const perPeriod = traced(CONNECTX);
    perPeriod.engine.cnp(T0, perPeriod.qp);
    expect(perPeriod.engine.trace.length).toBe(0);
    perPeriod.engine.touch(T0 + us(4), perPeriod.qp);
    const cut = ofReason(perPeriod.engine.trace.get(0), 'cut');
    expect(cut).toMatchObject({ cause: 'time', timePs: T0 + us(4), alpha: 1003 / 1024, toBps: 51_025_390_625 });
  });

  it('reports each recovery step at its own time, halfway to its target, until the limiter is removed', () => {
    const { engine, qp } = traced({ ...PAPER, byteCounterBytes: 0, stages: 'time', releaseGapBps: mbps(1) });
    const chains = new Chains(engine);
    engine.cnp(T0, qp);
    chains.follow();
    engine.touch(ms(500), qp);
    const changes = chains.follow();
    expect(engine.rateBps(qp)).toBe(gbps(40));
    const steps = changes.filter((change) => change.reason !== 'release');
    steps.forEach((change, k) => {
      if (change.reason !== 'fast-recovery' && change.reason !== 'hyper') throw new Error(change.reason);
      expect(change.reason).toBe(k < 5 ? 'fast-recovery' : 'hyper');
      expect(change).toMatchObject({ timePs: T0 + (k + 1) * us(55), cause: 'time', timeStage: k + 1 });
      expect(change.toBps).toBe((change.fromBps + change.targetBps) / 2);
    });
    expect(changes.at(-1)).toMatchObject({
      reason: 'release',
      cause: 'time',
      toBps: gbps(40),
      timePs: T0 + steps.length * us(55),
    });
  });

  it('reports steps of the byte counter, including additive ones', () => {
    const { engine, qp } = traced({ ...PAPER, byteCounterBytes: 1000, fastRecoverySteps: 1 });
    engine.cnp(T0, qp);
    engine.sent(T0 + ns(1), qp, 2500);
    const [first, second] = [...engine.trace];
    expect(first).toMatchObject({
      reason: 'fast-recovery',
      cause: 'bytes',
      timePs: T0 + ns(1),
      byteStage: 1,
      timeStage: 0,
      toBps: gbps(30),
    });
    expect(ofReason(second, 'additive')).toMatchObject({
      cause: 'bytes',
      byteStage: 2,
      targetBps: gbps(40),
      toBps: gbps(35),
    });
  });

  it.each(['window', 'rate'] as const)('reports the busiest hop of HPCC, which determines the new rate (%s)',
    (primary) => {
      const step = primary === 'rate' ? { aiRateBps: mbps(50), aiWindowBytes: 0 } : {};
      const parameters = hpccSigcomm19({ ...LINE, baseRttPs: RTT_PS, primary, ...step });
      const { engine, qp } = traced(parameters);
      const chains = new Chains(engine);
      let seen = 0;
      for (let i = 0; i < 40; i++) {
        const timePs = T0 + i * us(4);
        const hop = (load: number, queue: number) => ({
          timePs,
          txBytes: Math.floor(i * 50_000 * load),
          qlenBytes: queue + i,
          lineRateBps: gbps(100),
        });
        acknowledge(engine, qp, timePs, {
          ackSeq: i * 3,
          sndNxt: i * 3 + 7,
          telemetry: { kind: 'exact', hops: [hop(0.3, 0), hop(i < 20 ? 0.99 : 0.6, 90), hop(0.8, 5)] },
        });
        for (const change of chains.follow()) {
          seen++;
          if (change.reason !== 'hpcc-additive' && change.reason !== 'hpcc-multiplicative') {
            throw new Error(change.reason);
          }
          const { hop: busiest, utilization, referenceBps, referenceBytes, incStage } = change;
          expect(busiest).toMatchObject({ index: i < 20 ? 1 : 2, lineRateBps: gbps(100), tauNs: 4000 });
          const { txRateBps, queueBytes, lineRateBps } = busiest!;
          expect(busiest!.utilization).toBe(
            txRateBps / lineRateBps + (queueBytes * gbps(100)) / lineRateBps / parameters.windowBytes,
          );
          const multiplicative = utilization / 0.95 >= 1 || incStage >= parameters.maxStage;
          expect(change.reason).toBe(multiplicative ? 'hpcc-multiplicative' : 'hpcc-additive');
          const reference = (primary === 'rate' ? referenceBps : referenceBytes)!;
          expect(primary === 'rate' ? referenceBytes : referenceBps).toBeUndefined();
          const base = multiplicative ? reference / (utilization / 0.95) : reference;
          const wanted = primary === 'rate' ? base + mbps(50) : ((base + parameters.aiWindowBytes) * 8e12) / RTT_PS;
          expect(change.toBps).toBe(Math.min(gbps(100), wanted));
        }
      }
      expect(seen).toBeGreaterThan(10);
      expect([...chains.reasons.keys()].sort()).toStrictEqual(['hpcc-additive', 'hpcc-multiplicative']);
    });

  it('reports the slowest hop under multi-rate HPCC, and whether its reference was updated', () => {
    const { engine, qp } = traced(
      hpccNs3('multirate', { ...LINE, baseRttPs: RTT_PS, records: 'exact', sampleFeedback: true }),
    );
    const ack = (i: number, loads: readonly number[], queues: readonly number[], ackSeq: number) => {
      const timePs = T0 + i * us(10);
      const hops = loads.map((load, hop) => ({
        timePs,
        txBytes: i * load * 125_000,
        qlenBytes: queues[hop]!,
        lineRateBps: gbps(100),
      }));
      return acknowledge(engine, qp, timePs, { ackSeq, sndNxt: ackSeq + 10, telemetry: { kind: 'exact', hops } });
    };
    ack(0, [1, 0.5], [50_000, 10], 1);
    const [full] = ack(1, [1, 0.5], [50_000, 10], 20);
    expect(ofReason(full, 'hpcc-multiplicative')).toMatchObject({
      fullUpdate: true,
      hop: { index: 0, queueBytes: 50_000 },
      referenceBps: gbps(100),
    });
    const [fast] = ack(2, [1, 0.5], [50_000, 10], 21);
    expect(ofReason(fast, 'hpcc-multiplicative')).toMatchObject({
      fullUpdate: false,
      hop: { index: 0 },
      referenceBps: full!.toBps,
    });
    // Within a round trip a hop with an empty queue is ignored.
    const [kept] = ack(3, [1, 0.5], [0, 10], 22);
    expect(ofReason(kept, 'hpcc-kept')).toMatchObject({
      hop: { index: 0 },
      toBps: full!.toBps,
      referenceBps: full!.toBps,
    });
  });

  it('reports the PINT power of HPCC-PINT and its reference', () => {
    const { engine, qp } = traced(
      hpccPintNs3({ ...LINE, baseRttPs: RTT_PS, maxStage: 5, numbers: 'float64', sequence: 'psn24' }),
    );
    acknowledge(engine, qp, T0, { ackSeq: 1, sndNxt: 2, pintPower: 200 });
    const [down] = acknowledge(engine, qp, T0 + us(10), { ackSeq: 10, sndNxt: 12, pintPower: 200 });
    const cut = ofReason(down, 'pint-multiplicative');
    expect(cut).toMatchObject({ power: 200, referenceBps: gbps(100), incStage: 0, fullUpdate: true });
    expect(cut.toBps).toBe(cut.referenceBps / (cut.utilization / 0.95) + mbps(40));
    const [up] = acknowledge(engine, qp, T0 + us(20), { ackSeq: 20, sndNxt: 22, pintPower: 100 });
    expect(ofReason(up, 'pint-additive').toBps).toBe(cut.toBps + mbps(40));
  });

  it('reports the gradient of TIMELY and which of its three cases applied', () => {
    const { engine, qp } = traced(timelySigcomm15(LINE));
    const ack = (i: number, rttPs: number) =>
      acknowledge(engine, qp, ms(1) + i * us(600), {
        ackSeq: i,
        sndNxt: i + 1,
        sentTimePs: ms(1) + i * us(600) - rttPs,
      })[0];
    ack(0, us(100));
    const high = ofReason(ack(1, us(1000)), 'timely-high-rtt');
    expect(high.rttNs).toBe(1_000_000);
    expect(high.toBps).toBe(high.fromBps * (1 - 0.8 * (1 - 500_000 / 1_000_000)));
    expect(ofReason(ack(2, us(40)), 'timely-low-rtt')).toMatchObject({
      rttNs: 40_000,
      incStage: 0,
      toBps: high.toBps + mbps(10),
    });
    const gradient = ofReason(ack(3, us(100)), 'timely-gradient');
    expect(gradient.gradient).toBe(gradient.rttDiffNs / 20_000);
    expect(gradient.gradient).toBeLessThan(0);
    expect(gradient.toBps).toBe(gradient.fromBps + mbps(10));
  });

  it('reports the alpha of DCTCP, and F at the end of a batch', () => {
    const { engine, qp } = traced(dctcpNs3({ ...LINE, numbers: 'float64', sequence: 'psn24', sequencePerPacket: 1 }));
    const ack = (i: number, ackSeq: number, ecnEcho: boolean) =>
      acknowledge(engine, qp, T0 + i * us(1), { ackSeq, sndNxt: ackSeq + 3, ecnEcho })[0];
    expect(ofReason(ack(0, 1, true), 'dctcp-cut')).toMatchObject({
      alpha: 1,
      markedFraction: undefined,
      toBps: gbps(50),
    });
    // The batch from 1 to 4 has four packets, of which the first was marked.
    const next = ofReason(ack(1, 5, false), 'dctcp-increase');
    expect(next).toMatchObject({
      markedFraction: 1 / 4,
      alpha: (15 / 16) * 1 + (1 / 16) * (1 / 4),
      toBps: gbps(50) + mbps(615),
    });
  });

  it('reports the delay, target and window of Swift, and losses', () => {
    const { engine, qp } = traced(swiftSigcomm20({ ...LINE, maxCwnd: 100, timeoutsToReset: 2 }));
    const chains = new Chains(engine);
    const ack = (timePs: number, rttPs: number) => {
      acknowledge(engine, qp, timePs, { ackSeq: 1, sndNxt: 2, sentTimePs: timePs - rttPs, hostDelayPs: us(1) });
      return chains.follow()[0];
    };
    const up = ofReason(ack(ms(1), us(20)), 'swift-increase');
    expect(up).toMatchObject({ rttPs: us(20), delayPs: us(19), cwndPackets: 10 });
    const down = ofReason(ack(ms(2), us(400)), 'swift-decrease');
    expect(down.cwndPackets).toBe(10 + 1 / 10);
    expect(down.delayPs).toBeGreaterThan(down.targetDelayPs);
    expect(ofReason(ack(ms(2) + us(1), us(500)), 'swift-round-trip').rttPs).toBe(us(500));
    const lose = (timePs: number, found: 'fast' | 'timeout') => {
      engine.events.loss(timePs, qp, found);
      engine.applyEvents();
      return chains.follow()[0];
    };
    const lost = ofReason(lose(ms(3), 'fast'), 'swift-loss');
    expect(lost).toMatchObject({ cause: 'loss', rttPs: us(500), toBps: lost.fromBps / 2 });
    lose(ms(4), 'timeout');
    expect(ofReason(lose(ms(5), 'timeout'), 'swift-timeout').toBps).toBe((0.001 * 1024 * 8e12) / us(500));
  });

  it('keeps the first changes of a call that exceeds its capacity, and counts the others', () => {
    const all = traced({ ...PAPER, byteCounterBytes: 0 });
    const few = traced({ ...PAPER, byteCounterBytes: 0 }, { trace: { records: 3 } });
    for (const { engine, qp } of [all, few]) {
      engine.cnp(T0, qp);
      engine.touch(T0 + us(1000), qp);
    }
    expect(few.engine.trace.lost).toBe(all.engine.trace.length - 3);
    expect([...few.engine.trace]).toStrictEqual([...all.engine.trace].slice(0, 3));
    expect(few.engine.stats().traceLost).toBe(few.engine.trace.lost);
    expect(formatTrace(few.engine.trace).trimEnd().split('\n').at(-1)).toBe(`{"lost":${few.engine.trace.lost}}`);
    few.engine.touch(T0 + us(1000), few.qp);
    expect(few.engine.trace.lost).toBe(0);
  });

  it('stops advance at half of its capacity, so that no change is lost', () => {
    const { engine, qp } = traced({ ...PAPER, byteCounterBytes: 0 }, { trace: { records: 20 } });
    const qps = [qp, ...Array.from({ length: 6 }, (_, i) => engine.openQp({ localQpn: i + 2 }))];
    const chains = new Chains(engine);
    for (const each of qps) {
      engine.cnp(T0, each);
      chains.follow();
    }
    let calls = 0;
    for (let next: number | undefined = 0; next !== undefined; calls++) {
      next = engine.advance(T0 + us(55 * 8), next);
      expect(engine.trace.lost).toBe(0);
      for (const change of engine.trace) expect(change.timePs).toBeLessThanOrEqual(T0 + us(55 * 8));
    }
    expect(calls).toBe(4);
  });

  it('does not affect state, actions and deadlines', () => {
    const engines = [true, false].map((trace) => traced(PAPER, { trace, hashSeed: 1 }));
    for (const { engine, qp } of engines) {
      for (let i = 0; i < 3000; i++) {
        if (i % 37 === 0) engine.events.cnp(T0 + i * us(9), qp);
        else engine.events.sent(T0 + i * us(9), qp, 100_000);
      }
      engine.applyEvents();
    }
    const [on, off] = engines.map(({ engine, qp }) => ({
      hash: engine.stateHash(),
      actions: [...engine.actions],
      deadlinePs: engine.nextDeadlinePs(qp),
      stats: { ...engine.stats(), timerSteps: 0 },
    }));
    expect(on).toStrictEqual(off);
    expect(engines.map(({ engine }) => engine.trace.length > 400)).toStrictEqual([true, false]);
  });

  it('continues from the last rate after a snapshot is restored', () => {
    const { engine, qp } = traced(PAPER);
    engine.cnp(T0, qp);
    const { toBps } = engine.trace.get(0);
    engine.restore(engine.snapshot());
    expect(engine.trace.length).toBe(0);
    engine.touch(T0 + us(55), qp);
    expect(engine.trace.get(0)).toMatchObject({ fromBps: toBps, reason: 'fast-recovery' });
  });

  it('round-trips through JSON lines, without undefined fields', () => {
    const { engine, qp } = traced(dctcpNs3(LINE));
    engine.events.ack(T0, qp, { ackSeq: 1000, sndNxt: 5000, ecnEcho: true });
    engine.applyEvents();
    const line = formatTrace(engine.trace);
    expect(line).toBe(
      '{"timePs":10000000,"qp":0,"fromBps":100000000000,"toBps":50000000000,"cause":"ack","reason":"dctcp-cut","alpha":1}\n',
    );
    expect(JSON.parse(line)).toEqual(engine.trace.get(0));
  });

  it('is empty unless enabled', () => {
    const { engine, qp } = traced(PAPER, { trace: false });
    engine.cnp(T0, qp);
    expect([...engine.trace]).toStrictEqual([]);
    expect(formatTrace(engine.trace)).toBe('');
  });
});

describe('the trace option', () => {
  it.each([
    [{ records: 0 }, 'options.trace.records'],
    [{ records: 2 ** 20 + 1 }, 'options.trace.records'],
    [{}, 'options.trace.records'],
    ['yes', 'options.trace'],
  ])('rejects %j and names the field', (trace, where) => {
    expect(() => engineConfig({ parameterSets: { one: PAPER }, trace: trace as never })).toThrow(
      expect.objectContaining({ code: 'invalid-config', where }),
    );
  });

  it('is rejected by the DCQCN-only engine, which has no trace', async () => {
    const module = await WebAssembly.compile(readFileSync(new URL('../../build/engine-dcqcn.wasm', import.meta.url)));
    const config = engineConfig({ parameterSets: { one: PAPER }, trace: true });
    const abi = await instantiate(module);
    expect(() => new EngineClass(new WasmBackend(abi), config, ALL_PARTS)).toThrow(
      expect.objectContaining({ code: 'unsupported', where: 'options.trace' }),
    );
  });
});
