/**
 * Settings of DCQCN that other settings make idle: legal, but changing them would change nothing.
 *
 * People expect to hear of them instead of comparing identical results.
 */

import type { DcqcnParameters } from './parameters.js';
import { validateDcqcn } from './validate.js';

interface IdleRule {
  readonly field: keyof DcqcnParameters;
  readonly why: string;
  readonly applies: (p: DcqcnParameters) => boolean;
}

const IDLE_RULES: readonly IdleRule[] = [
  { field: 'cutPeriodPs', why: "cuts happen at each CNP (cutTrigger 'on-cnp')", applies: cutsOnCnp },
  {
    field: 'cutOffsetPs',
    why: "cuts happen at each CNP (cutTrigger 'on-cnp')",
    applies: (p) => cutsOnCnp(p) && p.cutOffsetPs > 0,
  },
  {
    field: 'cutAlphaOrder',
    why: "the order matters only when both cutTrigger and alphaUpdate are 'on-cnp'",
    applies: (p) => p.cutAlphaOrder === 'alpha-first' && !(cutsOnCnp(p) && p.alphaUpdate === 'on-cnp'),
  },
  { field: 'alphaPeriodPs', why: 'alpha never changes (alphaGain 0)', applies: (p) => p.alphaGain === 0 },
  {
    field: 'cutScale',
    why: 'cuts leave the whole rate (minDecreaseFactor 1)',
    applies: (p) => p.minDecreaseFactor === 1,
  },
  {
    field: 'minDecreaseFactor',
    why: 'no cut takes more than cutScale of the rate anyway',
    applies: (p) => p.minDecreaseFactor > 0 && p.minDecreaseFactor <= 1 - p.cutScale,
  },
  {
    field: 'rateOnFirstCnpFraction',
    why: 'rateOnFirstCnpBps is set',
    applies: (p) => p.rateOnFirstCnpBps > 0 && p.rateOnFirstCnpFraction !== 1,
  },
  {
    field: 'clampTargetRateAfterTimeIncrease',
    why: 'every cut clamps the target (clampTargetRate)',
    applies: (p) => p.clampTargetRate && p.clampTargetRateAfterTimeIncrease,
  },
  {
    field: 'aiRateBps',
    why: 'hyper increase takes the place of each additive step',
    applies: (p) => p.aiRateBps > 0 && p.hyperThreshold === 'at' && (p.stages === 'time' || p.fastRecoverySteps === 0),
  },
  {
    field: 'haiRateBps',
    why: 'without a byte counter the byte stage stays 0, so hyper increase is never reached',
    applies: (p) => p.haiRateBps > 0 && !reachesHyper(p),
  },
  {
    field: 'hyperFactor',
    why: 'hyper increase is never reached, or adds nothing',
    applies: (p) => p.hyperFactor === 'stage' && (p.haiRateBps === 0 || !reachesHyper(p)),
  },
  {
    field: 'hyperHalvesPeriods',
    why: 'hyper increase is never reached',
    applies: (p) => p.hyperHalvesPeriods && !reachesHyper(p),
  },
  {
    field: 'releaseGapBps',
    why: "the limiter is never taken away (limiterRelease 'never')",
    applies: (p) => p.releaseGapBps > 0 && p.limiterRelease === 'never',
  },
];

/**
 * Lists the settings without effect, one sentence each, beginning with the field's name and a colon.
 *
 * @throws RoceError `invalid-config` for what `validateDcqcn` rejects.
 */
export function ineffectiveSettings(parameters: DcqcnParameters): string[] {
  const checked = validateDcqcn(parameters, 'parameters');
  return IDLE_RULES.filter((rule) => rule.applies(checked)).map((rule) => `${rule.field}: without effect, ${rule.why}`);
}

function cutsOnCnp(p: DcqcnParameters): boolean {
  return p.cutTrigger === 'on-cnp';
}

function reachesHyper(p: DcqcnParameters): boolean {
  if (p.stages === 'time' || p.byteCounterBytes > 0) return true;
  return p.fastRecoverySteps === 0 && p.hyperThreshold === 'at';
}
