import { describe, expect, it } from 'vitest';
import { type TimelyParameters, timelyNs3, timelySigcomm15 } from '../../../src/config/algorithms/timely.js';
import { TimelyModel } from '../../../src/reference/algorithms/timely/model.js';
import { gbps, us } from '../../../src/units.js';

const PAPER = timelySigcomm15({ lineRateBps: gbps(10) });

/** A model that gets one ACK per millisecond, each of a new round trip, with these round-trip times. */
function after(parameters: TimelyParameters, ...rttsUs: number[]): TimelyModel {
  const model = new TimelyModel(parameters);
  rttsUs.forEach((rttUs, i) => {
    const timePs = us(1000 + 1000 * i);
    model.onAck({ timePs, sentTimePs: timePs - us(rttUs), ackSeq: 10 * i + 1, sndNxt: 10 * i + 10, ecnEcho: false });
  });
  return model;
}

describe('TIMELY by the paper', () => {
  it('above T_high the rate falls by beta of the excess, for any gradient', () => {
    const model = after(PAPER, 1000, 1000);
    expect(model.rateBps).toBeCloseTo(10e9 * (1 - 0.8 * (1 - 500 / 1000)), 3);
    expect(model.state.rttDiffNs).toBe(0);
  });

  it('between the thresholds it falls by beta times the gradient', () => {
    const model = after(PAPER, 100, 104);
    expect(model.state.rttDiffNs).toBe(0.875 * 4000);
    expect(model.rateBps).toBeCloseTo(10e9 * (1 - 0.8 * ((0.875 * 4) / 20)), 3);
  });

  it('at a gradient of exactly 0 the rate rises', () => {
    expect(after(PAPER, 100, 100).state).toMatchObject({ rttDiffNs: 0, incStage: 1 });
  });

  it('a gradient that makes the factor negative sets the rate to its minimum', () => {
    expect(after(PAPER, 60, 490).rateBps).toBe(PAPER.minRateBps);
  });

  it('below T_low it rises even while delay grows', () => {
    const model = after(PAPER, 1000, 1000, 20, 40);
    const lower = 10e9 * (1 - 0.8 * 0.5);
    expect(model.rateBps).toBeCloseTo(lower + 2 * 10e6, 3);
  });

  it('from the sixth consecutive increase on, it rises five times as fast if the delay does not grow', () => {
    const rates = [5, 6, 7].map((count) => after(PAPER, 1000, 1000, ...new Array<number>(count).fill(100)).rateBps);
    expect(rates[1] - rates[0]).toBeCloseTo(50e6, 3);
    expect(rates[2] - rates[1]).toBeCloseTo(50e6, 3);
    const four = after(PAPER, 1000, 1000, 100, 100, 100, 100).rateBps;
    expect(rates[0] - four).toBeCloseTo(10e6, 3);
  });

  it('increases below T_low do not count for hyper increase, unless lowRttIncrease is staged', () => {
    const low = new Array<number>(8).fill(20);
    expect(after(PAPER, 1000, 1000, ...low).state.incStage).toBe(0);
    const staged = after({ ...PAPER, lowRttIncrease: 'staged' }, 1000, 1000, ...low);
    expect(staged.state.incStage).toBe(8);
    expect(staged.rateBps - after(PAPER, 1000, 1000, ...low).rateBps).toBeCloseTo(3 * 40e6, 3);
  });
});

describe('events', () => {
  const RATE = timelyNs3({ lineRateBps: gbps(100) });

  it('the first ACK of a round trip updates the rate, or each ACK under updateOn ack', () => {
    const model = new TimelyModel(RATE);
    const each = new TimelyModel({ ...RATE, updateOn: 'ack' });
    const acks = [1, 5, 50, 51].map((ackSeq, i) => ({
      timePs: us(100 + i),
      sentTimePs: us(90),
      ackSeq,
      sndNxt: 50 + i,
      ecnEcho: false,
    }));
    expect(acks.map((ack) => model.onAck(ack))).toEqual(['first', 'skipped', 'skipped', 'update']);
    expect(acks.map((ack) => each.onAck(ack))).toEqual(['first', 'update', 'update', 'update']);
  });

  it('an ACK without a round-trip time, or with a negative one, is not a signal', () => {
    const model = new TimelyModel(RATE);
    expect(model.onAck({ timePs: us(1), ackSeq: 1, sndNxt: 2, ecnEcho: false })).toBe('no-signal');
    expect(model.onAck({ timePs: us(1), sentTimePs: us(2), ackSeq: 1, sndNxt: 2, ecnEcho: false })).toBe('no-signal');
    expect(model.state).toMatchObject({ started: false, lastEventPs: 0 });
  });

  it('late events are rejected, and a new rate does not change the running gap', () => {
    const model = after(PAPER, 1000);
    expect(model.onSent(us(999), 1000)).toBe('time-backwards');
    expect(model.onSent(us(1000), 1000)).toBe('handled');
    expect(model.nextSendPs).toBe(us(1000) + 800_000);
    expect(model.onAck({ timePs: us(2000), sentTimePs: us(1000), ackSeq: 99, sndNxt: 200, ecnEcho: false })).toBe(
      'update',
    );
    expect(model.rateBps).toBeLessThan(10e9);
    expect(model.nextSendPs).toBe(us(1000) + 800_000);
    expect(model.onAck({ timePs: us(1), sentTimePs: 0, ackSeq: 299, sndNxt: 300, ecnEcho: false })).toBe(
      'time-backwards',
    );
  });
});
