/**
 * The exports of sim.wasm: those that set up the engine within it, and the network's. Numbers in, numbers out; records:
 * src/abi/sim-codes.ts.
 */
import type { EngineAbi } from '../../abi/engine-abi.js';

export interface SimAbi extends
  Pick<
    EngineAbi,
    'memory' | 'table' | 'initialise' | 'configure' | 'addAddress' | 'openQp' | 'traceWritten' | 'traceLost'
  > {
  /** Allocates the trace of rate changes; only in sim-trace.wasm, like `traceWritten` and `traceLost`. */
  clearRateChanges?(): void;
  /** Byte address of a region, SIM_*. */
  simRegion(region: number): number;
  /** Starts from the written plan, at time 0. */
  simStart(): void;
  /** From `firstPs` on a slice ends with RUN_SAMPLE every `everyPs`, up to `lastPs`; call after `simStart`. */
  simSample(firstPs: number, everyPs: number, lastPs: number): void;
  /** Flows of a plan with `reservedPerHost` join, as the next `count` entries of the list of starts, none before the present. */
  simAddStarts(count: number): void;
  /** In such a plan the flow that was done last since the last call, or SIM_NONE. */
  simTakeDone(): number;
  /** Handles the events before the time, at most `budget` of them; RUN_*. */
  simRun(untilPs: number, budget: number): number;
  /** Time of the event handled last. */
  simNow(): number;
  /** Brings integrals over time (queues, pauses) up to a time that no event has passed. */
  simAccount(timePs: number): void;
  /** Rate of a flow's QP at an instant that no event has passed. */
  simRate(flow: number, timePs: number): number;
  /** The agent's rate and window in the record of a flow's QP (src/abi/records/agents.ts) hold from the end of the last slice on. */
  simAct(flow: number): void;
  /** Brings window and bytes acknowledged and in flight in the same record up to date, at the instant of the last `simRate`. */
  simObserve(flow: number): void;
  /** Jain's index of the rates of the running flows, of the first 1,024 that started, at an instant that no event has passed. */
  simFairness(timePs: number): number;
  /** Packets in flight and their bytes, counted one by one. */
  simInFlight(): number;
  simBytesInFlight(): number;
  simTraceCount(): number;
  simClearTrace(): void;
  /** Bytes that a packet takes. */
  simPacketBytes(): number;
  /** The hash by which ECMP chooses; `ports`: source in the low half. */
  flowHash(source: number, destination: number, ports: number, seed: number): number;
}
