/**
 * The ABI of uet.wasm: a run of uet-htsim (Ultra Ethernet Transport) from its set-up to its last event. Numbers in, numbers out.
 *
 * Life of a run, in a fresh instance: the host writes settings and counts into the record of the run; `initialise` lays out its tables; the host
 * writes them; `uetRun`; the host reads flows and totals. Where a run is rejected, `stopReason` has the reason and the call traps.
 * src/uet/kernel says the same from the host's side.
 */
import { allocateTables, begin } from './uet/begin';
import { runToEnd } from './uet/loop';
import { draws } from './uet/random';
import { run } from './uet/stop';

/** Address of the record of the run. */
export function uetRunAt(): usize {
  return changetype<usize>(run);
}

/** Lays out the tables. */
export function initialise(): void {
  allocateTables();
}

/** Runs until no event is left. */
export function uetRun(): void {
  begin();
  runToEnd();
  run.draws = <f64>draws;
}
