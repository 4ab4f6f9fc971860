import { describe, expect, it } from 'vitest';
import { DcqcnModel } from '../../../src/reference/algorithms/dcqcn/model.js';
import { createArithmetic } from '../../../src/reference/algorithms/dcqcn/increase.js';
import { gbps, mbps, us } from '../../../src/units.js';
import { CONNECTX, PAPER } from '../support/parameters.js';

const T0 = us(10);

describe('closed forms of the SIGCOMM 2015 parameters', () => {
  it('the first CNP halves the rate, because alpha starts at 1', () => {
    const model = new DcqcnModel(PAPER);
    model.cnp(T0);
    expect(model.state.rateBps).toBe(gbps(20));
    expect(model.state.targetBps).toBe(gbps(40));
    expect(model.state.alpha).toBe(1);
  });

  it('k fast-recovery steps leave a gap of (R_T - R_C) / 2^k', () => {
    const model = new DcqcnModel(PAPER);
    model.cnp(T0);
    for (let k = 1; k <= 5; k++) {
      model.touch(T0 + k * us(55));
      expect(model.state.targetBps - model.state.rateBps).toBe(gbps(20) / 2 ** k);
      expect(model.state.timeStage).toBe(k);
    }
  });

  it('m alpha periods without a CNP multiply alpha by (1 - g)^m', () => {
    const model = new DcqcnModel({ ...PAPER, limiterRelease: 'never' });
    model.cnp(T0);
    model.touch(T0 + 6 * us(55));
    expect(model.state.alpha).toBe((255 / 256) ** 6);
    model.touch(T0 + 1000 * us(55));
    // The model rounds 1000 times, by at most half an ulp each.
    expect(Math.abs(model.state.alpha / (255 / 256) ** 1000 - 1)).toBeLessThan(1000 * 2 ** -53);
  });

  it('alpha periods without a CNP count from the last CNP', () => {
    const model = new DcqcnModel(PAPER);
    model.cnp(T0);
    model.cnp(T0 + us(54));
    model.touch(T0 + us(108));
    expect(model.state.alpha).toBe(1);
    model.touch(T0 + us(109));
    expect(model.state.alpha).toBe(255 / 256);
  });

  it('R_T - R_C converges to R_AI in additive increase', () => {
    const model = new DcqcnModel({ ...PAPER, byteCounterBytes: 0, initialAlpha: 1 });
    model.cnp(T0);
    model.cnp(T0 + 1);
    expect(model.state.rateBps).toBe(gbps(10));
    model.touch(T0 + 1 + 105 * us(55));
    expect(model.state.targetBps).toBe(gbps(20) + 100 * mbps(40));
    expect(model.state.targetBps - model.state.rateBps).toBe(mbps(40));
  });

  it('alpha below 2^-64 is 0', () => {
    const model = new DcqcnModel({ ...PAPER, limiterRelease: 'never' });
    model.cnp(T0);
    const steps = Math.ceil(Math.log(2 ** -64) / Math.log(255 / 256));
    model.touch(T0 + (steps - 1) * us(55));
    expect(model.state.alpha).toBeGreaterThan(0);
    model.touch(T0 + steps * us(55));
    expect(model.state.alpha).toBe(0);
  });

  it('a packet delays the next one by its length over the rate, rounded up', () => {
    const model = new DcqcnModel({ ...PAPER, rateOnFirstCnpBps: 3e9, firstCnpCuts: false });
    model.cnp(T0);
    model.sent(T0, 1000);
    expect(model.state.nextSendPs).toBe(T0 + 2_666_667);
  });
});

describe('alpha in ten bits', () => {
  const arithmetic = createArithmetic(CONNECTX);

  function resolve(start: number, step: (alpha: number) => number): number {
    let alpha = start;
    for (let next = step(alpha); next !== alpha; next = step(alpha)) alpha = next;
    return alpha;
  }

  it('rises from 0 under constant CNPs and stops at 820 of 1024, not at 1023', () => {
    expect(resolve(0, (alpha) => arithmetic.alphaUp(alpha))).toBe(820);
  });

  it('decays from 1023 to 0', () => {
    expect(resolve(1023, (alpha) => arithmetic.alphaDown(alpha))).toBe(0);
  });

  it('never exceeds 1023', () => {
    expect(arithmetic.alphaUp(1023)).toBe(1023);
  });

  it('the first cut of the ConnectX defaults comes after four alpha periods, by 1003/2048 of the rate', () => {
    const model = new DcqcnModel(CONNECTX);
    model.cnp(T0);
    model.touch(T0 + us(4) - 1);
    expect(model.state.rateBps).toBe(gbps(100));
    expect(model.state.alpha).toBe(1008);
    model.touch(T0 + us(4));
    expect(model.state.alpha).toBe(1003);
    expect(model.state.rateBps).toBe(51_025_390_625);
    expect(model.alphaFraction).toBe(1003 / 1024);
  });

  it('a cut leaves at least minDecreaseFactor of the rate', () => {
    const model = new DcqcnModel({ ...CONNECTX, minDecreaseFactor: 0.75 });
    model.cnp(T0);
    model.touch(T0 + us(4));
    expect(model.state.rateBps).toBe(gbps(75));
  });

  it('averages are floored once, not term by term', () => {
    expect(arithmetic.average(3, 5)).toBe(4);
    expect(createArithmetic({ ...CONNECTX, numbers: 'whole-bps' }).average(3, 5)).toBe(3);
    expect(createArithmetic({ ...CONNECTX, numbers: 'float64' }).average(3, 4)).toBe(3.5);
  });
});
