import { describe, expect, it } from 'vitest';
import { OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED, OUTCOME_SENT, OUTCOME_TIME_BACKWARDS,
  OUTCOME_TOUCHED } from '../../../src/abi/codes.js';
import type { DcqcnParameters } from '../../../src/config/algorithms/dcqcn.js';
import { DcqcnModel, type DcqcnModelOptions } from '../../../src/reference/algorithms/dcqcn/model.js';
import { gbps, mbps, us } from '../../../src/units.js';
import { PAPER } from '../support/parameters.js';

const T0 = us(10);
const T = PAPER.increasePeriodPs;

function make(changes: Partial<DcqcnParameters>, options: DcqcnModelOptions = {}): DcqcnModel {
  return new DcqcnModel({ ...PAPER, ...changes }, options);
}

/** A model after its first CNP, at T0. */
function afterFirstCnp(changes: Partial<DcqcnParameters>): DcqcnModel {
  const model = make(changes);
  expect(model.cnp(T0)).toBe(OUTCOME_CNP_HANDLED);
  return model;
}

/** The transitions that a run of the model reports. */
function trace(changes: Partial<DcqcnParameters>, run: (model: DcqcnModel) => void): string[] {
  const names: string[] = [];
  run(make(changes, { listener: (_timePs, name) => names.push(name) }));
  return names;
}

describe('the cut', () => {
  it('comes before or after the update of alpha, by cutAlphaOrder', () => {
    const changes = { initialAlpha: 0.5, alphaGain: 0.25 };
    const cutFirst = afterFirstCnp({ ...changes, cutAlphaOrder: 'cut-first' });
    expect(cutFirst.state).toMatchObject({ rateBps: gbps(30), alpha: 0.625 });
    const alphaFirst = afterFirstCnp({ ...changes, cutAlphaOrder: 'alpha-first' });
    expect(alphaFirst.state).toMatchObject({ rateBps: gbps(27.5), alpha: 0.625 });
  });

  it('scales alpha by 1/2 or 1', () => {
    expect(afterFirstCnp({ initialAlpha: 0.5, cutScale: 0.5 }).state.rateBps).toBe(gbps(30));
    expect(afterFirstCnp({ initialAlpha: 0.5, cutScale: 1 }).state.rateBps).toBe(gbps(20));
  });

  it('leaves at least minDecreaseFactor of the rate, and at least the minimum rate', () => {
    expect(afterFirstCnp({ minDecreaseFactor: 0.75 }).state.rateBps).toBe(gbps(30));
    expect(afterFirstCnp({ minRateBps: gbps(25) }).state.rateBps).toBe(gbps(25));
  });

  it('truncates to whole bits per second under whole-bps', () => {
    const changes = { numbers: 'whole-bps', initialAlpha: 0.3, maxRateBps: 7 * 11 + 1e6, minRateBps: 1 } as const;
    expect(afterFirstCnp(changes).state.rateBps).toBe(Math.trunc(1_000_077 * 0.85));
  });

  it('comes cutOffsetPs after the end of the period under per-period', () => {
    const model = afterFirstCnp({ cutTrigger: 'per-period', cutOffsetPs: 1000 });
    model.touch(T0 + us(50) + 999);
    expect(model.state).toMatchObject({ rateBps: gbps(40), cutPending: true });
    model.touch(T0 + us(50) + 1000);
    expect(model.state).toMatchObject({ rateBps: gbps(20), cutPending: false });
    expect(model.state.nextCutPs).toBe(T0 + us(100) + 1000);
  });

  it('happens once per period for any number of CNPs', () => {
    const names = trace({ cutTrigger: 'per-period', alphaUpdate: 'per-period', alphaPeriodPs: us(1000) }, (model) => {
      for (let i = 0; i < 10; i++) model.cnp(T0 + i * us(2));
      model.touch(T0 + us(50));
    });
    expect(names.filter((name) => name.startsWith('DEC'))).toEqual(['DEC_CLAMP']);
  });

  it('keeps the target of back-to-back cuts unless clampTargetRate is on', () => {
    for (const [clampTargetRate, targetBps] of [[false, gbps(40)], [true, gbps(20)]] as const) {
      const model = afterFirstCnp({ clampTargetRate });
      model.cnp(T0 + 1);
      expect(model.state).toMatchObject({ rateBps: gbps(10), targetBps });
    }
  });

  it('lowers the target after a timer increase only with clampTargetRateAfterTimeIncrease', () => {
    for (const [clampTargetRateAfterTimeIncrease, targetBps] of [[false, gbps(40)], [true, gbps(30)]] as const) {
      const model = afterFirstCnp({ clampTargetRate: false, clampTargetRateAfterTimeIncrease });
      model.cnp(T0 + T);
      expect(model.state.targetBps).toBe(targetBps);
    }
  });

  it('always lowers the target after a byte-counter increase', () => {
    const model = afterFirstCnp({ clampTargetRate: false, byteCounterBytes: 1000 });
    model.sent(T0 + 1, 1000);
    expect(model.state).toMatchObject({ byteStage: 1, rateBps: gbps(30) });
    model.cnp(T0 + 2);
    expect(model.state).toMatchObject({ byteStage: 0, targetBps: gbps(30), rateBps: gbps(15) });
  });

  it('restarts the increase timer and clears the byte counter', () => {
    const model = afterFirstCnp({});
    model.sent(T0 + 1, 5000);
    expect(model.state.bytesCounted).toBe(5000);
    model.cnp(T0 + us(54));
    expect(model.state).toMatchObject({ bytesCounted: 0, nextIncreasePs: T0 + us(54) + T });
  });

  it('at the time of an increase comes after it if the cut period is shorter, otherwise before it', () => {
    const run = (model: DcqcnModel) => {
      model.cnp(T0);
      model.touch(T0 + us(100));
    };
    const periodic = { cutTrigger: 'per-period', alphaPeriodPs: us(1000), firstCnpCuts: true } as const;
    const shorter = { ...periodic, cutPeriodPs: us(50), cutOffsetPs: us(50), increasePeriodPs: us(100) };
    expect(trace(shorter, run)).toEqual(['CNP1', 'ALPHA_UP', 'INC_FR', 'DEC_CLAMP']);
    const equal = { ...periodic, cutPeriodPs: us(100), increasePeriodPs: us(100) };
    expect(trace(equal, run)).toEqual(['CNP1', 'ALPHA_UP', 'DEC_CLAMP']);
  });
});

