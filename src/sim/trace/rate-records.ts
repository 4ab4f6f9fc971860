/** The rate changes that sim-trace.wasm holds between two slices. */
import { REGION_TRACE, TRACE_BYTES } from '../../abi/trace-layout.js';
import { regionAddress, viewMemory, type MemoryViews } from '../../engine/memory-views.js';
import type { SimAbi } from '../kernel/sim-abi.js';

/** Changes for which there is space between two slices, of all flows: 6 MiB. */
export const TRACE_ROOM = 65_536;
/** Events of a slice: few enough that their changes find space. */
export const EVENTS_PER_SLICE = 4_000;

/**
 * Visits each record (src/abi/trace-layout.ts), and makes space for others.
 *
 * @returns the number of changes, of any flow, for which there was no space.
 */
export function takeRateRecords(abi: SimAbi, visit: (views: MemoryViews, at: number) => void): number {
  const count = abi.traceWritten?.() ?? 0;
  const lost = abi.traceLost?.() ?? 0;
  // The memory may have grown since, which leaves older views empty.
  const views = viewMemory(abi);
  const first = regionAddress(views, REGION_TRACE);
  for (let at = first; at < first + count * TRACE_BYTES; at += TRACE_BYTES) visit(views, at);
  abi.clearRateChanges?.();
  return lost;
}
