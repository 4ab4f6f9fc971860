import { describe, expect, it } from 'vitest';
import type { FieldRule } from '../../src/config/field-rules.js';
import { dctcpNs3, DCTCP_FIELD_RULES, validateDctcp } from '../../src/config/algorithms/dctcp.js';
import { hpccNs3, hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { hpccPintNs3, HPCC_PINT_FIELD_RULES, validateHpccPint } from '../../src/config/algorithms/hpcc-pint.js';
import { hpccPpDraft, HPCC_PP_FIELD_RULES, validateHpccPp } from '../../src/config/algorithms/hpcc-pp.js';
import { swiftSigcomm20, SWIFT_FIELD_RULES, validateSwift } from '../../src/config/algorithms/swift.js';
import { timelyNs3, TIMELY_FIELD_RULES, validateTimely } from '../../src/config/algorithms/timely.js';
import { HPCC_FIELD_RULES, validateHpcc } from '../../src/config/algorithms/hpcc.js';
import { RoceError } from '../../src/errors.js';
import { gbps, ns } from '../../src/units.js';

const lineRateBps = gbps(100);
const path = { lineRateBps, baseRttPs: ns(4160) };

interface Subject {
  readonly name: string;
  readonly good: object;
  readonly rules: Readonly<Record<string, FieldRule>>;
  readonly validate: (parameters: unknown, name?: string) => object;
}

const WINDOW: Subject = {
  name: 'hpcc by window',
  good: hpccSigcomm19(path),
  rules: { ...HPCC_FIELD_RULES },
  validate: validateHpcc,
};
const RATE: Subject = { ...WINDOW, name: 'hpcc by rate', good: hpccNs3('run.py', path) };
const PINT: Subject = {
  name: 'hpcc-pint',
  good: hpccPintNs3(path),
  rules: { ...HPCC_PINT_FIELD_RULES },
  validate: validateHpccPint,
};
const TIMELY: Subject = {
  name: 'timely',
  good: timelyNs3({ lineRateBps }),
  rules: { ...TIMELY_FIELD_RULES },
  validate: validateTimely,
};
const DCTCP: Subject = {
  name: 'dctcp',
  good: dctcpNs3({ lineRateBps }),
  rules: { ...DCTCP_FIELD_RULES },
  validate: validateDctcp,
};
const SWIFT: Subject = {
  name: 'swift',
  good: swiftSigcomm20({ lineRateBps }),
  rules: { ...SWIFT_FIELD_RULES },
  validate: validateSwift,
};
const PLUS: Subject = {
  name: 'hpcc-pp',
  good: hpccPpDraft(path),
  rules: { ...HPCC_PP_FIELD_RULES },
  validate: validateHpccPp,
};

const SUBJECTS = [WINDOW, RATE, PINT, TIMELY, DCTCP, SWIFT, PLUS];

/** The error that a set of changes causes. */
function errorOf(subject: Subject, changes: object): RoceError {
  try {
    subject.validate({ ...subject.good, ...changes }, 'parameterSet');
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error(`${subject.name} accepted ${JSON.stringify(changes)}`);
}

describe.each(SUBJECTS)('checks of $name', (subject) => {
  const { good, rules, validate } = subject;

  it('cover every field of a preset and no other', () => {
    expect(Object.keys(rules).sort()).toEqual(Object.keys(good).sort());
  });

  it('return a frozen copy of valid parameters', () => {
    const checked = validate({ ...good });
    expect(checked).toEqual(good);
    expect(Object.isFrozen(checked)).toBe(true);
  });

  it.each(Object.keys(rules))('reject bad values of %s by name, and its absence', (field) => {
    for (const bad of [undefined, null, Number.NaN, Infinity, -1, '1', 'never-heard-of', 1n, {}, [], 2 ** 60]) {
      const error = errorOf(subject, { [field]: bad });
      expect([error.code, error.where, error.allowed]).toEqual([
        'invalid-config',
        `parameterSet.${field}`,
        rules[field].allowed,
      ]);
    }
    const rest = Object.fromEntries(Object.entries(good).filter(([key]) => key !== field));
    expect(() => validate(rest, 'parameterSet')).toThrow(`parameterSet.${field} `);
  });

  it('reject unknown fields, and values that are not objects', () => {
    expect(errorOf(subject, { gain: 1 }).where).toBe('parameterSet.gain');
    for (const bad of [undefined, null, 7, 'hpcc', []]) expect(() => validate(bad)).toThrow(RoceError);
  });
});

describe('constraints between fields', () => {
  it.each<[Subject, string, object]>([
    [RATE, 'minRateBps', { minRateBps: gbps(101) }],
    [RATE, 'minRateBps', { minRateBps: 1e9 + 0.5 }],
    [RATE, 'aiRateBps', { aiRateBps: 0.5 }],
    [RATE, 'windowBytes', { windowBytes: 2 ** 31 }],
    [RATE, 'aiWindowBytes', { aiWindowBytes: 80 }],
    [RATE, 'primary', { primary: 'window', aiRateBps: 0 }],
    [RATE, 'ewmaBeta', { ewmaBeta: 0.5 }],
    [RATE, 'ewmaBeta', { ewma: 'constant' }],
    [RATE, 'intMultiplier', { records: 'exact' }],
    [WINDOW, 'aiRateBps', { aiRateBps: 1e6 }],
    [WINDOW, 'windowMode', { windowMode: 'fixed' }],
    [WINDOW, 'minRateBps', { windowBytes: 10 }],
    [PINT, 'minRateBps', { minRateBps: gbps(101) }],
    [PINT, 'aiRateBps', { aiRateBps: 0.5 }],
    [PINT, 'windowBytes', { windowBytes: 2 ** 31 }],
    [PINT, 'pintBits', { pintBase: 1.05, pintBits: 16 }],
    [TIMELY, 'lowRttPs', { lowRttPs: ns(500_001) }],
    [TIMELY, 'minRateBps', { minRateBps: gbps(101) }],
    [TIMELY, 'haiRateBps', { haiRateBps: 1.5 }],
    [DCTCP, 'minRateBps', { minRateBps: gbps(101) }],
    [DCTCP, 'aiRateBps', { aiRateBps: 1.5 }],
    [SWIFT, 'flowScaleMinCwnd', { flowScaleMinCwnd: 100 }],
    [SWIFT, 'minCwnd', { minCwnd: 2000 }],
    [SWIFT, 'initialCwnd', { initialCwnd: 2000 }],
  ])('%o: %s', (subject, field, changes) => {
    expect(errorOf(subject, changes).where).toBe(`parameterSet.${field}`);
  });

  it('allow fractional rates under float64, and a beta with a constant weight', () => {
    expect(() => validateHpcc({ ...RATE.good, numbers: 'float64', aiRateBps: 0.5, ewma: 'constant', ewmaBeta: 0.5 }))
      .not.toThrow();
    expect(() => validateTimely({ ...TIMELY.good, numbers: 'float64', haiRateBps: 1.5 })).not.toThrow();
  });
});
