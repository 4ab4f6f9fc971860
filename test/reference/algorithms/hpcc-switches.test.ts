import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HpccParameters, validateHpcc } from '../../../src/config/algorithms/hpcc.js';
import { hpccSigcomm19 } from '../../../src/config/algorithms/hpcc-presets.js';
import { RoceError } from '../../../src/errors.js';
import type { Ack } from '../../../src/reference/algorithms/ack.js';
import { HpccModel } from '../../../src/reference/algorithms/hpcc/model.js';
import { measureInterval, quantizeHop, type ExactTelemetry, type HopSample,
  type Telemetry } from '../../../src/reference/algorithms/hpcc/hops.js';
import { gbps, us } from '../../../src/units.js';

/** 100 Gb/s, T = 10 us: a window of 125 kB. */
const PAPER = hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(10) });
/** The same, controlled by the rate, with R_AI = 40 Mb/s. */
const RATE: HpccParameters = validateHpcc({ ...PAPER, primary: 'rate', aiWindowBytes: 0, aiRateBps: 40e6 });

const T = us(10);

function hop(timePs: number, txBytes: number, qlenBytes: number, more: Partial<HopSample> = {}): HopSample {
  return { timePs, txBytes, qlenBytes, lineRateBps: 100e9, ...more };
}

function exact(...hops: HopSample[]): ExactTelemetry {
  return { kind: 'exact', hops };
}

/** An ACK with the given telemetry and no ECN echo. */
function ack(timePs: number, ackSeq: number, sndNxt: number, telemetry: Telemetry): Ack {
  return { timePs, ackSeq, sndNxt, ecnEcho: false, telemetry };
}

/** A model after its first ACK, which has set lastUpdateSeq to 100 and stored the record of one idle hop at time T. */
function started(parameters: HpccParameters, first: Telemetry = exact(hop(T, 0, 0))): HpccModel {
  const model = new HpccModel(parameters);
  expect(model.onAck(ack(T, 1, 100, first))).toBe('first');
  return model;
}

describe("the paper's step", () => {
  it('a hop at line rate with a tenth of the path in its queue gives U = 1.1 and divides the window by U / eta', () => {
    const model = started(PAPER, exact(hop(T, 0, 12_500)));
    expect(model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 125_000, 12_500))))).toBe('update');
    expect(model.state.utilization).toBeCloseTo(1.1, 12);
    expect(model.state.windowBytes).toBeCloseTo(125_000 / (1.1 / 0.95) + PAPER.aiWindowBytes, 6);
    expect(model.rateBps).toBe((model.state.windowBytes * 8e12) / T);
  });

  it('below eta the window grows by an additive step, at most maxStage times in a row', () => {
    const model = started({ ...PAPER, minRateBps: 1000 });
    const windows: number[] = [];
    for (let i = 2; i <= 9; i += 1) {
      // First twice the line rate, which cuts the window, then half load.
      const busy = i === 2 ? hop(2 * T, 250_000, 0) : hop(i * T, 250_000 + (i - 2) * 62_500, 0);
      model.onAck(ack(i * T, (i - 1) * 100 + 1, i * 100, exact(busy)));
      windows.push(model.state.windowBytes);
    }
    const [cut, ...after] = windows;
    expect(cut).toBeCloseTo(125_000 / (2 / 0.95) + PAPER.aiWindowBytes, 6);
    const steps = after.map((window, i) => window - windows[i]);
    for (const step of steps.slice(0, 5)) expect(step).toBeCloseTo(PAPER.aiWindowBytes, 6);
    expect(windows[6]).toBeCloseTo(windows[5] / (0.5 / 0.95) + PAPER.aiWindowBytes, 6);
  });

  it('ACKs within a round trip adjust the window relative to an unchanged reference', () => {
    const model = started(PAPER);
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0))));
    const { committed, windowBytes } = model.state;
    expect(committed).toBe(windowBytes);
    expect(model.onAck(ack(3 * T, 150, 250, exact(hop(3 * T, 500_000, 0))))).toBe('fast');
    expect(model.state.committed).toBe(committed);
    expect(model.state.windowBytes).toBeCloseTo(committed / (2 / 0.95) + PAPER.aiWindowBytes, 6);
    expect(model.state.lastUpdateSeq).toBe(200);
  });

  it('without fastReact an ACK within a round trip changes nothing', () => {
    const model = started({ ...PAPER, fastReact: false });
    const before = structuredClone(model.state);
    expect(model.onAck(ack(2 * T, 50, 200, exact(hop(2 * T, 250_000, 0))))).toBe('skipped');
    expect(model.state).toEqual({ ...before, lastEventPs: 2 * T });
  });

  it('rate and window as primary quantity give the same results if R = W / T', () => {
    const whole = (min: number, max: number) => fc.integer({ min, max });
    const step = fc.tuple(whole(1, 20_000_000), whole(0, 250_000), whole(0, 50_000));
    fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const byWindow = started(PAPER);
      const byRate = started({ ...RATE, aiRateBps: (PAPER.aiWindowBytes * 8e12) / T });
      let timePs = T;
      let txBytes = 0;
      steps.forEach(([gapPs, sent, qlen], i) => {
        timePs += gapPs;
        txBytes += sent;
        const next = ack(timePs, 60 * i, 60 * i + 100, exact(hop(timePs, txBytes, qlen)));
        expect(byWindow.onAck(next)).toBe(byRate.onAck(next));
        expect(Math.abs(byWindow.rateBps / byRate.rateBps - 1)).toBeLessThan(1e-9);
        expect(byWindow.state.utilization).toBe(byRate.state.utilization);
      });
    }));
  });

  it('the rate stays within its limits, and the utilization is finite, for any report of the hops', () => {
    const report = fc.tuple(fc.nat(1e8), fc.nat(1e9), fc.nat(1e9));
    const reports = fc.array(report, { maxLength: 20 });
    fc.assert(fc.property(fc.constantFrom(PAPER, RATE), fc.boolean(), reports, (base, multiRate, samples) => {
      const model = started({ ...base, multiRate });
      samples.forEach(([timePs, tx, q], i) => {
        model.onAck(ack(T + i, 40 * i, 40 * i + 80, exact(hop(timePs, tx, q))));
        expect(model.rateBps).toBeGreaterThanOrEqual(base.minRateBps * (1 - 1e-12));
        expect(model.rateBps).toBeLessThanOrEqual(base.maxRateBps);
        expect(Number.isFinite(model.state.utilization)).toBe(true);
      });
    }));
  });
});

