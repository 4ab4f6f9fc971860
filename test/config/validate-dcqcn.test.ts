import { describe, expect, it } from 'vitest';
import { type DcqcnParameters, DCQCN_FIELD_RULES, validateDcqcn } from '../../src/config/algorithms/dcqcn.js';
import { ineffectiveSettings } from '../../src/config/algorithms/dcqcn/ineffective-settings.js';
import { dcqcnConnectx } from '../../src/config/algorithms/dcqcn/preset-connectx.js';
import { dcqcnNs3 } from '../../src/config/algorithms/dcqcn/preset-ns3.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { PERIOD_MAX_PS } from '../../src/config/algorithms/algorithm.js';
import { RoceError } from '../../src/errors.js';
import { gbps } from '../../src/units.js';

const lineRateBps = gbps(100);
const good = dcqcnSigcomm15({ lineRateBps });
const fields = Object.keys(DCQCN_FIELD_RULES) as (keyof DcqcnParameters)[];
const hasField = (field: string): Error => expect.objectContaining({ where: `parameterSet.${field}` }) as Error;

/** The error that a set of changes causes. */
function errorOf(changes: object, base: DcqcnParameters = good): RoceError {
  try {
    validateDcqcn({ ...base, ...changes }, 'parameterSet');
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error(`accepted ${JSON.stringify(changes)}`);
}

describe('validateDcqcn', () => {
  it('covers every field of a preset and no other', () => {
    expect([...fields].sort()).toEqual(Object.keys(good).sort());
  });

  it.each(fields)('rejects bad values of %s by name', (field) => {
    for (const bad of [undefined, null, Number.NaN, Infinity, -1, '1', 'never-heard-of', 1n, {}, [], 2 ** 60]) {
      const error = errorOf({ [field]: bad });
      expect(error.code).toBe('invalid-config');
      expect(error.where).toBe(`parameterSet.${field}`);
      expect(error.allowed).toBe(DCQCN_FIELD_RULES[field].allowed);
    }
  });

  it.each(fields)('rejects parameters without %s', (field) => {
    const rest = Object.entries(good).filter(([key]) => key !== field);
    expect(() => validateDcqcn(Object.fromEntries(rest), 'parameterSet')).toThrow(hasField(field));
  });

  it('rejects unknown fields, and values that are not objects', () => {
    expect(errorOf({ gain: 1 }).where).toBe('parameterSet.gain');
    for (const bad of [undefined, null, 7, 'dcqcn', [], () => good]) {
      expect(() => validateDcqcn(bad, 'parameterSet')).toThrow(RoceError);
    }
  });

  it('ignores inherited fields', () => {
    expect(() => validateDcqcn(Object.create(good), 'parameterSet')).toThrow(hasField('algorithm'));
  });

  it.each(['alphaPeriodPs', 'cutPeriodPs', 'increasePeriodPs'] as const)(
    'bounds %s to whole picoseconds from 1 ns to 2^51',
    (field) => {
      for (const bad of [999, 1000.5, 0, PERIOD_MAX_PS + 1]) {expect(errorOf({ [field]: bad }).where).toBe(
          `parameterSet.${field}`,
        );}
      for (const fine of [1000, PERIOD_MAX_PS]) expect(validateDcqcn({ ...good, [field]: fine })[field]).toBe(fine);
    },
  );

  it.each([
    ['minRateBps', { minRateBps: gbps(101) }],
    ['minRateBps', { minRateBps: 999 }],
    ['maxRateBps', { maxRateBps: 1e9 + 0.5 }],
    ['maxRateBps', { maxRateBps: 2 ** 43 + 1 }],
    ['rateOnFirstCnpBps', { rateOnFirstCnpBps: gbps(101) }],
    ['rateOnFirstCnpBps', { rateOnFirstCnpBps: 1 }],
    ['releaseGapBps', { releaseGapBps: gbps(100) }],
    ['aiRateBps', { aiRateBps: lineRateBps / 2 ** 20 - 1 }],
    ['haiRateBps', { haiRateBps: 1 }],
    ['alphaGain', { alphaGain: 2 ** -13 }],
    ['alphaGain', { alphaGain: 1.0001 }],
    ['initialAlpha', { initialAlpha: 1.0001 }],
    ['cutScale', { cutScale: 0.75 }],
    ['minDecreaseFactor', { minDecreaseFactor: 1.01 }],
    ['rateOnFirstCnpFraction', { rateOnFirstCnpFraction: 1.01 }],
    ['byteCounterBytes', { byteCounterBytes: 63 }],
    ['byteCounterBytes', { byteCounterBytes: 64.5 }],
    ['byteCounterBytes', { byteCounterBytes: 2 ** 31 + 1 }],
    ['fastRecoverySteps', { fastRecoverySteps: 254 }],
    ['fastRecoverySteps', { fastRecoverySteps: 1.5 }],
    ['cutOffsetPs', { cutOffsetPs: 0.5 }],
  ] as const)('rejects %s in %j', (field, changes) => {
    expect(errorOf(changes).where).toBe(`parameterSet.${field}`);
  });

  it('reports conflicting values together', () => {
    const error = errorOf({ minRateBps: gbps(101) });
    expect(error.got).toEqual({ minRateBps: gbps(101), maxRateBps: gbps(100) });
    expect(error.message).toBe('parameterSet.minRateBps must not exceed the maximum rate (' +
      'minRateBps is 101,000,000,000 and maxRateBps 100,000,000,000).');
    expect(errorOf({ alphaPeriodPs: 0 })).toMatchObject({
      got: 0,
      allowed: { min: 1000, max: PERIOD_MAX_PS, multipleOf: 1, unit: 'picoseconds' },
    });
  });

  it.each([
    { minRateBps: lineRateBps },
    { aiRateBps: 0, haiRateBps: 0 },
    { aiRateBps: lineRateBps / 2 ** 20 },
    { alphaGain: 0 },
    { alphaGain: 2 ** -12 },
    { alphaGain: 1 },
    { byteCounterBytes: 64 },
    { byteCounterBytes: 2 ** 31 },
    { byteCounterBytes: 0 },
    { fastRecoverySteps: 0 },
    { fastRecoverySteps: 253 },
    { rateOnFirstCnpBps: 33.5e9 },
    { minRateBps: 1000.5 },
  ])('accepts %j', (changes) => {
    expect(validateDcqcn({ ...good, ...changes })).toMatchObject(changes);
  });

  it('requires multiples of 1/1024 if alpha is an integer', () => {
    const connectx = dcqcnConnectx({ lineRateBps });
    for (const alphaGain of [1 / 1024, 1, 0]) {
      expect(validateDcqcn({ ...connectx, alphaGain }).alphaGain).toBe(alphaGain);
    }
    expect(errorOf({ alphaGain: 1 / 2048 }, connectx).where).toBe('parameterSet.alphaGain');
    expect(errorOf({ initialAlpha: 1 }, connectx).where).toBe('parameterSet.initialAlpha');
    expect(errorOf({ initialAlpha: 0.3 }, connectx).where).toBe('parameterSet.initialAlpha');
  });

  it.each(['minRateBps', 'rateOnFirstCnpBps', 'aiRateBps', 'haiRateBps', 'releaseGapBps'] as const)(
    'requires a whole %s if rates are whole',
    (field) => {
      const value = gbps(2) + 0.5;
      expect(validateDcqcn({ ...good, [field]: value })[field]).toBe(value);
      expect(errorOf({ [field]: value }, dcqcnNs3('dcqcn', { lineRateBps })).where).toBe(`parameterSet.${field}`);
      expect(errorOf({ [field]: value }, dcqcnConnectx({ lineRateBps })).where).toBe(`parameterSet.${field}`);
    },
  );
});

describe('ineffectiveSettings', () => {
  const idleFields = (changes: Partial<DcqcnParameters>, base = good): string[] =>
    ineffectiveSettings(validateDcqcn({ ...base, ...changes })).map((sentence) => sentence.split(':')[0]);
  const ns3 = dcqcnNs3('dcqcn', { lineRateBps });

  it('reports no ineffective setting in the simulator set', () => {
    expect(idleFields({}, ns3)).toEqual([]);
  });

  it.each<[string, Partial<DcqcnParameters>, DcqcnParameters]>([
    ['cutPeriodPs', {}, good],
    ['cutOffsetPs', { cutOffsetPs: 1 }, good],
    ['cutAlphaOrder', { cutAlphaOrder: 'alpha-first' }, ns3],
    ['alphaPeriodPs', { alphaGain: 0 }, ns3],
    ['cutScale', { minDecreaseFactor: 1 }, ns3],
    ['minDecreaseFactor', { minDecreaseFactor: 0.5 }, ns3],
    ['rateOnFirstCnpFraction', { rateOnFirstCnpBps: gbps(50), rateOnFirstCnpFraction: 0.5 }, ns3],
    ['clampTargetRateAfterTimeIncrease', { clampTargetRate: true }, ns3],
    ['aiRateBps', { hyperThreshold: 'at' }, ns3],
    ['haiRateBps', { byteCounterBytes: 0 }, good],
    ['hyperFactor', { byteCounterBytes: 0 }, good],
    ['hyperFactor', { haiRateBps: 0 }, good],
    ['hyperHalvesPeriods', { byteCounterBytes: 0, hyperHalvesPeriods: true }, good],
    ['releaseGapBps', { releaseGapBps: 1 }, ns3],
  ])('reports %s as ineffective under %j', (field, changes, base) => {
    expect(idleFields(changes, base)).toContain(field);
  });

  it('does not report the hyper increase as ineffective if no step is needed to reach it', () => {
    expect(idleFields({ byteCounterBytes: 0, fastRecoverySteps: 0 })).not.toContain('haiRateBps');
  });
});
