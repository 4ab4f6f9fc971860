/** TIMELY's parameters as engine.wasm reads them: TimelyParameterSet, assembly/algorithms/timely/transitions.ts. */
import { PS_PER_NS } from '../../../unit-sizes.js';
import { commonFields, senderFields, type ParameterRecord } from '../parameter-record.js';
import type { TimelyParameters } from './parameters.js';

/** Times are in nanoseconds; words become 0 or 1; 1 - a is precomputed. @param p must have been validated. */
export function timelyRecord(p: TimelyParameters): ParameterRecord {
  return [
    ...commonFields(p.maxRateBps, p.minRateBps),
    ['ewmaAlpha', p.ewmaAlpha],
    ['ewmaRetention', 1 - p.ewmaAlpha],
    ['decreaseBeta', p.decreaseBeta],
    ['lowRttNs', p.lowRttPs / PS_PER_NS],
    ['highRttNs', p.highRttPs / PS_PER_NS],
    ['minRttNs', p.minRttPs / PS_PER_NS],
    ['aiRateBps', p.aiRateBps],
    ['haiRateBps', p.haiRateBps],
    ['hyperAfterSteps', p.hyperAfterSteps],
    ['lowRttIncrease', Number(p.lowRttIncrease === 'additive')],
    ['updateOn', Number(p.updateOn === 'ack')],
    ...senderFields(p),
  ];
}
