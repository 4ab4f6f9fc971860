/** Standard output: written, or an error that names it. */
import { once } from 'node:events';
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

/** Waits until a stream takes more. @throws the error for which it never will. */
export async function drained(stream: OutputStream): Promise<void> {
  const { errored } = stream as { readonly errored?: Error | null };
  if (errored) throw Object.assign(errored, { path: 'standard output' });
  await once(stream, 'drain');
}
