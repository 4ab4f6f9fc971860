/**
 * sim.wasm with the trace of rate changes in it (ROCE_TRACE), for the lab, which runs a scenario once more to say why a flow's rate
 * changed. All else is sim.wasm's, and so is the result; the host empties the trace between slices.
 */
import { clearOutputs } from './trace/ring';

export * from './sim';
export { traceLost, traceWritten } from './engine';

/** Makes room in the trace. */
export function clearRateChanges(): void {
  clearOutputs();
}
