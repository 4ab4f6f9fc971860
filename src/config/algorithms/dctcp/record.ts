/** DCTCP's parameters as the numbers that engine.wasm reads: the fields of DctcpParameterSet, assembly/algorithms/dctcp/transitions.ts. */
import type { DctcpParameters } from './parameters.js';

/**
 * The parameter slots of DCTCP, in the engine's order.
 *
 * Of words the first is 0 and the second 1; 1 - g is computed here once.
 *
 * @param parameters must have been validated.
 * @returns 9 numbers, rates in bits per second.
 */
export function dctcpParameterSet(parameters: DctcpParameters): readonly number[] {
  return [
    parameters.maxRateBps,
    parameters.minRateBps,
    parameters.alphaGain,
    1 - parameters.alphaGain,
    parameters.aiRateBps,
    parameters.sequencePerPacket,
    Number(parameters.numbers === 'whole-bps'),
    Number(parameters.sequence === 'psn24'),
    Number(parameters.sendGap === 'ns3-nanoseconds'),
  ];
}