describe('the first CNP', () => {
  it('sets rate and target to rateOnFirstCnpBps, within the limits', () => {
    const none = { firstCnpCuts: false };
    expect(afterFirstCnp({ ...none, rateOnFirstCnpBps: gbps(10) }).state).toMatchObject({
      rateBps: gbps(10),
      targetBps: gbps(10),
    });
    expect(afterFirstCnp({ ...none, rateOnFirstCnpBps: gbps(50) }).state.rateBps).toBe(gbps(40));
    expect(afterFirstCnp({ ...none, rateOnFirstCnpBps: 1 }).state.rateBps).toBe(mbps(10));
  });

  it('sets the rate to rateOnFirstCnpFraction of the rate, truncated under whole-bps', () => {
    const third = { firstCnpCuts: false, rateOnFirstCnpFraction: 1 / 3 };
    expect(afterFirstCnp(third).state.rateBps).toBe(gbps(40) * (1 / 3));
    expect(afterFirstCnp({ ...third, numbers: 'whole-bps' }).state.rateBps).toBe(13_333_333_333);
  });

  it('neither cuts the rate nor raises alpha without firstCnpCuts', () => {
    const model = afterFirstCnp({ firstCnpCuts: false, initialAlpha: 0.5 });
    expect(model.state).toMatchObject({ limited: true, rateBps: gbps(40), alpha: 0.5, cutPending: false });
  });

  it('starts the increase timer, or lets the first cut start it', () => {
    const quiet = { firstCnpCuts: false };
    expect(afterFirstCnp({ ...quiet, increaseTimerStart: 'first-cnp' }).state.nextIncreasePs).toBe(T0 + T);
    expect(afterFirstCnp({ ...quiet, increaseTimerStart: 'first-cut' }).state.nextIncreasePs).toBe(Infinity);
    expect(afterFirstCnp({ increaseTimerStart: 'first-cut' }).state.nextIncreasePs).toBe(T0 + T);
  });
});

describe('alpha', () => {
  it('under per-period rises after a period with CNPs and falls after one without; the first CNP is ignored', () => {
    const model = afterFirstCnp({ alphaUpdate: 'per-period', alphaGain: 0.5, initialAlpha: 1 });
    expect(model.state.alphaCnp).toBe(false);
    model.touch(T0 + us(55));
    expect(model.state.alpha).toBe(0.5);
    model.cnp(T0 + us(60));
    model.cnp(T0 + us(61));
    expect(model.state).toMatchObject({ alpha: 0.5, alphaCnp: true });
    model.touch(T0 + us(110));
    expect(model.state).toMatchObject({ alpha: 0.75, alphaCnp: false });
  });

  it('under on-cnp rises at each CNP', () => {
    const model = afterFirstCnp({ alphaGain: 0.5, initialAlpha: 0.5 });
    expect(model.state.alpha).toBe(0.75);
    model.cnp(T0 + 1);
    expect(model.state).toMatchObject({ alpha: 0.875, nextAlphaPs: T0 + 1 + us(55) });
  });
});

