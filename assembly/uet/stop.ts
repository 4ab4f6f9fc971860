/** How a run is rejected: the reason is written where the host finds it, and the run ends by a trap, after which its state is not read. */
import { UET_RUN_BYTES, UetRun } from '../records/uet-run';

/** Settings and totals of the run. */
export const run: UetRun = changetype<UetRun>(memory.data(UET_RUN_BYTES, 8));

/** Ends the run. @param reason UET_*. @param value what it is about. */
export function stop(reason: u32, value: f64 = 0): void {
  run.stopReason = reason;
  run.stopValue = value;
  unreachable();
}
