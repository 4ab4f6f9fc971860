/** Checks of the HPCC parameters. */
import { checkFields, checkTogether, flag, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import type { HpccParameters } from './parameters.js';
import { minBelowMax, SHARED_RULES, WINDOW_MAX_BYTES, wholeRate, windowProduct } from '../shared-rules.js';

/** Rule of each field. */
export const HPCC_FIELD_RULES: FieldRules<HpccParameters> = {
  algorithm: oneOf('hpcc'),
  numbers: SHARED_RULES.numbers,
  primary: oneOf('window', 'rate'),
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  baseRttPs: SHARED_RULES.period,
  windowBytes: SHARED_RULES.windowBytes,
  windowMode: SHARED_RULES.windowMode,
  targetUtilization: SHARED_RULES.targetUtilization,
  maxStage: SHARED_RULES.maxStage,
  aiRateBps: SHARED_RULES.aiRateBps,
  aiWindowBytes: numberIn(0, WINDOW_MAX_BYTES, 'bytes'),
  fastReact: flag(),
  multiRate: flag(),
  sampleFeedback: flag(),
  ewma: oneOf('adaptive', 'constant'),
  ewmaBeta: numberIn(0, 1),
  records: oneOf('exact', 'int64'),
  intMultiplier: wholeIn(1, 256),
  pathChange: oneOf('reset', 'ignore'),
  repeatedTimestamp: oneOf('skip-hop', 'one-nanosecond'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<HpccParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  windowProduct(),
  {
    fields: ['primary', 'numbers'],
    problem: "must be 'rate', except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || p.primary === 'rate',
  },
  {
    fields: ['windowMode', 'primary'],
    problem: "must be 'variable' under primary 'window'",
    holds: (p) => p.primary === 'rate' || p.windowMode === 'variable',
  },
  {
    fields: ['minRateBps', 'baseRttPs', 'windowBytes'],
    problem: "times baseRttPs must not exceed the window under primary 'window'",
    holds: (p) => p.primary === 'rate' || (p.minRateBps * p.baseRttPs) / 8e12 <= p.windowBytes,
  },
  {
    fields: ['aiRateBps', 'primary'],
    problem: "must be 0 under primary 'window', which has aiWindowBytes",
    holds: (p) => p.primary === 'rate' || p.aiRateBps === 0,
  },
  {
    fields: ['aiWindowBytes', 'primary'],
    problem: "must be 0 under primary 'rate', which has aiRateBps",
    holds: (p) => p.primary === 'window' || p.aiWindowBytes === 0,
  },
  {
    fields: ['ewmaBeta', 'ewma'],
    problem: "must be 0 under ewma 'adaptive' and above 0 under 'constant'",
    holds: (p) => (p.ewma === 'adaptive') === (p.ewmaBeta === 0),
  },
  {
    fields: ['intMultiplier', 'records'],
    problem: "must be 1 under records 'exact'",
    holds: (p) => p.records === 'int64' || p.intMultiplier === 1,
  },
];

/**
 * Checks HPCC parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `HpccParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpcc(parameters: unknown, name = 'hpcc'): HpccParameters {
  const checked = checkFields<HpccParameters>(parameters, HPCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