describe('the increase', () => {
  /** Rate and target at 10 Gb/s, so that only increases change the target. */
  const low = { firstCnpCuts: false, rateOnFirstCnpBps: gbps(10), fastRecoverySteps: 0, byteCounterBytes: 0 } as const;

  it('is hyper from stage F on, or only above it, by hyperThreshold', () => {
    const steps = { ...low, stages: 'time', hyperFactor: 'constant' } as const;
    const at = afterFirstCnp({ ...steps, hyperThreshold: 'at' });
    at.touch(T0 + T);
    expect(at.state.targetBps).toBe(gbps(10) + mbps(200));
    const above = afterFirstCnp({ ...steps, hyperThreshold: 'above' });
    above.touch(T0 + T);
    expect(above.state.targetBps).toBe(gbps(10) + mbps(40));
    above.touch(T0 + 2 * T);
    expect(above.state.targetBps).toBe(gbps(10) + mbps(240));
  });

  it('grows with the stage if hyperFactor is stage', () => {
    const model = afterFirstCnp({ ...low, stages: 'time', hyperFactor: 'stage' });
    model.touch(T0 + 3 * T);
    expect(model.state.targetBps).toBe(gbps(10) + mbps(200) * (1 + 2 + 3));
  });

  it('is hyper by the lower of both stages, or by the time stage alone', () => {
    const counted = { ...low, fastRecoverySteps: 1, byteCounterBytes: 1000, hyperFactor: 'constant' } as const;
    const regimes = (stages: 'time' | 'time-and-bytes') =>
      trace({ ...counted, stages }, (model) => {
        model.cnp(T0);
        model.sent(T0 + 1, 2000);
        model.touch(T0 + 2 * T);
      }).filter((name) => name.startsWith('INC'));
    expect(regimes('time-and-bytes')).toEqual(['INC_FR', 'INC_AI', 'INC_AI', 'INC_HAI']);
    expect(regimes('time')).toEqual(['INC_FR', 'INC_FR', 'INC_FR', 'INC_HAI']);
  });

  it('takes one byte step per byteCounterBytes of a packet, and keeps the remainder', () => {
    const model = afterFirstCnp({ byteCounterBytes: 1000 });
    model.sent(T0 + 1, 3500);
    expect(model.state).toMatchObject({ byteStage: 3, bytesCounted: 500, rateBps: gbps(37.5) });
  });

  it('halves the timer period and the byte counter in hyper increase', () => {
    const halved = { ...low, stages: 'time', hyperHalvesPeriods: true, increasePeriodPs: 101 } as const;
    const model = afterFirstCnp({ ...halved, byteCounterBytes: 1001 });
    model.touch(T0 + 101);
    expect(model.state.nextIncreasePs).toBe(T0 + 101 + 50);
    model.sent(T0 + 102, 500);
    expect(model.state.byteStage).toBe(1);
  });

  it('divides the target by 8 on the first step after a deep cut, as QCN does', () => {
    const deep = { cutScale: 1, minRateBps: gbps(1), targetReduction: true } as const;
    const model = afterFirstCnp(deep);
    expect(model.state).toMatchObject({ rateBps: gbps(1), targetBps: gbps(40) });
    model.touch(T0 + T);
    expect(model.state).toMatchObject({ targetBps: gbps(5), rateBps: gbps(3) });
    model.touch(T0 + 2 * T);
    expect(model.state.targetBps).toBe(gbps(5));
  });

  it('never raises the target above the maximum rate', () => {
    const model = afterFirstCnp({ aiRateBps: gbps(100), byteCounterBytes: 0, limiterRelease: 'never' });
    model.touch(T0 + 20 * T);
    expect(model.state.targetBps).toBe(gbps(40));
  });
});

