/** Standard output: written, or an error that names it. A reader that has seen enough, such as head, is no error. */
import { isSystemError } from './describe-error.js';
import type { OutputStream } from './output.js';

/** Writes all of a text. @throws errors of the system, which name standard output. */
export async function writeOut(stream: OutputStream, text: string): Promise<void> {
  if (text === '') return;
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(Object.assign(error, { path: 'standard output' }));
      else resolve();
    });
  });
}

/** Does the error say that nobody reads standard output any more? */
export function isReaderGone(error: unknown): boolean {
  return isSystemError(error, 'EPIPE');
}

/**
 * Writes all of a text, unless nobody reads it any more.
 *
 * @param onFailure is called with any other error.
 * @returns was it written?
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
