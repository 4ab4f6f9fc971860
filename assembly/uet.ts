/**
 * The ABI of uet.wasm, which executes a run of uet-htsim (Ultra Ethernet Transport). Arguments and results are numbers.
 *
 * Life of a run, in a fresh instance: the host writes settings and counts into the record of the run; `initialise` lays out
 * the tables; the host fills them and calls `uetRun`; then it reads flows and totals. If a run is rejected, the call traps and
 * `stopReason` has the reason. src/uet/kernel is the host's side.
 */
import { allocateTables, begin } from './uet/begin';
import { runToEnd } from './uet/loop';
import { draws } from './uet/random';
import { run } from './uet/stop';

/** Address of the record of the run. */
export function uetRunAt(): usize {
  return changetype<usize>(run);
}

/** Lays out the tables of the run. */
export function initialise(): void {
  allocateTables();
}

/** Runs until no event is left. */
export function uetRun(): void {
  begin();
  runToEnd();
  run.draws = <f64>draws;
}
