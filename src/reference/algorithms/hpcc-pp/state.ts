/** The state of one QP under HPCC++: pure data, so that it can be copied, compared and printed. */
import type { HpccPpHop, HpccPpState } from '../../../abi/state/hpcc-pp.js';
import { PLUS_HOPS } from '../../../abi/ack-layout.js';
import { hpccCoreOf, type HpccPpParameters } from '../../../config/algorithms/hpcc-pp/parameters.js';
import { omit } from '../../../config/omit.js';
import { initialHpccState } from '../hpcc/state.js';

/** The state of a QP that has sent nothing: at line rate, u = 1, no known hops. */
export function initialHpccPpState(parameters: HpccPpParameters): HpccPpState {
  const core = omit(initialHpccState(hpccCoreOf(parameters)), 'hops');
  const hop: HpccPpHop = { time: 0, txBytes: 0, qlen: 0, seenPs: 0, kind: 0, hopId: 0, portId: 0 };
  return {
    ...core,
    hops: Array.from({ length: PLUS_HOPS }, () => ({ ...hop })),
    nextFullPs: 0,
    heldUntilPs: 0,
    nextRecoveryPs: Infinity,
    target: core.committed,
    recoverySteps: 0,
  };
}
