/** HPCC++'s parameters as engine.wasm reads them: HpccPpParameterSet, assembly/algorithms/hpcc-pp/record.ts. */
import { hpccRecord } from '../hpcc/record.js';
import type { ParameterRecord } from '../parameter-record.js';
import { HPCC_PP_SOURCES, hpccCoreOf, type HpccPpParameters } from './parameters.js';

/** HPCC's fields, then HPCC++'s; sources become bits in the order of `HPCC_PP_SOURCES`. @param p must have been validated. */
export function hpccPpRecord(p: HpccPpParameters): ParameterRecord {
  const sources = HPCC_PP_SOURCES.reduce(
    (bits, source, bit) => bits + (p.signalSources.includes(source) ? 2 ** bit : 0),
    0,
  );
  return [
    ...hpccRecord(hpccCoreOf(p)),
    ['sources', sources],
    ['clock', Number(p.clock === 'timer')],
    ['firstSample', Number(p.firstSample === 'queue-only')],
    ['notifiedUtilization', p.notifiedUtilization],
    ['recoveryAfterPs', p.recoveryAfterPs],
    ['recoveryPeriodPs', p.recoveryPeriodPs],
    ['fastRecoverySteps', p.fastRecoverySteps],
  ];
}
