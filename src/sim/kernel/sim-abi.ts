/**
 * The exports of sim.wasm: what sets the engine within it up, and the network's. Numbers in, numbers out; records:
 * src/abi/sim-layout.ts.
 */
import type { EngineAbi } from '../../abi/engine-abi.js';

export interface SimAbi
  extends
    Pick<EngineAbi, 'memory' | 'initialise' | 'configure' | 'addAddress' | 'openQp' | 'traceWritten' | 'traceLost'> {
  /** Makes room in the trace of rate changes; of sim-trace.wasm alone, as `traceWritten` and `traceLost` are. */
  clearRateChanges?(): void;
  /** Byte address of a region, SIM_*. */
  simRegion(region: number): number;
  /** Takes over what was written, at time 0. */
  simStart(): void;
  /** From `firstPs` on a slice ends with RUN_SAMPLE every `everyPs`, up to `lastPs`; behind `simStart`. */
  simSample(firstPs: number, everyPs: number, lastPs: number): void;
  /** Handles what happens before the time, at most `budget` events; RUN_*. */
  simRun(untilPs: number, budget: number): number;
  /** Time of the event handled last. */
  simNow(): number;
  /** Brings queues and pauses, which are counted over time, up to a time that no event has passed. */
  simAccount(timePs: number): void;
  /** Rate of a flow's QP at an instant that no event has passed. */
  simRate(flow: number, timePs: number): number;
  /** Jain's index of the rates of the running flows, of many of the 1,024 that started first, at an instant that no event has passed. */
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