describe('hops of a path', () => {
  it('the hop with the highest utilization determines U', () => {
    const model = started(PAPER, exact(hop(T, 0, 0), hop(T, 0, 0), hop(T, 0, 0)));
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 10_000, 0), hop(2 * T, 150_000, 0), hop(2 * T, 90_000, 0))));
    expect(model.state.utilization).toBeCloseTo(1.2, 12);
  });

  it('with a rate per hop, the smallest rate is used and each hop commits its own', () => {
    const parameters = { ...RATE, multiRate: true };
    const model = started(parameters, exact(hop(T, 0, 0), hop(T, 0, 0)));
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0), hop(2 * T, 62_500, 0))));
    const [first, second] = model.state.hops;
    expect(first.committed).toBeCloseTo(100e9 / (2 / 0.95) + 40e6, 0);
    expect(second).toMatchObject({ committed: 100e9, incStage: 1 });
    expect(model.rateBps).toBe(first.committed);
    expect(model.state.committed).toBe(first.committed);
  });

  it('with a rate per hop, a skipped hop counts with its reference rate', () => {
    const model = started({ ...RATE, multiRate: true, sampleFeedback: true }, exact(hop(T, 0, 0), hop(T, 0, 0)));
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0), hop(2 * T, 62_500, 0))));
    const slow = model.state.hops[0].committed;
    expect(model.onAck(ack(3 * T, 150, 250, exact(hop(3 * T, 500_000, 0), hop(3 * T, 125_000, 1))))).toBe('fast');
    expect(model.rateBps).toBe(slow);
    expect(model.state.hops[0].time).toBe(2 * T);
  });

  it('the terms of a hop are computed in the documented order', () => {
    const interval = { tauNs: 1000, sentBytes: 0, qlenBytes: 77_793, minQlenBytes: 77_793, lineRateBps: 39.7e9 };
    expect(measureInterval(interval, 1000, 98.3e9, 52_001).utilization).toBe((77_793 * 98.3e9) / 39.7e9 / 52_001);
    expect(measureInterval(interval, 1000, 98.3e9, 52_001).utilization).not.toBe((77_793 * (98.3e9 / 39.7e9)) / 52_001);
  });

  it.each<[string, ExactTelemetry]>([
    ['another hop count', exact(hop(2 * T, 250_000, 0), hop(2 * T, 0, 0))],
    ['another path identity', { ...exact(hop(2 * T, 250_000, 0)), pathId: 7 }],
    ['another hop identity', exact(hop(2 * T, 250_000, 0, { hopId: 9 }))],
  ])('%s restarts the measurement, keeps the rate, and the next ACK updates it', (_, changed) => {
    const model = started(PAPER);
    expect(model.onAck(ack(2 * T, 101, 200, changed))).toBe('new-path');
    expect(model.state).toMatchObject({ rateBps: 100e9, lastUpdateSeq: 100, utilization: 1 });
    const hops = changed.hops.map((h) => ({ ...h, timePs: 3 * T, txBytes: h.txBytes + 125_000 }));
    expect(model.onAck(ack(3 * T, 102, 300, { ...changed, hops }))).toBe('update');
    expect(model.state.utilization).toBeCloseTo(1, 12);
  });

  it('a path change that is ignored compares records of different hops', () => {
    const model = started({ ...PAPER, pathChange: 'ignore' });
    expect(model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0, { hopId: 9 }))))).toBe('update');
    expect(model.state.utilization).toBeCloseTo(2, 12);
  });

  it('on a new path, hops with separate rates start at the current rate', () => {
    const model = started({ ...RATE, multiRate: true });
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0))));
    const { rateBps } = model;
    expect(rateBps).toBeLessThan(50e9);
    model.onAck(ack(3 * T, 201, 300, exact(hop(3 * T, 0, 0), hop(3 * T, 0, 0))));
    expect(model.state.hops[1]).toMatchObject({ utilization: 1, committed: rateBps, incStage: 0 });
  });

  it('hops with empty queues are skipped between full updates under sampleFeedback', () => {
    const model = started({ ...PAPER, sampleFeedback: true });
    const before = structuredClone(model.state);
    expect(model.onAck(ack(2 * T, 50, 200, exact(hop(2 * T, 250_000, 0))))).toBe('fast');
    expect(model.state).toEqual({ ...before, lastEventPs: 2 * T });
    expect(model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0))))).toBe('update');
    expect(model.state.utilization).toBeCloseTo(2, 12);
  });

  it('sixteen exact hops are handled; with seventeen, the rate stays but round trips are still counted', () => {
    const many = (count: number, timePs: number, tx: number) =>
      exact(...Array.from({ length: count }, (_, i) => hop(timePs, tx + i, 0)));
    const model = started({ ...PAPER, pathChange: 'ignore' }, many(16, T, 0));
    expect(model.onAck(ack(2 * T, 101, 200, many(16, 2 * T, 250_000)))).toBe('update');
    expect(model.state.utilization).toBeCloseTo(2, 12);
    const { rateBps, utilization } = model.state;
    expect(model.onAck(ack(3 * T, 201, 300, many(17, 3 * T, 900_000)))).toBe('update');
    expect(model.state).toMatchObject({ rateBps, lastUpdateSeq: 300, utilization });
  });

  it('with six hops of 64-bit records, the rate stays, and a first ACK stores the five slots', () => {
    const raw = (timePs: number, tx: number) => quantizeHop(hop(timePs, tx, 0), 1);
    const slots = (timePs: number, tx: number, hopCount: number): Telemetry => ({
      kind: 'int64',
      hopCount,
      hops: Array.from({ length: 5 }, (_, i) => raw(timePs + 1000 * i, tx)),
    });
    const model = started({ ...RATE, records: 'int64', pathChange: 'ignore' }, slots(T, 0, 6));
    expect(model.state.hops.map((h) => h.time)).toEqual([10_000, 10_001, 10_002, 10_003, 10_004]);
    expect(model.onAck(ack(2 * T, 101, 200, slots(2 * T, 250_000, 6)))).toBe('update');
    expect(model.state).toMatchObject({ rateBps: 100e9, lastUpdateSeq: 200, utilization: 1 });
    expect(model.onAck(ack(3 * T, 201, 300, slots(3 * T, 500_000, 5)))).toBe('update');
    expect(model.state.utilization).not.toBe(1);
  });
});

