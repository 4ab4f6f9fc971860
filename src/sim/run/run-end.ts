/** How a run ended. */
import type { SimKernel, SliceEnd } from '../kernel/kernel.js';
import type { SimResult } from '../result.js';

/** Determines how a run ended. @param last how its last slice ended. */
export function runEnd({ operationsDone, operations, flowsDone, plan }: SimKernel, last: SliceEnd): SimResult['ended'] {
  const areJobsDone = operationsDone === operations;
  if (areJobsDone && flowsDone === plan.flows.length) return 'all-flows-done';
  if (areJobsDone && plan.endsWithJobs === true) return 'jobs-done';
  if (last === 'deadlock') return 'deadlock';
  return last === 'reached' ? 'time' : 'stuck';
}
