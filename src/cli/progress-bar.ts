/** A progress bar on a terminal, in the characters that it supports. */
import { SingleBar } from 'cli-progress';
import type { Environment, OutputStream } from './output.js';
import { inLocale } from './terminal.js';

/** A bar that is not started yet. `format`: as in cli-progress. */
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
