/**
 * Checks of the HPCC++ parameters: HPCC's rules for the core, and the rules of the signals.
 *
 * With recovery on, R_AI or W_AI is 0 or at least 2^-20 of the largest rate or window. This bounds the recovery steps that one
 * event catches up on, as with DCQCN.
 */
import { checkFields, checkTogether, numberIn, oneOf, orValue, wholeIn, type CrossRule, type FieldRule,
  type FieldRules } from '../../field-rules.js';
import { HPCC_PP_SOURCES, hpccCoreOf, type HpccPpParameters } from './parameters.js';
import { omit } from '../../omit.js';
import { HPCC_FIELD_RULES, validateHpcc } from '../hpcc/validate.js';
import { SHARED_RULES, STAGE_LIMIT } from '../shared-rules.js';

/** Largest utilisation that a notification may represent: one cut to a 64th. */
const NOTIFIED_UTILIZATION_MAX = 64;
/** Maximum number of additive steps from 0 to the line rate. */
const RECOVERY_STEPS_MAX = 2 ** 20;

const SOURCES_RULE: FieldRule = {
  allowed: `a list of one or more of ${HPCC_PP_SOURCES.join(', ')}, each once`,
  accepts: (value) =>
    Array.isArray(value) && value.length > 0 && new Set(value).size === value.length &&
    value.every((item) => HPCC_PP_SOURCES.some((source) => source === item)),
};

/** Rule of each field. */
export const HPCC_PP_FIELD_RULES: FieldRules<HpccPpParameters> = {
  ...omit(HPCC_FIELD_RULES, 'algorithm', 'records', 'intMultiplier', 'multiRate', 'sampleFeedback'),
  algorithm: oneOf('hpcc-pp'),
  signalSources: SOURCES_RULE,
  clock: oneOf('acks', 'timer'),
  firstSample: oneOf('assume-line-rate', 'queue-only'),
  notifiedUtilization: numberIn(0, NOTIFIED_UTILIZATION_MAX),
  recoveryAfterPs: SHARED_RULES.period,
  recoveryPeriodPs: orValue(0, SHARED_RULES.period),
  fastRecoverySteps: wholeIn(0, STAGE_LIMIT, 'steps'),
};

const CROSS_RULES: readonly CrossRule<HpccPpParameters>[] = [
  {
    fields: ['notifiedUtilization', 'targetUtilization'],
    problem: 'must not be below the target utilization: a notification would raise the rate',
    holds: (p) => p.notifiedUtilization >= p.targetUtilization,
  },
  {
    fields: ['aiRateBps', 'maxRateBps'],
    problem: 'must be 0, or at least the maximum rate / 2^20, for recovery in time',
    holds: (p) => p.recoveryPeriodPs === 0 || p.aiRateBps === 0 || p.aiRateBps >= p.maxRateBps / RECOVERY_STEPS_MAX,
  },
  {
    fields: ['aiWindowBytes', 'windowBytes'],
    problem: 'must be 0, or at least the window / 2^20, for recovery in time',
    holds: (p) =>
      p.recoveryPeriodPs === 0 || p.aiWindowBytes === 0 || p.aiWindowBytes >= p.windowBytes / RECOVERY_STEPS_MAX,
  },
];

/**
 * Checks HPCC++ parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `HpccPpParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpccPp(parameters: unknown, name = 'hpccPp'): HpccPpParameters {
  const checked = checkFields<HpccPpParameters>(parameters, HPCC_PP_FIELD_RULES, name);
  validateHpcc(hpccCoreOf(checked), name);
  checkTogether(checked, CROSS_RULES, name);
  return Object.freeze({ ...checked, signalSources: Object.freeze([...checked.signalSources]) });
}
