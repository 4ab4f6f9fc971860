import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BYTE_STAGE_MAX, STAGE_MAX } from '../../../src/abi/codes.js';
import type { DcqcnParameters } from '../../../src/config/algorithms/dcqcn.js';
import { DcqcnModel } from '../../../src/reference/algorithms/dcqcn/model.js';
import { gbps, mbps, ms, seconds, us } from '../../../src/units.js';
import { CONNECTX, PAPER } from '../support/parameters.js';

type Event = readonly [kind: 'sent' | 'cnp' | 'touch', gapPs: number, lenBytes: number];

const HOUR_PS = seconds(3600);
/** Steps of alpha from 1 to below 2^-64 with g = 1/256: 11,335. */
const ALPHA_STEPS = Math.ceil(Math.log(2 ** -64) / Math.log(255 / 256));
const NS3: DcqcnParameters = {
  ...CONNECTX,
  numbers: 'whole-bps',
  alphaGain: 1 / 256,
  initialAlpha: 1,
  stages: 'time',
  byteCounterBytes: 0,
  haiRateBps: mbps(200),
  limiterRelease: 'never',
};

/** All options; periods of tens of milliseconds, so that the model without shortcuts can simulate an hour. */
const parameters: fc.Arbitrary<DcqcnParameters> = fc.record({
  algorithm: fc.constant('dcqcn' as const),
  numbers: fc.constantFrom('float64', 'whole-bps', 'alpha-q10'),
  maxRateBps: fc.constantFrom(gbps(1), gbps(1) - 1, 25_000_000_001),
  minRateBps: fc.constantFrom(1, mbps(10)),
  alphaGain: fc.constantFrom(0, 5 / 1024, 1 / 16, 1),
  initialAlpha: fc.constantFrom(0, 0.5, 1023 / 1024),
  alphaUpdate: fc.constantFrom('on-cnp', 'per-period'),
  alphaPeriodPs: fc.constantFrom(ms(40), ms(100), ms(333)),
  cutTrigger: fc.constantFrom('on-cnp', 'per-period'),
  cutPeriodPs: fc.constantFrom(ms(40), ms(100), ms(500)),
  cutOffsetPs: fc.constantFrom(0, 1000),
  cutAlphaOrder: fc.constantFrom('cut-first', 'alpha-first'),
  cutScale: fc.constantFrom(0.5, 1),
  minDecreaseFactor: fc.constantFrom(0, 0.5, 1),
  rateOnFirstCnpBps: fc.constantFrom(0, mbps(100)),
  rateOnFirstCnpFraction: fc.constantFrom(1, 0.3),
  firstCnpCuts: fc.boolean(),
  clampTargetRate: fc.boolean(),
  clampTargetRateAfterTimeIncrease: fc.boolean(),
  increasePeriodPs: fc.constantFrom(ms(40), ms(100), ms(101)),
  increaseTimerStart: fc.constantFrom('first-cnp', 'first-cut'),
  byteCounterBytes: fc.constantFrom(0, 50_000, 1_000_001),
  fastRecoverySteps: fc.constantFrom(0, 1, 5),
  stages: fc.constantFrom('time-and-bytes', 'time'),
  aiRateBps: fc.constantFrom(0, mbps(5)),
  haiRateBps: fc.constantFrom(0, mbps(50)),
  hyperThreshold: fc.constantFrom('at', 'above'),
  hyperFactor: fc.constantFrom('constant', 'stage'),
  hyperHalvesPeriods: fc.boolean(),
  targetReduction: fc.boolean(),
  limiterRelease: fc.constantFrom('at-max-rate', 'never', 'never'),
  releaseGapBps: fc.constantFrom(0, 1, mbps(1)),
  simultaneous: fc.constantFrom('timers-first', 'event-first'),
});

const gapPs = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 10 }).map((periods) => periods * ms(20)) }, {
  weight: 4,
  arbitrary: fc.nat({ max: seconds(2) }),
}, { weight: 2, arbitrary: fc.nat({ max: HOUR_PS }) });

const events: fc.Arbitrary<Event[]> = fc.array(
  fc.tuple(fc.constantFrom('sent', 'sent', 'cnp', 'touch'), gapPs,
    fc.oneof(fc.nat({ max: 9000 }), fc.nat({ max: 2 ** 24 }))),
  { maxLength: 10 },
);

function play(model: DcqcnModel, stream: readonly Event[]): number {
  let timePs = us(1);
  model.cnp(timePs);
  for (const [kind, gap, lenBytes] of stream) {
    timePs += gap;
    if (kind === 'sent') model.sent(timePs, lenBytes);
    else if (kind === 'cnp') model.cnp(timePs);
    else model.touch(timePs);
  }
  return timePs;
}

