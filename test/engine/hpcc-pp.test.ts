import { describe, expect, it } from 'vitest';
import { hpccPpDraft, type HpccPpPresetOptions } from '../../src/config/algorithms/hpcc-pp.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import type { TelemetrySettings } from '../../src/config/telemetry.js';
import { createEngineSync, gbps, us, type AckFields, type EngineOptions, type ExactHop } from '../../src/index.js';
import { ackWith, ackWithHeaders, DESTINATION_OPTIONS, fastCnpWith, HOP_BY_HOP, nodeOf, traceOf,
  type TestHop } from './support/hpcc-pp-frames.js';
import { applyPackets, cnpPacket, fastCnpPacket, RECEIVER, RECEIVER_QPN, senderEngine,
  SWITCH } from './support/network.js';
import { BACKENDS } from '../support/backends.js';

const RTT = { lineRateBps: gbps(100), baseRttPs: us(10) };
/** W0 and W_AI at 100 Gb/s and 10 us. */
const W0 = 125_000;
const W_AI = (W0 * (1 - 0.95)) / 100;
const FAST_CNPS = { fastCnp: { enabled: true, defaultAction: 'allow' } } as const;
/** One port each of two nodes: transmitted bytes are namespace data in units of 64; node 7 has cells of 80 bytes. */
const TELEMETRY: Partial<TelemetrySettings> = {
  txBytes: { field: 'namespace-data', fromBit: 0, bits: 32, unit: 8 },
  ports: [{ nodeId: 5, lineRateBps: gbps(400) }, {
    nodeId: 7,
    egressInterface: 2,
    lineRateBps: gbps(100),
    queueUnitBytes: 80,
  }],
};

/** The rate of a window over the base round trip. */
const rateOf = (windowBytes: number): number => (windowBytes * 8e12) / us(10);
/** The window after the utilisation u. */
const windowAfter = (u: number, reference = W0): number => reference / (u / 0.95) + W_AI;

