/** Why slices of the kernel end. */
import { RUN_BUDGET, RUN_DEADLOCK, RUN_FLOW_DONE, RUN_IDLE, RUN_REACHED, RUN_SAMPLE,
  RUN_TRACE_FULL } from '../../abi/sim-codes.js';

/**
 * Why a slice ended: `reached` the given time; `budget` of events exhausted; `idle`: no event left; `trace-full`: records must
 * be drained; `sample`: an instant of `sampleQueues`; `deadlock`: queues wait for each other and no other event is left;
 * `flow-done`: a flow of an open simulation is done.
 */
export type SliceEnd = 'reached' | 'budget' | 'idle' | 'trace-full' | 'sample' | 'deadlock' | 'flow-done';

const ENDS: Readonly<Record<number, SliceEnd>> = {
  [RUN_REACHED]: 'reached',
  [RUN_BUDGET]: 'budget',
  [RUN_DEADLOCK]: 'deadlock',
  [RUN_IDLE]: 'idle',
  [RUN_TRACE_FULL]: 'trace-full',
  [RUN_SAMPLE]: 'sample',
  [RUN_FLOW_DONE]: 'flow-done',
};

/** Converts the code that the kernel's `simRun` returns. */
export function sliceEnd(code: number): SliceEnd {
  return ENDS[code] ?? 'idle';
}
