/** HPCC's parameters as engine.wasm reads them: HpccParameterSet, assembly/algorithms/hpcc/record.ts. */
import { PS_PER_NS } from '../../../unit-sizes.js';
import { commonFields, senderFields, type ParameterRecord } from '../parameter-record.js';
import type { HpccParameters } from './parameters.js';
import type { WindowMode } from '../shared-types.js';

const PS_BITS_PER_BYTE_SECOND = 8e12;
const WINDOW_MODES: readonly WindowMode[] = ['none', 'fixed', 'variable'];

/** Floor, cap and additive step of the controlled quantity: bits per second or bytes. */
interface Steps {
  readonly minimum: number;
  readonly maximum: number;
  readonly increment: number;
}

/** Parameters that HPCC and HPCC-PINT have in common. */
type StepParameters = Pick<
  HpccParameters,
  'numbers' | 'maxRateBps' | 'minRateBps' | 'aiRateBps' | 'targetUtilization' | 'maxStage' | 'windowBytes'
    | 'windowMode' | 'fastReact' | 'sequence' | 'sendGap'
>;

/** The fields that HPCC and HPCC-PINT share: StepParameterSet. */
export function stepFields(p: StepParameters, steps: Steps): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, p.minRateBps),
    ['stepMinimum', steps.minimum],
    ['stepMaximum', steps.maximum],
    ['stepIncrement', steps.increment],
    ['targetUtilization', p.targetUtilization],
    ['maxStage', p.maxStage],
    ['windowBytes', p.windowBytes],
    ['windowMode', WINDOW_MODES.indexOf(p.windowMode)],
    ['fastReact', Number(p.fastReact)],
    ...senderFields(p),
  ];
}

/** Floor, cap and additive step of an algorithm that controls a rate. */
export function rateSteps(p: StepParameters): Steps {
  return { minimum: p.minRateBps, maximum: p.maxRateBps, increment: p.aiRateBps };
}

function windowSteps(p: HpccParameters): Steps {
  const minimum = (p.minRateBps * p.baseRttPs) / PS_BITS_PER_BYTE_SECOND;
  return { minimum, maximum: p.windowBytes, increment: p.aiWindowBytes };
}

/**
 * Precomputes the steps, the round trip in nanoseconds and 1 - beta.
 * Words become their index in their type, from 0; flags are 0 or 1.
 *
 * @param p must have been validated.
 */
export function hpccRecord(p: HpccParameters): ParameterRecord {
  const steersRate = p.primary === 'rate';
  return [
    ...stepFields(p, steersRate ? rateSteps(p) : windowSteps(p)),
    ['baseRttPs', p.baseRttPs],
    ['baseRttNs', p.baseRttPs / PS_PER_NS],
    ['primary', Number(steersRate)],
    ['multiRate', Number(p.multiRate)],
    ['sampleFeedback', Number(p.sampleFeedback)],
    ['ewma', Number(p.ewma === 'constant')],
    ['ewmaBeta', p.ewmaBeta],
    ['ewmaRetention', 1 - p.ewmaBeta],
    ['records', Number(p.records === 'int64')],
    ['intMultiplier', p.intMultiplier],
    ['pathChange', Number(p.pathChange === 'ignore')],
    ['repeatedTimestamp', Number(p.repeatedTimestamp === 'one-nanosecond')],
  ];
}
