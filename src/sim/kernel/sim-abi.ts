/**
 * The exports of sim.wasm: those that set up its engine, and those of the network. Arguments and results are numbers;
 * codes: src/abi/sim-codes.ts. Records are found in memory by their region and index. Also: why slices of a run end, and the errors
 * of runs that outgrow the kernel's memory.
 */
import type { EngineAbi } from '../../abi/engine-abi.js';
import { RUN_BUDGET, RUN_DEADLOCK, RUN_FLOW_DONE, RUN_IDLE, RUN_REACHED, RUN_SAMPLE,
  RUN_TRACE_FULL } from '../../abi/sim-codes.js';
import { RoceError } from '../../errors.js';

export interface SimAbi extends
  Pick<
    EngineAbi,
    'memory' | 'table' | 'initialise' | 'configure' | 'addAddress' | 'openQp' | 'traceWritten' | 'traceLost'
  > {
  /** Allocates the trace of rate changes; only in sim-trace.wasm, like `traceWritten` and `traceLost`. */
  clearRateChanges?(): void;
  /** Byte address of a region, SIM_*. */
  simRegion(region: number): number;
  /** Starts the run at time 0, from the plan in memory. */
  simStart(): void;
  /** From `firstPs` on a slice ends with RUN_SAMPLE every `everyPs`, up to `lastPs`; call after `simStart`. */
  simSample(firstPs: number, everyPs: number, lastPs: number): void;
  /** Adds flows to a plan with `reservedPerHost`: the next `count` entries of the list of starts, none before the present. */
  simAddStarts(count: number): void;
  /** Under `reservedPerHost`: the flow that completed last since the previous call, or SIM_NONE. */
  simTakeDone(): number;
  /** Handles the events before `untilPs`, at most `budget` of them; returns RUN_*. */
  simRun(untilPs: number, budget: number): number;
  /** Time of the event handled last. */
  simNow(): number;
  /** Updates integrals over time (queues, pauses) to a time that no event has passed. */
  simAccount(timePs: number): void;
  /** Rate of a flow's QP at an instant that no event has passed. */
  simRate(flow: number, timePs: number): number;
  /**
   * Applies the agent's rate and window in the record of a flow's QP (src/abi/records/flows.ts) from the end of the last slice
   * on.
   */
  simAct(flow: number): void;
  /** Updates the window and the bytes acknowledged and in flight in the same record, at the instant of the last `simRate`. */
  simObserve(flow: number): void;
  /** Jain's index of the rates of running flows, at most the first 1,024 that started, at an instant that no event has passed. */
  simFairness(timePs: number): number;
  /** Number of packets in flight and their bytes, counted one by one. */
  simInFlight(): number;
  simBytesInFlight(): number;
  simTraceCount(): number;
  simClearTrace(): void;
  /** Bytes that a packet takes. */
  simPacketBytes(): number;
  /** The ECMP hash; `ports` has the source port in its low half. */
  flowHash(source: number, destination: number, ports: number, seed: number): number;
}

/** Address of a record. @param region SIM_*. @param index of the record in its region. */
export function recordAt(abi: SimAbi, region: number, { bytes }: { readonly bytes: number }, index: number): number {
  return (abi.simRegion(region) >>> 0) + index * bytes;
}

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
