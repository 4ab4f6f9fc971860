/** HPCC-PINT's parameters as engine.wasm reads them: HpccPintParameterSet, assembly/algorithms/hpcc/record.ts. */
import { rateSteps, stepFields } from '../hpcc/record.js';
import type { ParameterRecord } from '../parameter-record.js';
import type { HpccPintParameters } from './parameters.js';

/** Leaves out `pintProbability`: the engine evaluates every ACK. @param p must have been validated. */
export function hpccPintRecord(p: HpccPintParameters): ParameterRecord {
  return [...stepFields(p, rateSteps(p)), ['pintBase', p.pintBase], ['pintBits', p.pintBits]];
}