describe('invalid telemetry', () => {
  it('a record with a repeated timestamp is skipped, and the next interval starts at the older record', () => {
    const model = started(PAPER);
    const before = structuredClone(model.state);
    expect(model.onAck(ack(T, 101, 200, exact(hop(T, 40_000, 0))))).toBe('update');
    expect(model.state).toEqual({ ...before, lastUpdateSeq: 200 });
    model.onAck(ack(2 * T, 201, 300, exact(hop(2 * T, 125_000, 0))));
    expect(model.state.utilization).toBeCloseTo(1, 12);
  });

  it('a repeated timestamp counts as 1 ns under one-nanosecond', () => {
    const model = started({ ...PAPER, repeatedTimestamp: 'one-nanosecond' });
    model.onAck(ack(T, 101, 200, exact(hop(T, 1000, 0))));
    // 1000 bytes in 1 ns are 80 times the line rate, weighted by 1 ns of 10 us.
    expect(model.state.utilization).toBeCloseTo((1 * 9999 + 80) / 10_000, 9);
  });

  it.each([
    ['time', hop(T / 2, 300_000, 0)],
    ['byte counter', hop(2 * T, 100_000, 0)],
  ])('a %s that runs backwards gives no utilization, and the next interval is valid again', (_, late) => {
    const model = started(PAPER, exact(hop(T, 200_000, 0)));
    model.onAck(ack(2 * T, 101, 200, exact(late)));
    expect(model.state).toMatchObject({ utilization: 1, rateBps: 100e9 });
    const end = late.timePs + T;
    model.onAck(ack(3 * T, 201, 300, exact(hop(end, late.txBytes + 62_500, 0))));
    expect(model.state.utilization).toBeCloseTo(0.5, 12);
  });

  it('a hop without a line rate does not count', () => {
    const model = started(PAPER);
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0, { lineRateBps: 0 }))));
    expect(model.state).toMatchObject({ utilization: 1, rateBps: 100e9 });
  });

  it.each<[string, Telemetry | undefined]>([
    ['an ACK without telemetry', undefined],
    ['64-bit telemetry for a QP with exact records', { kind: 'int64', hopCount: 0, hops: [] }],
  ])('%s is no signal and changes nothing', (_, telemetry) => {
    const model = started(PAPER);
    const before = structuredClone(model.state);
    const bare = { timePs: 2 * T, ackSeq: 101, sndNxt: 200, ecnEcho: false };
    expect(model.onAck(telemetry === undefined ? bare : { ...bare, telemetry })).toBe('no-signal');
    expect(model.state).toEqual(before);
  });

  it('64-bit records with fewer slots than hops are not a signal', () => {
    const model = new HpccModel({ ...RATE, records: 'int64' });
    expect(model.onAck(ack(T, 1, 100, { kind: 'int64', hopCount: 2, hops: [quantizeHop(hop(T, 0, 0), 1)] }))).toBe(
      'no-signal',
    );
  });

  it('a line rate that has no code is rejected by name', () => {
    expect(() => quantizeHop(hop(0, 0, 0, { lineRateBps: 40e9 }), 1)).toThrow(RoceError);
    expect(() => quantizeHop(hop(0, 0, 0, { lineRateBps: 40e9 }), 1)).toThrow(/hopSample\.lineRateBps/);
  });

  it('64-bit records give the results of exact ones across all wraps, if their units lose nothing', () => {
    // Multiples of 1 ns, 128 bytes and 80 bytes lose nothing in 64-bit records; the start lies just before every wrap.
    const start = { timeNs: 2 ** 24 * 3 - 5, units: 2 ** 20 * 2 - 3 };
    const step = fc.tuple(fc.integer({ min: 1, max: 200_000 }), fc.nat(3000), fc.nat(2 ** 17 - 1));
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      let { timeNs, units } = start;
      const sample = (q: number) => hop(timeNs * 1000, units * 128, q * 80);
      const raw = (q: number): Telemetry => ({ kind: 'int64', hopCount: 1, hops: [quantizeHop(sample(q), 1)] });
      const fine = started(RATE, exact(sample(0)));
      const coarse = started({ ...RATE, records: 'int64' }, raw(0));
      steps.forEach(([gapNs, sent, q], i) => {
        timeNs += gapNs;
        units += sent;
        fine.onAck(ack(timeNs * 1000, 60 * i, 60 * i + 100, exact(sample(q))));
        coarse.onAck(ack(timeNs * 1000, 60 * i, 60 * i + 100, raw(q)));
        expect(coarse.state.utilization).toBe(fine.state.utilization);
        expect(coarse.rateBps).toBe(fine.rateBps);
      });
    }));
  });
});

