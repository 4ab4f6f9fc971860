/** The state of one QP under HPCC++: pure data, so that it can be copied, compared and printed. */
import { PLUS_HOPS } from '../../../abi/ack-layout.js';
import { hpccCoreOf, type HpccPpParameters } from '../../../config/algorithms/hpcc-pp/parameters.js';
import { omit } from '../../../config/omit.js';
import { initialHpccState, type HpccState } from '../hpcc/state.js';
import type { HpccPpHop } from './hops.js';

export interface HpccPpState extends Omit<HpccState, 'hops'> {
  /** The first `hopCount` are in use. */
  readonly hops: readonly HpccPpHop[];
  /** From here on a signal without sequence numbers moves the reference again, picoseconds. */
  nextFullPs: number;
  /** Until here a notification holds the reference against ACKs, picoseconds. */
  heldUntilPs: number;
  /** Next step of recovery, picoseconds; Infinity = none is due. */
  nextRecoveryPs: number;
  /** Reference before the last cut, where fast recovery leads: bits per second or bytes. */
  target: number;
  /** Steps of recovery in a row, saturating at 65,535. */
  recoverySteps: number;
}

/** A QP that has sent nothing: at line rate, u = 1, no hop known. */
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
