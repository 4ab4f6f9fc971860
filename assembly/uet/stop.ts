/** Rejection of a run: stores the reason for the host and traps. The state is not read afterwards. */
import { UET_RUN_BYTES, UetRun } from '../records/uet-run';

/** Settings and totals of the run. */
export const run: UetRun = changetype<UetRun>(memory.data(UET_RUN_BYTES, 8));

/** Ends the run. @param reason UET_*. @param value a number for the message, such as that of the trigger. */
export function stop(reason: u32, value: f64 = 0): void {
  run.stopReason = reason;
  run.stopValue = value;
  unreachable();
}
