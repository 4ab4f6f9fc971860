/** Reads the rate changes that sim-trace.wasm records during a slice. */
import { REGION_TRACE, TRACE_BYTES } from '../../abi/trace-layout.js';
import { regionAddress, viewMemory, type MemoryViews } from '../../engine/memory-views.js';
import type { SimAbi } from '../kernel/sim-abi.js';

/** Capacity for changes of all flows during a slice: 6 MiB. */
export const TRACE_ROOM = 65_536;
/** Events per slice, few enough that their changes fit. */
export const EVENTS_PER_SLICE = 4_000;

/**
 * Visits each record (src/abi/trace-layout.ts), then frees the space.
 *
 * @returns the number of changes, of any flow, for which there was no space.
 */
export function takeRateRecords(abi: SimAbi, visit: (views: MemoryViews, at: number) => void): number {
  const count = abi.traceWritten?.() ?? 0;
  const lost = abi.traceLost?.() ?? 0;
  // Memory may have grown since, which detaches older views.
  const views = viewMemory(abi);
  const first = regionAddress(views, REGION_TRACE);
  for (let at = first; at < first + count * TRACE_BYTES; at += TRACE_BYTES) visit(views, at);
  abi.clearRateChanges?.();
  return lost;
}
