/** A worker thread of a sweep, a separate entry: dist/cli/sweep-worker.js. */
import workerpool from 'workerpool';
import { runJob, type RunOutcome, type SweepJob } from '../../sweep/digest.js';

/** Nothing is thrown: an error of a run is its outcome, whatever it is. */
function run(job: SweepJob, maxMemoryBytes: number): RunOutcome {
  // From here on its time counts, not from when the thread was started.
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
