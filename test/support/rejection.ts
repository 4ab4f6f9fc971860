/** Returns the error with which a call or a promise is rejected. */
import { RoceError } from '../../src/errors.js';

/** @throws any error that is not a RoceError, and an error if nothing is rejected. */
export function rejectionOf(make: () => unknown): RoceError {
  try {
    make();
  } catch (error) {
    return roceError(error);
  }
  throw new Error('not rejected');
}

/** The same for asynchronous reads. */
export function asyncRejectionOf(reading: Promise<unknown>): Promise<RoceError> {
  return reading.then(() => {
    throw new Error('not rejected');
  }, roceError);
}

function roceError(error: unknown): RoceError {
  if (error instanceof RoceError) return error;
  throw error;
}
