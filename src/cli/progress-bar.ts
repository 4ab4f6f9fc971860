/** A progress bar, in characters that the terminal supports. */
import { SingleBar } from 'cli-progress';
import type { Environment, OutputStream } from './output.js';
import { inLocale } from './terminal.js';

/** Creates a bar without starting it. `format` is that of cli-progress. */
export function progressBar(stream: OutputStream, format: string, barsize: number, env?: Environment): SingleBar {
  return new SingleBar({
    stream,
    format,
    barCompleteChar: inLocale('█', env),
    barIncompleteChar: inLocale('░', env),
    barsize,
    clearOnComplete: true,
    hideCursor: true,
  });
}
