/** A worker thread of a sweep, a separate entry: dist/cli/sweep-worker.js. */
import workerpool from 'workerpool';
import { RoceError } from '../../errors.js';
import { withAlgorithms } from '../algorithms/algorithms-of-scenario.js';
import { uetReferenceFor } from '../run/uet-option.js';
import { runJob, type RunOutcome, type SweepJob } from '../../sweep/digest.js';

/** Never throws: any error of a run becomes its outcome. */
async function run(job: SweepJob, maxMemoryBytes: number): Promise<RunOutcome> {
  // The time limit of a run begins here, not with the start of the thread.
  workerpool.workerEmit('begun');
  try {
    const { algorithmFiles, congestionPointFiles } = await withAlgorithms(job.scenario, '');
    const uetReference = await uetReferenceFor([job.scenario]);
    return runJob(job, maxMemoryBytes, { algorithmFiles, congestionPointFiles, ...(uetReference && { uetReference }) });
  } catch (error) {
    const isMemory = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
    if (error instanceof RoceError) return { ended: 'failed', reason: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { ended: isMemory ? 'out-of-memory' : 'crashed', reason };
  }
}

workerpool.worker({ run });
