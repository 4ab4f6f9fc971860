/** Runs that the reference aborts or ends early: both implementations reject them in the same words. */
import { rejectUet } from './reject.js';

/** @throws RoceError `invalid-scenario`, always. */
export function rejectRepsTimeout(): never {
  rejectUet({
    what: '-load_balancing_algo reps with -disable_trim',
    problem: 'stops at the first timeout, where the reference ends',
  });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectSecondFiring(trigger: number): never {
  rejectUet({ what: `trigger ${trigger}`, problem: 'fires twice, though it is oneshot' });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectMessageGap(): never {
  rejectUet({ what: 'the messages', problem: 'have a gap: all is acknowledged while a later one is not due yet' });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectBusyStart(): never {
  rejectUet({
    what: 'the first message',
    problem: 'cannot leave at its start, as the NIC is busy, where the reference aborts',
  });
}
