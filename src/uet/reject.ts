/** Rejection of what the reference, or this model of it, does not run. */
import { RoceError, type RoceErrorFields } from '../errors.js';

/** @throws RoceError `invalid-scenario`, always. */
export function rejectUet(fields: RoceErrorFields): never {
  throw new RoceError('invalid-scenario', fields);
}
