/** Writes standard output. A reader that closes the pipe early, such as head, is not an error. */
import { isSystemError } from './describe-error.js';
import type { OutputStream } from './output.js';

/** Writes a whole text. @throws system errors, which name standard output. */
export async function writeOut(stream: OutputStream, text: string): Promise<void> {
  if (text === '') return;
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(Object.assign(error, { path: 'standard output' }));
      else resolve();
    });
  });
}

/** Whether the error means that the reader has closed the pipe. */
export function isReaderGone(error: unknown): boolean {
  return isSystemError(error, 'EPIPE');
}

/**
 * Writes a whole text, unless its reader has closed the pipe.
 *
 * @param onFailure called with any other error.
 * @returns whether it was written.
 */
export async function writeOutOr(stream: OutputStream, text: string,
  onFailure: (error: unknown) => void): Promise<boolean> {
  try {
    await writeOut(stream, text);
    return true;
  } catch (error) {
    if (!isReaderGone(error)) onFailure(error);
    return false;
  }
}
