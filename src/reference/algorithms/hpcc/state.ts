/**
 * The state of one QP under HPCC: pure data, so that it can be copied, compared and printed.
 */
import type { HpccState } from '../../../abi/state/hpcc.js';
import type { HpccParameters } from '../../../config/algorithms/hpcc/parameters.js';
import { MAX_EXACT_HOPS, MAX_INT64_HOPS } from './hops.js';
import { windowInUse } from '../rate-numbers.js';
import { NO_ROUND_TRIP } from '../sender-frame.js';

/** Maximum number of hops for a QP with these parameters. */
export function hopLimit(parameters: HpccParameters): number {
  return parameters.records === 'exact' ? MAX_EXACT_HOPS : MAX_INT64_HOPS;
}

/** The state of a QP that has sent nothing: at line rate, u = 1 (as in the simulator). */
export function initialHpccState(parameters: HpccParameters): HpccState {
  const { primary, numbers, windowMode, windowBytes, maxRateBps } = parameters;
  const committed = primary === 'rate' ? maxRateBps : windowBytes;
  const hop = { time: 0, txBytes: 0, qlen: 0, hopId: 0, utilization: 1, committed, incStage: 0 };
  const rateBps = rateOf(parameters, committed);
  return {
    rateBps,
    windowBytes: primary === 'rate' ? windowInUse(windowMode, numbers, windowBytes, rateBps, maxRateBps) : windowBytes,
    committed,
    utilization: 1,
    incStage: 0,
    ...NO_ROUND_TRIP,
    hopCount: 0,
    pathId: 0,
    hops: Array.from({ length: hopLimit(parameters) }, () => ({ ...hop })),
  };
}

/** The rate that follows from the controlled quantity: the rate itself, or W / T up to the line rate. */
export function rateOf(parameters: HpccParameters, quantity: number): number {
  if (parameters.primary === 'rate') return quantity;
  const rateBps = (quantity * 8e12) / parameters.baseRttPs;
  return rateBps < parameters.maxRateBps ? rateBps : parameters.maxRateBps;
}
