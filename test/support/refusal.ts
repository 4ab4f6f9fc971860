/** What a call or a promise is refused with. */
import { RoceError } from '../../src/errors.js';

/** @throws what is no RoceError, and an error if nothing is refused. */
export function refusalOf(make: () => unknown): RoceError {
  try {
    make();
  } catch (error) {
    return roceError(error);
  }
  throw new Error('not refused');
}

/** The same of what is read asynchronously. */
export function rejectionOf(reading: Promise<unknown>): Promise<RoceError> {
  return reading.then(() => {
    throw new Error('not refused');
  }, roceError);
}

function roceError(error: unknown): RoceError {
  if (error instanceof RoceError) return error;
  throw error;
}
