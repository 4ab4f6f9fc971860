/** HPCC's parameters as the numbers that engine.wasm reads: the fields of HpccParameterSet, assembly/algorithms/hpcc/record.ts. */
import type { HpccParameters, WindowMode } from './parameters.js';

const PS_PER_NS = 1000;
const PS_BITS_PER_BYTE_SECOND = 8e12;
const WINDOW_MODES: readonly WindowMode[] = ['none', 'fixed', 'variable'];

/** Code of a window mode. */
export function windowModeCode(mode: WindowMode): number {
  return WINDOW_MODES.indexOf(mode);
}

/**
 * The parameter slots of HPCC, in the engine's order; the first 13 are those of HPCC-PINT too.
 *
 * Floor, cap and additive step of what is steered, the round trip in nanoseconds and 1 - beta are computed here once.
 * Of words the first is 0, the second 1, the third 2, in the order of their types; flags are 0 or 1.
 *
 * @param parameters must have been validated.
 * @returns 25 numbers: rates in bits per second, windows in bytes, baseRttPs in picoseconds and again in nanoseconds.
 */
export function hpccParameterSet(parameters: HpccParameters): readonly number[] {
  const steersRate = parameters.primary === 'rate';
  const minimum = (parameters.minRateBps * parameters.baseRttPs) / PS_BITS_PER_BYTE_SECOND;
  return [
    parameters.maxRateBps,
    parameters.minRateBps,
    steersRate ? parameters.minRateBps : minimum,
    steersRate ? parameters.maxRateBps : parameters.windowBytes,
    steersRate ? parameters.aiRateBps : parameters.aiWindowBytes,
    parameters.targetUtilization,
    parameters.maxStage,
    Number(parameters.numbers === 'whole-bps'),
    parameters.windowBytes,
    windowModeCode(parameters.windowMode),
    Number(parameters.fastReact),
    Number(parameters.sequence === 'psn24'),
    Number(parameters.sendGap === 'ns3-nanoseconds'),
    parameters.baseRttPs,
    parameters.baseRttPs / PS_PER_NS,
    Number(steersRate),
    Number(parameters.multiRate),
    Number(parameters.sampleFeedback),
    Number(parameters.ewma === 'constant'),
    parameters.ewmaBeta,
    1 - parameters.ewmaBeta,
    Number(parameters.records === 'int64'),
    parameters.intMultiplier,
    Number(parameters.pathChange === 'ignore'),
    Number(parameters.repeatedTimestamp === 'one-nanosecond'),
  ];
}
