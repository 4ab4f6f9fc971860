/**
 * DCQCN settings that have no effect because of other settings: legal, but changing them changes nothing.
 *
 * Users are warned, so that they don't compare runs that are identical by construction.
 */

import { type DcqcnParameters, validateDcqcn } from '../dcqcn.js';

type Field = keyof DcqcnParameters;

/** Text of each reason, without a full stop; `names` are the settings that make another one idle. */
const REASONS = {
  'cuts-at-each-cnp': ([trigger]) => `cuts happen at each CNP (${trigger})`,
  'order-of-one-event': ([trigger, update]) => `the order matters only when both ${trigger} and ${update} are 'on-cnp'`,
  'alpha-fixed': ([gain]) => `alpha never changes (${gain})`,
  'cuts-leave-all': ([factor]) => `cuts leave the whole rate (${factor})`,
  'cuts-of-half-at-most': ([scale]) => `no cut takes more than half of the rate anyway (${scale})`,
  'rate-set': ([rate]) => `${rate} is set`,
  'target-clamped': ([clamp]) => `every cut clamps the target (${clamp})`,
  'hyper-replaces-additive': () => 'hyper increase takes the place of each additive step',
  'no-byte-stage': () => 'without a byte counter the byte stage stays 0, so hyper increase is never reached',
  'hyper-adds-nothing': () => 'hyper increase is never reached, or adds nothing',
  'hyper-not-reached': () => 'hyper increase is never reached',
  'limiter-kept': ([release]) => `the limiter is never taken away (${release})`,
} as const satisfies Readonly<Record<string, (names: readonly string[]) => string>>;

/** Why a setting has no effect. */
export type IdleReason = keyof typeof REASONS;

/** A setting that makes another one idle. */
interface IdlingSetting {
  readonly field: Field;
  /** Its value as a literal of this library; absent: any value. */
  readonly value?: string;
}

/** A setting that has no effect because of other settings. */
export interface IdleSetting {
  readonly field: Field;
  readonly reason: IdleReason;
  /** The settings that the reason names. */
  readonly by: readonly IdlingSetting[];
}

interface IdleRule extends IdleSetting {
  readonly applies: (p: DcqcnParameters) => boolean;
}

const CUTS_AT_EACH_CNP = { reason: 'cuts-at-each-cnp', by: [{ field: 'cutTrigger', value: "'on-cnp'" }] } as const;

const IDLE_RULES: readonly IdleRule[] = [
  { field: 'cutPeriodPs', ...CUTS_AT_EACH_CNP, applies: cutsOnCnp },
  { field: 'cutOffsetPs', ...CUTS_AT_EACH_CNP, applies: (p) => cutsOnCnp(p) && p.cutOffsetPs > 0 },
  {
    field: 'cutAlphaOrder',
    reason: 'order-of-one-event',
    by: [{ field: 'cutTrigger' }, { field: 'alphaUpdate' }],
    applies: (p) => p.cutAlphaOrder === 'alpha-first' && !(cutsOnCnp(p) && p.alphaUpdate === 'on-cnp'),
  },
  {
    field: 'alphaPeriodPs',
    reason: 'alpha-fixed',
    by: [{ field: 'alphaGain', value: '0' }],
    applies: (p) => p.alphaGain === 0,
  },
  {
    field: 'cutScale',
    reason: 'cuts-leave-all',
    by: [{ field: 'minDecreaseFactor', value: '1' }],
    applies: (p) => p.minDecreaseFactor === 1,
  },
  {
    field: 'minDecreaseFactor',
    // The only scale below 1 is 0.5.
    reason: 'cuts-of-half-at-most',
    by: [{ field: 'cutScale', value: '0.5' }],
    applies: (p) => p.minDecreaseFactor > 0 && p.minDecreaseFactor <= 1 - p.cutScale,
  },
  {
    field: 'rateOnFirstCnpFraction',
    reason: 'rate-set',
    by: [{ field: 'rateOnFirstCnpBps' }],
    applies: (p) => p.rateOnFirstCnpBps > 0 && p.rateOnFirstCnpFraction !== 1,
  },
  {
    field: 'clampTargetRateAfterTimeIncrease',
    reason: 'target-clamped',
    by: [{ field: 'clampTargetRate' }],
    applies: (p) => p.clampTargetRate && p.clampTargetRateAfterTimeIncrease,
  },
  {
    field: 'aiRateBps',
    reason: 'hyper-replaces-additive',
    by: [],
    applies: (p) => p.aiRateBps > 0 && p.hyperThreshold === 'at' && (p.stages === 'time' || p.fastRecoverySteps === 0),
  },
  {
    field: 'haiRateBps',
    reason: 'no-byte-stage',
    by: [],
    applies: (p) => p.haiRateBps > 0 && !reachesHyper(p),
  },
  {
    field: 'hyperFactor',
    reason: 'hyper-adds-nothing',
    by: [],
    applies: (p) => p.hyperFactor === 'stage' && (p.haiRateBps === 0 || !reachesHyper(p)),
  },
  {
    field: 'hyperHalvesPeriods',
    reason: 'hyper-not-reached',
    by: [],
    applies: (p) => p.hyperHalvesPeriods && !reachesHyper(p),
  },
  {
    field: 'releaseGapBps',
    reason: 'limiter-kept',
    by: [{ field: 'limiterRelease', value: "'never'" }],
    applies: (p) => p.releaseGapBps > 0 && p.limiterRelease === 'never',
  },
];

/** A reason as text. @param names the settings of `by`, under a vendor's or this library's names */
export function idleReason(reason: IdleReason, names: readonly string[]): string {
  return REASONS[reason](names);
}

/** This library's names for the settings of `by`. */
export function ownNames({ by }: IdleSetting): string[] {
  return by.map(({ field, value }) => (value === undefined ? field : `${field} ${value}`));
}

/**
 * Lists the settings that have no effect, one sentence each, beginning with the field's name and a colon.
 *
 * @throws RoceError `invalid-config` for what `validateDcqcn` rejects.
 */
export function ineffectiveSettings(parameters: DcqcnParameters): string[] {
  return idleSettings(parameters).map((idle) =>
    `${idle.field}: without effect, ${idleReason(idle.reason, ownNames(idle))}`
  );
}

/**
 * Like `ineffectiveSettings`, but as data, so that the caller can use a vendor's names.
 *
 * @throws RoceError `invalid-config` for what `validateDcqcn` rejects.
 */
export function idleSettings(parameters: DcqcnParameters): readonly IdleSetting[] {
  const checked = validateDcqcn(parameters, 'parameters');
  return IDLE_RULES.filter((rule) => rule.applies(checked));
}

function cutsOnCnp(p: DcqcnParameters): boolean {
  return p.cutTrigger === 'on-cnp';
}

function reachesHyper(p: DcqcnParameters): boolean {
  if (p.stages === 'time' || p.byteCounterBytes > 0) return true;
  return p.fastRecoverySteps === 0 && p.hyperThreshold === 'at';
}
