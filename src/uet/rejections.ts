/** Errors for runs that the reference aborts or ends early, or does not support, shared by kernel and model. */
import { RoceError, type RoceErrorFields } from '../errors.js';

/** @throws RoceError `invalid-scenario`, always. */
export function rejectRepsTimeout(): never {
  rejectUet({
    what: '-load_balancing_algo reps with -disable_trim',
    problem: 'is not supported after a timeout: the reference simulator ends there',
  });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectSecondFiring(trigger: number): never {
  rejectUet({ what: `trigger ${trigger}`, problem: 'fires twice, although it is oneshot' });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectMessageGap(): never {
  rejectUet({ what: 'the messages', problem: 'have a gap: all data is acknowledged before the next message is due' });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectBusyStart(): never {
  rejectUet({
    what: 'the first message',
    problem: 'cannot be sent at its start because the NIC is busy; the reference simulator aborts',
  });
}

/** @throws RoceError `invalid-scenario`, always. */
export function rejectUet(fields: RoceErrorFields): never {
  throw new RoceError('invalid-scenario', fields);
}