describe.each(BACKENDS)('a QP under HPCC++ (%s)', (_, backend) => {
  function sender(more: Partial<HpccPpPresetOptions> = {}, options: Partial<EngineOptions> = {}) {
    const parameterSets = { plus: hpccPpDraft({ ...RTT, ...more }) };
    return senderEngine({ backend, parameterSets, telemetry: TELEMETRY, ...FAST_CNPS, ...options });
  }
  const withTrace = (hops: readonly TestHop[]): Uint8Array => fastCnpWith(traceOf(hops.map(nodeOf)));

  it('assumes full utilisation of a port with a queue at its first record: u = 1 + q / (B T)', () => {
    const { engine, qp } = sender();
    applyPackets(engine, us(50), withTrace([{ nodeId: 5, timeNs: 100, txBytes: 0, queueDepth: 0 }, {
      nodeId: 7,
      timeNs: 200,
      txBytes: 0,
      queueDepth: 125,
    }]));
    expect(engine.rateBps(qp)).toBe(rateOf(windowAfter(1 + 10_000 / W0)));
    expect(engine.packets.report(0)).toMatchObject({ class: 'fast-cnp-2', outcome: 'fast-cnp-accepted', qp });
  });

  it('uses only the queue at a first record under queue-only, and still lowers the rate', () => {
    const { engine, qp } = sender({ firstSample: 'queue-only' });
    applyPackets(engine, us(50), withTrace([{ nodeId: 7, timeNs: 200, txBytes: 0, queueDepth: 125 }]));
    expect(engine.rateBps(qp)).toBe(rateOf(windowAfter(1)));
    applyPackets(engine, us(70), withTrace([{ nodeId: 8, timeNs: 200, txBytes: 0, queueDepth: 125 }, {
      nodeId: 7,
      timeNs: 200,
      txBytes: 0,
      queueDepth: 9,
    }]));
    expect(engine.rateBps(qp)).toBeLessThan(rateOf(windowAfter(1)));
  });

  it('measures the throughput of a hop between two Fast CNPs, despite other signals and a counter wrap', () => {
    const { engine, qp } = sender();
    const units = 2 ** 32 - 1000;
    applyPackets(engine, us(50), withTrace([{ nodeId: 7, timeNs: 1000, txBytes: units, queueDepth: 250 }]));
    const reference = windowAfter(1 + 20_000 / W0);
    // 200,000 of at most 250,000 bytes in 20 us: u = 0.8 + min(20,000, 40,000) / W0, used unfiltered because tau > T.
    applyPackets(engine, us(70),
      withTrace([{ nodeId: 7, timeNs: 21_000, txBytes: (units + 25_000) % 2 ** 32, queueDepth: 500 }]));
    const sampleBps = (200_000 * 8) / (20_000 * 1e-9);
    const u = Math.max(1, sampleBps / gbps(100) + (20_000 * gbps(100)) / gbps(100) / W0);
    expect(engine.rateBps(qp)).toBe(rateOf(windowAfter(u, reference)));
  });

  it('applies only the first of a CNP and a Fast CNP for the same congestion', () => {
    const first = sender();
    applyPackets(first.engine, us(50), withTrace([{ nodeId: 7, timeNs: 1000, txBytes: 0, queueDepth: 250 }]));
    const lowered = first.engine.rateBps(first.qp);
    applyPackets(first.engine, us(55), cnpPacket());
    expect(first.engine.rateBps(first.qp)).toBe(lowered);
    expect(first.engine.stats().outcomes).toMatchObject({
      'fast-cnp-accepted': 1,
      'cnp-duplicate': 1,
      'cnp-handled': 0,
    });
    const second = sender();
    applyPackets(second.engine, us(50), cnpPacket(),
      withTrace([{ nodeId: 7, timeNs: 1000, txBytes: 0, queueDepth: 250 }]));
    expect(second.engine.rateBps(second.qp)).toBe(rateOf(windowAfter(1)));
    expect(second.engine.stats().outcomes).toMatchObject({ 'cnp-handled': 1, 'fast-cnp-duplicate': 1 });
  });

  it('applies several traces within the window, against one reference per round trip', () => {
    const { engine, qp } = sender();
    applyPackets(engine, us(50), withTrace([{ nodeId: 7, timeNs: 1000, txBytes: 0, queueDepth: 125 }]));
    const reference = windowAfter(1 + 10_000 / W0);
    applyPackets(engine, us(52), withTrace([{ nodeId: 5, timeNs: 1000, txBytes: 0, queueDepth: 400_000 }]));
    expect(engine.rateBps(qp)).toBe(rateOf(windowAfter(1 + (400_000 * gbps(100)) / gbps(400) / W0, reference)));
    applyPackets(engine, us(54), withTrace([{ nodeId: 9, timeNs: 1000, txBytes: 0, queueDepth: 1 }]), fastCnpPacket());
    expect(engine.stats().outcomes).toMatchObject({ 'fast-cnp-accepted': 2, 'fast-cnp-duplicate': 2 });
  });

  it('ignores the telemetry of unknown ports, missing values and other namespaces', () => {
    const unreadable = [
      traceOf([nodeOf({ nodeId: 9, timeNs: 0, txBytes: 0, queueDepth: 999 })]),
      traceOf([{ ...nodeOf({ nodeId: 7, timeNs: 0, txBytes: 0, queueDepth: 0 }), queueDepth: 0xffffffff }]),
      traceOf([nodeOf({ nodeId: 7, timeNs: 0, queueDepth: 999 })]),
      traceOf([nodeOf({ nodeId: 0xffffff, timeNs: 0, txBytes: 0, queueDepth: 999 })]),
      traceOf([{ ...nodeOf({ nodeId: 7, timeNs: 0, txBytes: 0, queueDepth: 999 }), timestampFraction: 1e9 }]),
      traceOf([{ ...nodeOf({ nodeId: 7, timeNs: 0, txBytes: 0, queueDepth: 999 }), egressInterface: 0xffff }]),
      traceOf([]),
    ];
    for (const trace of unreadable) {
      const { engine, qp } = sender();
      applyPackets(engine, us(50), fastCnpWith(trace));
      expect(engine.rateBps(qp)).toBe(rateOf(windowAfter(1)));
    }
  });

  it('recovers without signals halfway to the reference before the cut, then additively to the line rate', () => {
    const { engine, qp } = sender({ recoveryAfterPs: us(40), fastRecoverySteps: 2 });
    engine.events.cnp(us(100), qp);
    engine.applyEvents();
    const cut = windowAfter(1);
    expect(engine.nextDeadlinePs(qp)).toBe(us(140));
    expect(engine.touch(us(139), qp)).toBe(rateOf(cut));
    expect(engine.touch(us(140), qp)).toBe(rateOf((cut + W0) / 2));
    expect(engine.touch(us(150), qp)).toBe(rateOf(((cut + W0) / 2 + W0) / 2));
    expect(engine.touch(us(160), qp)).toBe(rateOf(((cut + W0) / 2 + W0) / 2 + W_AI));
    expect(engine.touch(us(2000), qp)).toBe(gbps(100));
    expect(engine.nextDeadlinePs(qp)).toBe(Infinity);
    expect(engine.touch(9e15, qp)).toBe(gbps(100));
  });

  it('reaches the same state when recovery steps are evaluated lazily, with integer rates too', () => {
    for (
      const more of [{}, {
        primary: 'rate',
        numbers: 'whole-bps',
        minRateBps: 1e8,
        aiRateBps: 12_345_678,
        aiWindowBytes: 0,
      }] as const
    ) {
      const eager = sender(more);
      const lazy = sender(more);
      for (const { engine, qp } of [eager, lazy]) {
        for (const at of [10, 30, 50, 70]) {
          engine.events.cnp(us(at), qp);
          engine.applyEvents();
        }
      }
      for (let at = 71; at <= 400; at++) eager.engine.touch(us(at), eager.qp);
      lazy.engine.touch(us(400), lazy.qp);
      expect(lazy.engine.rateBps(lazy.qp)).toBe(eager.engine.rateBps(eager.qp));
      expect(lazy.engine.stateHash()).toBe(eager.engine.stateHash());
    }
  });

  it('matches HPCC bit for bit when only ACKs carry telemetry', () => {
    const off = { recoveryPeriodPs: 0 };
    const engine = createEngineSync({
      backend,
      parameterSets: { plus: hpccPpDraft({ ...RTT, ...off }), hpcc: hpccSigcomm19(RTT) },
    });
    const plus = engine.openQp({ localQpn: 1, parameterSet: 'plus' });
    const hpcc = engine.openQp({ localQpn: 2, parameterSet: 'hpcc' });
    let sequence = 0;
    let txBytes = 0;
    const changes = new Set<number>();
    for (let i = 1; i <= 400; i++) {
      sequence += 3;
      txBytes += i % 160 < 80 ? 12_400 : 5000;
      const hop = (id: number): ExactHop => ({
        timePs: i * us(1) + id,
        txBytes,
        qlenBytes: (i * 7919 * id) % (i % 100 < 60 ? 90_000 : 3),
        lineRateBps: gbps(100),
        hopId: id,
      });
      const ack: AckFields = {
        ackSeq: sequence,
        sndNxt: sequence + 30,
        telemetry: { kind: 'exact', hops: [hop(1), hop(2)], pathId: 1 },
      };
      for (const qp of [plus, hpcc]) engine.events.ack(i * us(1), qp, ack);
      engine.applyEvents();
      changes.add(engine.rateBps(hpcc));
      expect(engine.rateBps(plus), `ACK ${i}`).toBe(engine.rateBps(hpcc));
    }
    expect(changes.size).toBeGreaterThan(100);
  });

  it('keeps its reference for a round trip after a Fast CNP, and does not raise it for partial telemetry', () => {
    const { engine, qp } = sender({ recoveryPeriodPs: 0 });
    const hops = (at: number, txBytes: number): readonly ExactHop[] => [{
      timePs: us(at),
      txBytes,
      qlenBytes: 0,
      lineRateBps: gbps(100),
      hopId: 3,
    }];
    const ack = (at: number, txBytes: number, partial = false): number => {
      engine.events.ack(us(at), qp, {
        ackSeq: at,
        sndNxt: at + 1,
        telemetry: { kind: 'exact', hops: hops(at, txBytes), partial },
      });
      engine.applyEvents();
      return engine.rateBps(qp);
    };
    ack(10, 0);
    engine.events.fastCnp(us(20), {
      endpoint: 0,
      source: SWITCH,
      originalDestination: RECEIVER,
      destQpn: RECEIVER_QPN,
      telemetry: { kind: 'exact', hops: hops(20, 125_000) },
    });
    engine.applyEvents();
    const notified = engine.rateBps(qp);
    expect(notified).toBe(rateOf(windowAfter(1)));
    expect(ack(35, 150_000, true)).toBe(notified);
    expect(engine.stats().outcomes['ack-applied']).toBe(2);
    expect(ack(50, 160_000)).toBe(rateOf(windowAfter(1) + W_AI));
  });

  it('reads the trace that an ACK echoes only when configured', () => {
    const at = (timeNs: number, txBytes: number, queueDepth: number) =>
      ackWith(traceOf([nodeOf({ nodeId: 7, timeNs, txBytes, queueDepth })]));
    const echoed = sender({}, { telemetry: { ...TELEMETRY, ackTraces: 'echo' } });
    applyPackets(echoed.engine, us(50), at(0, 0, 250));
    expect(echoed.engine.rateBps(echoed.qp)).toBe(gbps(100));
    applyPackets(echoed.engine, us(60), at(10_000, 15_625, 250));
    expect(echoed.engine.rateBps(echoed.qp)).toBe(
      rateOf(windowAfter((125_000 * 8) / (10_000 * 1e-9) / gbps(100) + (20_000 * gbps(100)) / gbps(100) / W0)),
    );
    expect(echoed.engine.stats().outcomes['ack-applied']).toBe(2);
    const untold = sender();
    applyPackets(untold.engine, us(50), at(0, 0, 250), at(10_000, 15_625, 250));
    expect(untold.engine.rateBps(untold.qp)).toBe(gbps(100));
    expect(untold.engine.stats().outcomes).toMatchObject({ ack: 2, 'ack-applied': 0 });
  });

  it('reads the echo from the first Destination Options header, if there is one, or from the Hop-by-Hop header', () => {
    const trace = (timeNs: number, txBytes: number, queueDepth: number) =>
      traceOf([nodeOf({ nodeId: 7, timeNs, txBytes, queueDepth })]);
    const rateAfter = (...acks: readonly Uint8Array[]): number => {
      const { engine, qp } = sender({}, { telemetry: { ...TELEMETRY, ackTraces: 'echo' } });
      acks.forEach((ack, i) => {
        applyPackets(engine, us(50 + 10 * i), ack);
      });
      expect(engine.stats().outcomes['ack-applied']).toBe(acks.length);
      return engine.rateBps(qp);
    };
    const [first, second] = [trace(0, 0, 250), trace(10_000, 15_625, 250)];
    const wanted = rateAfter(ackWith(first), ackWith(second));
    expect(wanted).toBeLessThan(gbps(100));
    const inDestination = (data: Uint8Array) => ackWithHeaders([[DESTINATION_OPTIONS, data]]);
    expect(rateAfter(inDestination(first), inDestination(second))).toBe(wanted);
    const ofTheWayBack = [HOP_BY_HOP, trace(777, 5, 9999)] as const;
    expect(rateAfter(...[first, second].map((data) => ackWithHeaders([ofTheWayBack, [DESTINATION_OPTIONS, data]]))))
      .toBe(wanted);
    const ignored = [DESTINATION_OPTIONS, trace(777, 5, 9999)] as const;
    expect(rateAfter(...[first, second].map((data) => ackWithHeaders([[DESTINATION_OPTIONS, data], ignored])))).toBe(
      wanted,
    );
  });

  it('does not raise a rate for the echo of a trace that overflowed', () => {
    const options = { telemetry: { ...TELEMETRY, ackTraces: 'echo' } } as const;
    const rateAfterEchoes = (flags: number): number => {
      const { engine, qp } = sender({ recoveryPeriodPs: 0 }, options);
      for (const i of [0, 1, 2]) {
        const trace = traceOf([nodeOf({ nodeId: 7, timeNs: i * 20_000, txBytes: i * 100, queueDepth: 0 })], {
          flags: i === 2 ? flags : 0,
        });
        if (i === 1) engine.packets.add(us(60), cnpPacket(), undefined, 'raw-ip');
        engine.packets.add(us(50 + 20 * i), ackWith(trace), undefined, 'raw-ip');
        engine.applyPackets();
      }
      return engine.rateBps(qp);
    };
    const [whole, overflowed] = [rateAfterEchoes(0), rateAfterEchoes(8)];
    expect(overflowed).toBeLessThan(whole);
  });

  it('ignores signals that are not among its sources', () => {
    const { engine, qp } = sender({ signalSources: ['acks'] });
    applyPackets(engine, us(50), withTrace([{ nodeId: 7, timeNs: 0, txBytes: 0, queueDepth: 999 }]), cnpPacket());
    expect(engine.rateBps(qp)).toBe(gbps(100));
    expect(engine.stats().outcomes).toMatchObject({ 'cnp-not-used': 2 });
  });

  it('lowers the rate at each notification down to the minimum rate', () => {
    const { engine, qp } = sender({ recoveryPeriodPs: 0, minRateBps: gbps(1), aiWindowBytes: 0 });
    const rates = Array.from({ length: 200 }, (_, i) => {
      applyPackets(engine, us(100 * (i + 1)),
        withTrace([{ nodeId: 7, timeNs: i * 100_000, txBytes: i, queueDepth: 50 }]));
      return engine.rateBps(qp);
    });
    for (let i = 1; i < rates.length; i++) expect(rates[i]).toBeLessThanOrEqual(rates[i - 1]!);
    expect(rates.at(-1)).toBe(gbps(1));
  });
});

describe('parameters of HPCC++', () => {
  it.each<[Partial<HpccPpPresetOptions>, string]>([
    [{ notifiedUtilization: 0.5 }, 'notifiedUtilization'],
    [{ signalSources: [] }, 'signalSources'],
    [{ aiWindowBytes: 0.01 }, 'aiWindowBytes'],
    [{ recoveryAfterPs: 0 }, 'recoveryAfterPs'],
    [{ primary: 'rate', aiWindowBytes: 80 }, 'aiWindowBytes'],
  ])('%o are rejected with the field name', (more, field) => {
    expect(() => hpccPpDraft({ ...RTT, ...more })).toThrow(new RegExp(field));
  });
});
