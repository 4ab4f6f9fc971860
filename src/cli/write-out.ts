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

/** Whether the error means that the reader of standard output is gone. */
export function isReaderGone(error: unknown): boolean {
  return isSystemError(error, 'EPIPE');
}

/**
 * Writes all of a text, unless its reader is gone.
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
