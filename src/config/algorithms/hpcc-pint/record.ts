/** HPCC-PINT's parameters as the numbers that engine.wasm reads: HpccPintParameterSet, assembly/algorithms/hpcc/record.ts. */
import type { HpccPintParameters } from './parameters.js';
import { windowModeCode } from '../hpcc/record.js';

/** Slot 15 stays free. */
const FREE = 0;
/** The engine notes the address of the decode table when it fills it. */
const NO_TABLE_YET = 0;

/**
 * The parameter slots of HPCC-PINT, in the engine's order; the first 13 are as HPCC's (hpcc-profile.ts).
 *
 * pintProbability is not among them: the engine looks at each ACK.
 *
 * @param parameters must have been validated.
 * @returns 17 numbers: rates in bits per second, windows in bytes; the last one is the engine's own.
 */
export function hpccPintParameterSet(parameters: HpccPintParameters): readonly number[] {
  return [
    parameters.maxRateBps,
    parameters.minRateBps,
    parameters.minRateBps,
    parameters.maxRateBps,
    parameters.aiRateBps,
    parameters.targetUtilization,
    parameters.maxStage,
    Number(parameters.numbers === 'whole-bps'),
    parameters.windowBytes,
    windowModeCode(parameters.windowMode),
    Number(parameters.fastReact),
    Number(parameters.sequence === 'psn24'),
    Number(parameters.sendGap === 'ns3-nanoseconds'),
    parameters.pintBase,
    parameters.pintBits,
    FREE,
    NO_TABLE_YET,
  ];
}