describe('weights, sequence numbers, times', () => {
  it('a constant weight ignores the length of the sample', () => {
    const model = started({ ...PAPER, ewma: 'constant', ewmaBeta: 0.25 });
    model.onAck(ack(2 * T, 101, 200, exact(hop(T + 1000, 25, 0))));
    expect(model.state.utilization).toBeCloseTo(1 * 0.75 + 2 * 0.25, 12);
  });

  it('an interval longer than T counts as T: the sample replaces u', () => {
    const model = started(PAPER);
    model.onAck(ack(9 * T, 101, 200, exact(hop(9 * T, 500_000, 0))));
    expect(model.state.utilization).toBeCloseTo(0.5, 12);
  });

  it('packet sequence numbers wrap at 2^24', () => {
    const model = new HpccModel(PAPER);
    model.onAck(ack(T, 0xfffff0, 0xfffffe, exact(hop(T, 0, 0))));
    expect(model.onAck(ack(2 * T, 0xfffffe, 0x000004, exact(hop(2 * T, 0, 0))))).toBe('fast');
    expect(model.onAck(ack(3 * T, 0xffffff, 0x000008, exact(hop(3 * T, 0, 0))))).toBe('update');
    expect(model.state.lastUpdateSeq).toBe(8);
    expect(model.onAck(ack(4 * T, 2, 10, exact(hop(4 * T, 0, 0))))).toBe('fast');
    expect(model.onAck(ack(5 * T, 9, 20, exact(hop(5 * T, 0, 0))))).toBe('update');
  });

  it('with PSNs, a first ACK is recorded even if it leaves lastUpdateSeq at 0', () => {
    const model = new HpccModel(PAPER);
    expect(model.onAck(ack(T, 0xffffff, 0x1000000, exact(hop(T, 0, 0))))).toBe('first');
    expect(model.state).toMatchObject({ started: true, lastUpdateSeq: 0 });
    expect(model.onAck(ack(2 * T, 1, 5, exact(hop(2 * T, 0, 0))))).toBe('update');
  });

  it('the end of a round trip never moves back, even if the sender retransmits from an earlier PSN', () => {
    const model = started(PAPER);
    expect(model.onAck(ack(2 * T, 101, 60, exact(hop(2 * T, 0, 0))))).toBe('update');
    expect(model.state.lastUpdateSeq).toBe(100);
  });

  it('with u32 numbers, 0 means that no ACK was handled, as in the reference', () => {
    const model = new HpccModel({ ...RATE, sequence: 'u32' });
    expect(model.onAck(ack(T, 1, 2 ** 32, exact(hop(T, 0, 0))))).toBe('first');
    expect(model.onAck(ack(2 * T, 1, 9, exact(hop(2 * T, 0, 0))))).toBe('first');
    expect(model.onAck(ack(3 * T, 10, 20, exact(hop(3 * T, 0, 0))))).toBe('update');
  });

  it('events at invalid times or before the last one are rejected and change nothing', () => {
    const model = started(PAPER);
    const before = structuredClone(model.state);
    const bad = exact(hop(2 * T, 250_000, 0));
    for (const timePs of [-1, Number.NaN, 2 ** 53]) {
      expect(model.onAck(ack(timePs, 101, 200, bad))).toBe('bad-time');
      expect(model.onSent(timePs, 1000)).toBe('bad-time');
    }
    expect(model.onAck(ack(T - 1, 101, 200, bad))).toBe('time-backwards');
    expect(model.onSent(T - 1, 1000)).toBe('time-backwards');
    expect(model.state).toEqual(before);
  });

  it('a sent packet sets the gap at the current rate, and a lower rate stretches it', () => {
    const model = started(PAPER);
    expect(model.onSent(T, 1000)).toBe('handled');
    expect(model.nextSendPs).toBe(T + 80_000);
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0))));
    expect(model.nextSendPs).toBe(T + Math.ceil(8e15 / model.rateBps));
  });

  it('a new rate sets no gap before the first packet', () => {
    const model = started(PAPER);
    model.onAck(ack(2 * T, 101, 200, exact(hop(2 * T, 250_000, 0))));
    expect(model.nextSendPs).toBe(0);
  });
});
