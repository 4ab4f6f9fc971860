/** HPCC++'s parameters as the numbers that engine.wasm reads: the fields of PlusParameterSet, assembly/algorithms/hpcc-pp/record.ts. */
import { HPCC_PP_SOURCES, hpccCoreOf, type HpccPpParameters } from './parameters.js';
import { hpccParameterSet } from '../hpcc/record.js';

/**
 * The parameter slots of HPCC++, in the engine's order: HPCC's 25, then its own. Sources are bits, in the order of
 * `HPCC_PP_SOURCES`.
 *
 * @param parameters must have been validated.
 * @returns 32 numbers.
 */
export function hpccPpParameterSet(parameters: HpccPpParameters): readonly number[] {
  const sources = HPCC_PP_SOURCES.reduce(
    (bits, source, bit) => bits + (parameters.signalSources.includes(source) ? 2 ** bit : 0),
    0,
  );
  return [
    ...hpccParameterSet(hpccCoreOf(parameters)),
    sources,
    Number(parameters.clock === 'timer'),
    Number(parameters.firstSample === 'queue-only'),
    parameters.notifiedUtilization,
    parameters.recoveryAfterPs,
    parameters.recoveryPeriodPs,
    parameters.fastRecoverySteps,
  ];
}
