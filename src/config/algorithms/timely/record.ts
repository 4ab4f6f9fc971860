/** TIMELY's parameters as the numbers that engine.wasm reads: the fields of TimelyParameterSet, assembly/algorithms/timely/transitions.ts. */
import type { TimelyParameters } from './parameters.js';

const PS_PER_NS = 1000;

/**
 * The parameter slots of TIMELY, in the engine's order.
 *
 * Times are in nanoseconds, of words the first is 0 and the second 1; 1 - a is computed here once.
 *
 * @param parameters must have been validated.
 * @returns 16 numbers: rates in bits per second, times in nanoseconds.
 */
export function timelyParameterSet(parameters: TimelyParameters): readonly number[] {
  return [
    parameters.maxRateBps,
    parameters.minRateBps,
    parameters.ewmaAlpha,
    1 - parameters.ewmaAlpha,
    parameters.decreaseBeta,
    parameters.lowRttPs / PS_PER_NS,
    parameters.highRttPs / PS_PER_NS,
    parameters.minRttPs / PS_PER_NS,
    parameters.aiRateBps,
    parameters.haiRateBps,
    parameters.hyperAfterSteps,
    Number(parameters.numbers === 'whole-bps'),
    Number(parameters.lowRttIncrease === 'additive'),
    Number(parameters.updateOn === 'ack'),
    Number(parameters.sequence === 'psn24'),
    Number(parameters.sendGap === 'ns3-nanoseconds'),
  ];
}
