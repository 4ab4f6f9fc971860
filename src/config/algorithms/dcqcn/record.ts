/** DCQCN's parameters as engine.wasm reads them: DcqcnParameterSet, assembly/algorithms/dcqcn/record.ts. */
import * as code from '../../../abi/codes.js';
import { commonFields, type ParameterRecord } from '../parameter-record.js';
import type { DcqcnParameters } from './parameters.js';

/** Alpha's unit under `alpha-q10` is 1/1024. */
const Q10 = 1024;
const NUMBERS = {
  float64: code.NUMBERS_FLOAT64,
  'whole-bps': code.NUMBERS_WHOLE_BPS,
  'alpha-q10': code.NUMBERS_ALPHA_Q10,
};

/** @param p must have been validated. */
export function dcqcnRecord(p: DcqcnParameters): ParameterRecord {
  const unit = p.numbers === 'alpha-q10' ? Q10 : 1;
  return [
    ...commonFields(p.maxRateBps, p.minRateBps, switchesOf(p)),
    ['alphaGain', p.alphaGain * unit],
    ['alphaRetention', (1 - p.alphaGain) * unit],
    ['initialAlpha', p.initialAlpha * unit],
    ['alphaPeriodPs', p.alphaPeriodPs],
    ['increasePeriodPs', p.increasePeriodPs],
    ['cutPeriodPs', p.cutPeriodPs],
    ['cutOffsetPs', p.cutOffsetPs],
    ['aiRateBps', p.aiRateBps],
    ['haiRateBps', p.haiRateBps],
    ['rateOnFirstCnpBps', p.rateOnFirstCnpBps],
    ['rateOnFirstCnpFraction', p.rateOnFirstCnpFraction],
    ['minDecreaseFactor', p.minDecreaseFactor],
    ['cutScale', p.cutScale],
    ['releaseRateBps', p.limiterRelease === 'never' ? Infinity : p.maxRateBps - p.releaseGapBps],
    ['tieGapPs', Number(p.simultaneous === 'event-first')],
    ['byteCounterBytes', p.byteCounterBytes, 'u32'],
    ['fastRecoverySteps', p.fastRecoverySteps, 'u32'],
    ['numbers', NUMBERS[p.numbers], 'u32'],
  ];
}

function switchesOf(p: DcqcnParameters): number {
  const switches: readonly (readonly [boolean, number])[] = [
    [p.cutTrigger === 'on-cnp', code.DCQCN_CUT_ON_CNP],
    [p.alphaUpdate === 'on-cnp', code.DCQCN_ALPHA_ON_CNP],
    [p.cutAlphaOrder === 'alpha-first', code.DCQCN_ALPHA_FIRST],
    [p.clampTargetRate, code.DCQCN_CLAMP_TARGET],
    [p.clampTargetRateAfterTimeIncrease, code.DCQCN_CLAMP_TARGET_AFTER_TIME],
    [p.firstCnpCuts, code.DCQCN_FIRST_CNP_CUTS],
    [p.increaseTimerStart === 'first-cnp', code.DCQCN_INCREASE_FROM_FIRST_CNP],
    [p.stages === 'time', code.DCQCN_TIME_STAGE_ONLY],
    [p.hyperThreshold === 'above', code.DCQCN_HYPER_ABOVE],
    [p.hyperFactor === 'stage', code.DCQCN_HYPER_BY_STAGE],
    [p.hyperHalvesPeriods, code.DCQCN_HYPER_HALVES_PERIODS],
    [p.targetReduction, code.DCQCN_TARGET_REDUCTION],
  ];
  return switches.reduce((bits, [on, bit]) => (on ? bits | bit : bits), 0);
}
