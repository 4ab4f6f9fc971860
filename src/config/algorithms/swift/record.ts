/** Swift's parameters as the numbers that engine.wasm reads: the fields of SwiftParameterSet, assembly/algorithms/swift/transitions.ts. */
import type { SwiftParameters } from './parameters.js';

/** Swift has no floor of the rate: its window has one. */
const NO_MIN_RATE = 0;

/**
 * The parameter slots of Swift, in the engine's order.
 *
 * Flow scaling is a line in 1 / sqrt(cwnd), whose slope and offset are computed here once, as is 1 - maxDecrease:
 * slope = range / (1 / sqrt(minCwnd) - 1 / sqrt(maxCwnd)), offset = slope / sqrt(maxCwnd), both of the flow scaling's
 * windows (swift-parameters.ts).
 *
 * @param parameters must have been validated.
 * @returns 15 numbers: rates in bits per second, times in picoseconds, windows in packets.
 */
export function swiftParameterSet(parameters: SwiftParameters): readonly number[] {
  const { flowScaleRangePs, flowScaleMinCwnd, flowScaleMaxCwnd } = parameters;
  const atMax = 1 / Math.sqrt(flowScaleMaxCwnd);
  const slopePs = flowScaleRangePs / (1 / Math.sqrt(flowScaleMinCwnd) - atMax);
  return [
    parameters.maxRateBps,
    NO_MIN_RATE,
    parameters.packetBytes,
    parameters.baseTargetPs,
    parameters.hopScalePs,
    flowScaleRangePs,
    slopePs,
    slopePs * atMax,
    parameters.aiPackets,
    parameters.decreaseBeta,
    1 - parameters.maxDecrease,
    parameters.minCwnd,
    parameters.maxCwnd,
    parameters.initialCwnd,
    parameters.timeoutsToReset,
  ];
}