describe('shortcuts past expiries that change nothing', () => {
  it('reach the same state as single expiries, over idle gaps of up to an hour', () => {
    fc.assert(fc.property(parameters, events, (set, stream) => {
      const quick = new DcqcnModel(set);
      const plain = new DcqcnModel(set, { shortcuts: 'off' });
      play(quick, stream);
      play(plain, stream);
      expect(quick.state).toEqual(plain.state);
      expect(quick.nextDeadlinePs()).toBe(plain.nextDeadlinePs());
    }), { numRuns: 120 });
  });

  it('report a deadline before which the rate does not change', () => {
    fc.assert(fc.property(parameters, events, (set, stream) => {
      const model = new DcqcnModel(set);
      const timePs = play(model, stream);
      const { rateBps, limited } = model.state;
      const deadlinePs = model.nextDeadlinePs();
      model.advance(Math.max(timePs, Math.min(deadlinePs - 1, timePs + HOUR_PS)));
      if (deadlinePs > timePs) expect(model.state).toMatchObject({ rateBps, limited });
    }), { numRuns: 300 });
  });
});

describe('bounded work', () => {
  const sets: readonly (readonly [string, DcqcnParameters, number])[] = [
    // 1000 additive steps of 40 Mb/s up to 40 Gb/s and 60 averages, each with a step of alpha, then the release.
    ['the paper', PAPER, 2 * (1000 + 60)],
    // 20,000 additive steps of 5 Mb/s up to 100 Gb/s and 40 averages, alpha from 1023 down to 0.
    ['ConnectX', CONNECTX, 20_000 + 40 + 1023],
    // Alpha down to 2^-64; 500 hyper steps of 200 Mb/s up to 100 Gb/s and 40 averages.
    ['the ns-3 reference', NS3, ALPHA_STEPS + 500 + 40],
  ];

  it.each(sets)('one event after two idle hours takes no more timer steps than its bound: %s', (_name, set, bound) => {
    const model = new DcqcnModel({ ...set, rateOnFirstCnpBps: set.minRateBps });
    model.cnp(us(10));
    model.cnp(2 * HOUR_PS);
    expect(model.timerSteps).toBeLessThanOrEqual(bound);
    expect(model.timerSteps).toBeGreaterThan(bound * 0.95);
  });

  it('the largest packet takes a bounded number of steps with the smallest byte counter', () => {
    const model = new DcqcnModel({ ...PAPER, byteCounterBytes: 1, limiterRelease: 'never', hyperHalvesPeriods: true });
    model.cnp(us(10));
    model.sent(us(11), 2 ** 28 - 1);
    expect(model.timerSteps).toBeLessThan(100);
    expect(model.state).toMatchObject({ byteStage: BYTE_STAGE_MAX, bytesCounted: 0 });
  });

  it('the time stage stops at 65535 with and without shortcuts', () => {
    const set: DcqcnParameters = { ...PAPER, increasePeriodPs: us(1), limiterRelease: 'never', alphaPeriodPs: ms(1) };
    const quick = new DcqcnModel(set);
    const plain = new DcqcnModel(set, { shortcuts: 'off' });
    for (const model of [quick, plain]) {
      model.cnp(us(10));
      model.touch(us(10) + 65_534 * us(1));
      expect(model.state.timeStage).toBe(STAGE_MAX - 1);
      model.touch(us(10) + 70_000 * us(1));
      expect(model.state.timeStage).toBe(STAGE_MAX);
    }
    expect(quick.state).toEqual(plain.state);
  });

  it('the byte stage stops at 255 with and without shortcuts', () => {
    const set: DcqcnParameters = {
      ...PAPER,
      byteCounterBytes: 64,
      increasePeriodPs: ms(1),
      limiterRelease: 'never',
      hyperFactor: 'stage',
      haiRateBps: PAPER.maxRateBps * 2 ** -20,
    };
    for (const model of [new DcqcnModel(set), new DcqcnModel(set, { shortcuts: 'off' })]) {
      model.cnp(us(10));
      model.touch(us(10) + 300 * ms(1));
      for (let packet = 1; packet <= 254; packet++) model.sent(us(10) + 300 * ms(1) + packet, 64);
      expect(model.state.byteStage).toBe(BYTE_STAGE_MAX - 1);
      model.sent(us(10) + 301 * ms(1) - 1, 64 * 100);
      expect(model.state.byteStage).toBe(BYTE_STAGE_MAX);
    }
  });

  it('timers expire up to the largest time value', () => {
    const model = new DcqcnModel({ ...PAPER, limiterRelease: 'never', cutTrigger: 'per-period' });
    model.cnp(0);
    model.touch(2 ** 53 - 1);
    expect(model.state.nextAlphaPs).toBeGreaterThan(2 ** 53 - 1);
    expect(model.state.nextIncreasePs).toBeGreaterThan(2 ** 53 - 1);
    expect(model.state.nextCutPs).toBeGreaterThan(2 ** 53 - 1);
  });
});
