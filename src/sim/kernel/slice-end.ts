/** Why slices of the kernel end: the codes of `simRun`, and the errors of runs that outgrow the kernel's memory. */
import { RUN_BUDGET, RUN_DEADLOCK, RUN_FLOW_DONE, RUN_IDLE, RUN_REACHED, RUN_SAMPLE,
  RUN_TRACE_FULL } from '../../abi/sim-codes.js';
import { RoceError } from '../../errors.js';

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

const WASM_MEMORY_MAX_BYTES = 2 ** 32;

export function rejectMorePackets(memoryBytes: number, nowPs: number): never {
  throw new RoceError('capacity', {
    what: 'the memory for packets in flight',
    problem: 'is exhausted',
    got: memoryBytes,
    allowed: { max: WASM_MEMORY_MAX_BYTES, unit: 'bytes' },
    where: `${nowPs} ps`,
  });
}

export function rejectMoreMessages(recordsUsed: number): never {
  throw new RoceError('capacity', {
    what: 'the records of messages in flight',
    problem: 'are exhausted',
    got: recordsUsed,
    allowed: { max: recordsUsed },
    where: 'record.messageRecords',
    hint: 'Increase it',
  });
}
