/**
 * Settings of DCQCN that other settings make idle: legal, but changing them would change nothing.
 *
 * People expect to hear of them instead of comparing identical results.
 */

import type { DcqcnParameters } from './parameters.js';
import { validateDcqcn } from './validate.js';

/** The name of a parameter in a sentence, with this value if one is given. */
export type ParameterNaming = (field: keyof DcqcnParameters, value?: string) => string;

/** The names of this library. */
export const ownNames: ParameterNaming = (field, value) => (value === undefined ? field : `${field} ${value}`);

/** A setting that other settings make idle. */
export interface IdleSetting {
  readonly field: keyof DcqcnParameters;
  /** The reason, in any vendor's names. */
  readonly why: (name: ParameterNaming) => string;
}

interface IdleRule extends IdleSetting {
  readonly applies: (p: DcqcnParameters) => boolean;
}

const IDLE_RULES: readonly IdleRule[] = [
  { field: 'cutPeriodPs', why: cutsAtEachCnp, applies: cutsOnCnp },
  {
    field: 'cutOffsetPs',
    why: cutsAtEachCnp,
    applies: (p) => cutsOnCnp(p) && p.cutOffsetPs > 0,
  },
  {
    field: 'cutAlphaOrder',
    why: (name) => `the order matters only when both ${name('cutTrigger')} and ${name('alphaUpdate')} are 'on-cnp'`,
    applies: (p) => p.cutAlphaOrder === 'alpha-first' && !(cutsOnCnp(p) && p.alphaUpdate === 'on-cnp'),
  },
  {
    field: 'alphaPeriodPs',
    why: (name) => `alpha never changes (${name('alphaGain', '0')})`,
    applies: (p) => p.alphaGain === 0,
  },
  {
    field: 'cutScale',
    why: (name) => `cuts leave the whole rate (${name('minDecreaseFactor', '1')})`,
    applies: (p) => p.minDecreaseFactor === 1,
  },
  {
    field: 'minDecreaseFactor',
    // The only scale below 1 is 0.5.
    why: (name) => `no cut takes more than half of the rate anyway (${name('cutScale', '0.5')})`,
    applies: (p) => p.minDecreaseFactor > 0 && p.minDecreaseFactor <= 1 - p.cutScale,
  },
  {
    field: 'rateOnFirstCnpFraction',
    why: (name) => `${name('rateOnFirstCnpBps')} is set`,
    applies: (p) => p.rateOnFirstCnpBps > 0 && p.rateOnFirstCnpFraction !== 1,
  },
  {
    field: 'clampTargetRateAfterTimeIncrease',
    why: (name) => `every cut clamps the target (${name('clampTargetRate')})`,
    applies: (p) => p.clampTargetRate && p.clampTargetRateAfterTimeIncrease,
  },
  {
    field: 'aiRateBps',
    why: () => 'hyper increase takes the place of each additive step',
    applies: (p) => p.aiRateBps > 0 && p.hyperThreshold === 'at' && (p.stages === 'time' || p.fastRecoverySteps === 0),
  },
  {
    field: 'haiRateBps',
    why: () => 'without a byte counter the byte stage stays 0, so hyper increase is never reached',
    applies: (p) => p.haiRateBps > 0 && !reachesHyper(p),
  },
  {
    field: 'hyperFactor',
    why: () => 'hyper increase is never reached, or adds nothing',
    applies: (p) => p.hyperFactor === 'stage' && (p.haiRateBps === 0 || !reachesHyper(p)),
  },
  {
    field: 'hyperHalvesPeriods',
    why: () => 'hyper increase is never reached',
    applies: (p) => p.hyperHalvesPeriods && !reachesHyper(p),
  },
  {
    field: 'releaseGapBps',
    why: (name) => `the limiter is never taken away (${name('limiterRelease', "'never'")})`,
    applies: (p) => p.releaseGapBps > 0 && p.limiterRelease === 'never',
  },
];

/**
 * Lists the settings without effect, one sentence each, beginning with the field's name and a colon.
 *
 * @throws RoceError `invalid-config` for what `validateDcqcn` rejects.
 */
export function ineffectiveSettings(parameters: DcqcnParameters): string[] {
  return idleSettings(parameters).map(({ field, why }) => `${field}: without effect, ${why(ownNames)}`);
}

/**
 * The same, for sentences in a vendor's names.
 *
 * @throws RoceError `invalid-config` for what `validateDcqcn` rejects.
 */
export function idleSettings(parameters: DcqcnParameters): readonly IdleSetting[] {
  const checked = validateDcqcn(parameters, 'parameters');
  return IDLE_RULES.filter((rule) => rule.applies(checked));
}

function cutsAtEachCnp(name: ParameterNaming): string {
  return `cuts happen at each CNP (${name('cutTrigger', "'on-cnp'")})`;
}

function cutsOnCnp(p: DcqcnParameters): boolean {
  return p.cutTrigger === 'on-cnp';
}

function reachesHyper(p: DcqcnParameters): boolean {
  if (p.stages === 'time' || p.byteCounterBytes > 0) return true;
  return p.fastRecoverySteps === 0 && p.hyperThreshold === 'at';
}
