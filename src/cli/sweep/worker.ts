/** A worker thread of a sweep, a separate entry: dist/cli/sweep-worker.js. */
import workerpool from 'workerpool';
import { runJob, type RunOutcome, type SweepJob } from '../../sweep/digest.js';

/** Never throws: any error of a run becomes its outcome. */
function run(job: SweepJob, maxMemoryBytes: number): RunOutcome {
  // The time limit of a run begins here, not with the start of the thread.
  workerpool.workerEmit('begun');
  try {
    return runJob(job, maxMemoryBytes);
  } catch (error) {
    const isMemory = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
    const reason = error instanceof Error ? error.message : String(error);
    return { ended: isMemory ? 'out-of-memory' : 'crashed', reason };
  }
}

workerpool.worker({ run });