describe('the release of the limiter', () => {
  it('comes when a step ends within releaseGapBps of the maximum rate, and resets all but the last event time', () => {
    const model = afterFirstCnp({ releaseGapBps: gbps(10) });
    model.sent(T0 + 1, 1000);
    model.touch(T0 + T - 1);
    expect(model.state.limited).toBe(true);
    model.touch(T0 + T);
    expect(model.state).toEqual({ ...make({}).state, lastEventPs: T0 + T });
    expect(model.nextDeadlinePs()).toBe(Infinity);
  });

  it('never happens if limiterRelease is never', () => {
    const model = afterFirstCnp({ limiterRelease: 'never', releaseGapBps: gbps(10) });
    model.touch(us(1e9));
    expect(model.state.limited).toBe(true);
  });

  it('waits while a cut is pending', () => {
    const names = trace({ cutTrigger: 'per-period', cutPeriodPs: 3 * T, initialAlpha: 0.5 }, (model) => {
      model.cnp(T0);
      model.touch(T0 + 3 * T);
    });
    expect(names).not.toContain('RELEASE');
    expect(names).toContain('DEC_CLAMP');
  });

  it('by a byte step clears the byte counter and the next send time', () => {
    const model = afterFirstCnp({ byteCounterBytes: 1000, releaseGapBps: gbps(10) });
    model.sent(T0 + 1, 10_000);
    expect(model.state).toMatchObject({ limited: false, bytesCounted: 0, nextSendPs: 0, byteStage: 0 });
  });

  it('makes the next CNP a first CNP', () => {
    const names = trace({ releaseGapBps: gbps(10) }, (model) => {
      model.cnp(T0);
      model.cnp(T0 + T);
    });
    expect(names).toEqual([
      'CNP1',
      'DEC_CLAMP',
      'ALPHA_UP',
      'ALPHA_DOWN',
      'INC_FR',
      'RELEASE',
      'CNP1',
      'DEC_CLAMP',
      'ALPHA_UP',
    ]);
  });
});

describe('events and time', () => {
  it('timers that are due at the time of an event expire before or after it', () => {
    const run = (model: DcqcnModel) => {
      model.cnp(T0);
      model.cnp(T0 + T);
    };
    const tail = ['CNP', 'DEC_CLAMP', 'ALPHA_UP'];
    const head = ['CNP1', 'DEC_CLAMP', 'ALPHA_UP'];
    expect(trace({ simultaneous: 'timers-first' }, run)).toEqual([...head, 'ALPHA_DOWN', 'INC_FR', ...tail]);
    expect(trace({ simultaneous: 'event-first' }, run)).toEqual([...head, ...tail]);
  });

  it('touch and advance always expire the timers that are due at their time', () => {
    const model = afterFirstCnp({ simultaneous: 'event-first' });
    expect(model.touch(T0 + T)).toBe(OUTCOME_TOUCHED);
    expect(model.state.timeStage).toBe(1);
    expect(model.advance(T0 + 2 * T)).toBe(OUTCOME_TOUCHED);
    expect(model.state.timeStage).toBe(2);
  });

  it.each([NaN, -1, Infinity, 2 ** 53])('rejects an event at the invalid time %s', (timePs) => {
    const model = make({});
    expect(model.sent(timePs, 1)).toBe(OUTCOME_BAD_TIME);
    expect(model.cnp(timePs)).toBe(OUTCOME_BAD_TIME);
    expect(model.touch(timePs)).toBe(OUTCOME_BAD_TIME);
    expect(model.advance(timePs)).toBe(OUTCOME_BAD_TIME);
    expect(model.state).toEqual(make({}).state);
  });

  it('rejects an event older than the last one of its limited QP', () => {
    const model = afterFirstCnp({});
    const before = { ...model.state };
    expect(model.sent(T0 - 1, 1000)).toBe(OUTCOME_TIME_BACKWARDS);
    expect(model.cnp(T0 - 1)).toBe(OUTCOME_TIME_BACKWARDS);
    expect(model.touch(T0 - 1)).toBe(OUTCOME_TIME_BACKWARDS);
    expect(model.advance(T0 - 1)).toBe(OUTCOME_TIME_BACKWARDS);
    expect(model.state).toEqual(before);
  });

  it('handles a late event at the time of the last event under clamp, and counts it', () => {
    const model = make({}, { latePolicy: 'clamp' });
    model.cnp(T0);
    expect(model.sent(T0 - 1, 1000)).toBe(OUTCOME_SENT);
    expect(model.state.nextSendPs).toBe(T0 + 400_000);
    expect(model.cnp(T0 - 1)).toBe(OUTCOME_CNP_HANDLED);
    expect(model.lateClamped).toBe(2);
    expect(model.state.lastEventPs).toBe(T0);
  });

  it('a sent or touch event changes nothing on an unlimited QP, even if it is late', () => {
    const model = make({});
    expect(model.sent(T0, 1000)).toBe(OUTCOME_SENT);
    expect(model.touch(T0)).toBe(OUTCOME_TOUCHED);
    expect(model.sent(1, 1000)).toBe(OUTCOME_SENT);
    expect(model.state).toEqual(make({}).state);
  });

  it('a CNP older than the last event is rejected on an unlimited QP too', () => {
    const model = afterFirstCnp({ releaseGapBps: gbps(10) });
    model.touch(T0 + T);
    expect(model.state.limited).toBe(false);
    expect(model.sent(T0, 1000)).toBe(OUTCOME_SENT);
    expect(model.cnp(T0 + T - 1)).toBe(OUTCOME_TIME_BACKWARDS);
    expect(model.cnp(T0 + T)).toBe(OUTCOME_CNP_HANDLED);
  });
});
