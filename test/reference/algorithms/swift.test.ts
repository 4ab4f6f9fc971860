import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { swiftSigcomm20 } from '../../../src/config/algorithms/swift.js';
import { flowScalingPs, SwiftModel, targetDelayPs } from '../../../src/reference/algorithms/swift/model.js';
import { gbps, us } from '../../../src/units.js';

const PARAMETERS = swiftSigcomm20({ lineRateBps: gbps(100) });

/** An ACK at a time in microseconds, for a packet with the given delay. */
function ack(timeUs: number, delayUs: number, more = {}) {
  return { timePs: us(timeUs), sentTimePs: us(timeUs - delayUs), ackSeq: 1, sndNxt: 2, ecnEcho: false, ...more };
}

describe('the target delay of Swift', () => {
  it('adds the whole range at the smallest window and nothing at the largest', () => {
    expect(flowScalingPs(PARAMETERS, 0.1)).toBeCloseTo(us(100), 0);
    expect(flowScalingPs(PARAMETERS, 0.01)).toBe(us(100));
    expect(flowScalingPs(PARAMETERS, 100)).toBeCloseTo(0, 0);
    expect(flowScalingPs(PARAMETERS, 500)).toBe(0);
  });

  it('is linear in 1 / sqrt(cwnd) in between, and falls as the window grows', () => {
    const at = (cwnd: number) => flowScalingPs(PARAMETERS, cwnd);
    expect((at(1) - at(4)) / (at(4) - at(16))).toBeCloseTo((1 - 1 / 2) / (1 / 2 - 1 / 4), 9);
    const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(fc.property(between(0.001, 1000), between(1, 10), (cwnd, factor) => {
      expect(at(cwnd * factor)).toBeLessThanOrEqual(at(cwnd));
    }));
  });

  it('adds a constant per hop', () => {
    expect(targetDelayPs(PARAMETERS, 500, 4)).toBe(us(25) + 4 * us(1));
  });
});

describe('the window of Swift', () => {
  it('below the target it grows by one packet per window of acknowledged packets', () => {
    const model = new SwiftModel(PARAMETERS);
    expect(model.onAck(ack(100, 10))).toBe('update');
    expect(model.state.cwnd).toBe(10 + 1 / 10);
    model.onAck(ack(101, 10, { ackedPackets: 10 }));
    expect(model.state.cwnd).toBeCloseTo(10.1 + 10 / 10.1, 12);
  });

  it('above the target it falls by beta of the excess, at most by maxDecrease, once per round trip', () => {
    const model = new SwiftModel({ ...PARAMETERS, flowScaleRangePs: 0 });
    model.onAck(ack(100, 50));
    expect(model.state.cwnd).toBeCloseTo(10 * (1 - 0.8 * (25 / 50)), 12);
    expect(model.onAck(ack(149, 50))).toBe('skipped');
    expect(model.state.cwnd).toBeCloseTo(6, 12);
    model.onAck(ack(150, 50));
    expect(model.state.cwnd).toBeCloseTo(3.6, 12);
    model.onAck(ack(2000, 1000));
    expect(model.state.cwnd).toBeCloseTo(1.8, 12);
  });

  it('host delay is subtracted, and an ACK with a negative remainder is not a signal', () => {
    const model = new SwiftModel(PARAMETERS);
    model.onAck(ack(100, 500, { hostDelayPs: us(490) }));
    expect(model.state.cwnd).toBeGreaterThan(10);
    expect(model.state.rttPs).toBe(us(500));
    expect(model.onAck(ack(600, 10, { hostDelayPs: us(11) }))).toBe('no-signal');
    expect(model.onAck({ timePs: us(600), ackSeq: 1, sndNxt: 2, ecnEcho: false })).toBe('no-signal');
  });

  it('more hops allow more delay', () => {
    const far = new SwiftModel({ ...PARAMETERS, flowScaleRangePs: 0 });
    far.onAck(ack(100, 28, { hopCount: 4 }));
    expect(far.state.cwnd).toBeGreaterThan(10);
    far.onAck(ack(200, 28, { hopCount: 2 }));
    expect(far.state.cwnd).toBeLessThan(10.1);
  });

  it('a loss cuts by maxDecrease once per round trip; consecutive timeouts reset the window to its minimum', () => {
    const model = new SwiftModel(PARAMETERS);
    expect(model.onLoss(us(100), 'fast')).toBe('handled');
    expect(model.state.cwnd).toBe(5);
    model.onLoss(us(101), 'fast');
    expect(model.state.cwnd).toBe(5);
    for (let i = 1; i <= 4; i += 1) model.onLoss(us(110), 'timeout');
    expect(model.state).toMatchObject({ cwnd: 5, timeouts: 4 });
    model.onLoss(us(111), 'timeout');
    expect(model.state).toMatchObject({ cwnd: PARAMETERS.minCwnd, timeouts: 5 });
    model.onAck(ack(200, 10));
    expect(model.state.timeouts).toBe(0);
  });

  it('below one packet it paces packets by the round-trip time over the window', () => {
    const model = new SwiftModel({ ...PARAMETERS, initialCwnd: 0.25 });
    model.onAck(ack(100, 200));
    const { cwnd } = model.state;
    expect(cwnd).toBeLessThan(0.25);
    expect(model.windowBytes).toBe(PARAMETERS.packetBytes);
    model.onSent(us(100));
    expect(model.nextSendPs).toBe(us(100) + Math.ceil(us(200) / cwnd));
    expect(model.rateBps).toBeCloseTo((cwnd * 1024 * 8) / 200e-6, 3);
    model.onAck(ack(700, 10, { ackedPackets: 1 }));
    expect(model.state.cwnd).toBe(cwnd + 1);
    model.onSent(us(700));
    expect(model.nextSendPs).toBe(us(700));
  });

  it('window and rate stay within their limits', () => {
    const gap = fc.integer({ min: 1, max: 1_000_000 });
    const event = fc.tuple(gap, fc.integer({ min: 1, max: 100_000_000 }), fc.constantFrom('ack', 'fast', 'timeout'));
    fc.assert(fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const model = new SwiftModel(PARAMETERS);
      let timePs = us(200);
      for (const [gapPs, delayPs, kind] of events) {
        timePs += gapPs;
        const common = { timePs, ackSeq: 1, sndNxt: 2, ecnEcho: false };
        if (kind === 'ack') model.onAck({ ...common, sentTimePs: timePs - delayPs, ackedPackets: 50 });
        else model.onLoss(timePs, kind === 'fast' ? 'fast' : 'timeout');
        expect(model.state.cwnd).toBeGreaterThanOrEqual(PARAMETERS.minCwnd);
        expect(model.state.cwnd).toBeLessThanOrEqual(PARAMETERS.maxCwnd);
        expect(model.rateBps).toBeLessThanOrEqual(PARAMETERS.maxRateBps);
      }
    }));
  });

  it('late events are rejected and change nothing', () => {
    const model = new SwiftModel(PARAMETERS);
    model.onAck(ack(100, 10));
    const before = structuredClone(model.state);
    expect(model.onAck(ack(99, 10))).toBe('time-backwards');
    expect(model.onLoss(us(99), 'fast')).toBe('time-backwards');
    expect(model.onSent(-1)).toBe('bad-time');
    expect(model.state).toEqual(before);
  });
});
