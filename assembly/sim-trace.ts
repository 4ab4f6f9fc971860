/**
 * sim.wasm with the trace of rate changes (ROCE_TRACE). The lab reruns a scenario with it to explain why a flow's rate
 * changed. Results equal those of sim.wasm; the host clears the trace between slices.
 */
import { clearOutputs } from './trace/ring';

export * from './sim';
export { traceLost, traceWritten } from './engine';

/** Clears the trace. */
export function clearRateChanges(): void {
  clearOutputs();
}
