/** Swift's parameters as engine.wasm reads them: SwiftParameterSet, assembly/algorithms/swift/transitions.ts. */
import { commonFields, type ParameterRecord } from '../parameter-record.js';
import type { SwiftParameters } from './parameters.js';

/** Swift has a minimum window instead of a minimum rate. */
const NO_MIN_RATE = 0;

/**
 * Precomputes 1 - maxDecrease, and slope and offset of flow scaling, which is linear in 1 / sqrt(cwnd):
 * slope = range / (1 / sqrt(minCwnd) - 1 / sqrt(maxCwnd)), offset = slope / sqrt(maxCwnd), both of the flow scaling's
 * windows (parameters.ts).
 *
 * @param p must have been validated.
 */
export function swiftRecord(p: SwiftParameters): ParameterRecord {
  const atMax = 1 / Math.sqrt(p.flowScaleMaxCwnd);
  const slopePs = p.flowScaleRangePs / (1 / Math.sqrt(p.flowScaleMinCwnd) - atMax);
  return [
    ...commonFields(p.maxRateBps, NO_MIN_RATE),
    ['packetBytes', p.packetBytes],
    ['baseTargetPs', p.baseTargetPs],
    ['hopScalePs', p.hopScalePs],
    ['flowScaleRangePs', p.flowScaleRangePs],
    ['flowScaleSlopePs', slopePs],
    ['flowScaleOffsetPs', slopePs * atMax],
    ['aiPackets', p.aiPackets],
    ['decreaseBeta', p.decreaseBeta],
    ['leastFactor', 1 - p.maxDecrease],
    ['minCwnd', p.minCwnd],
    ['maxCwnd', p.maxCwnd],
    ['initialCwnd', p.initialCwnd],
    ['timeoutsToReset', p.timeoutsToReset],
  ];
}
