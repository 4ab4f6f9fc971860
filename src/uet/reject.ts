/** Rejection of runs that the reference, or this model of it, does not support. */
import { RoceError, type RoceErrorFields } from '../errors.js';

/** @throws RoceError `invalid-scenario`, always. */
export function rejectUet(fields: RoceErrorFields): never {
  throw new RoceError('invalid-scenario', fields);
}
