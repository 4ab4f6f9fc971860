/** A progress bar on a terminal, for files that take a while. */
import type { SingleBar } from 'cli-progress';
import type { Environment, OutputStream } from '../output.js';
import { progressBar } from '../progress-bar.js';
import { formatCount } from '../format.js';

/** Delay before the bar appears: short files need none. */
const SHOW_AFTER_MS = 400;
const PERCENT = 100;
const BAR_FORMAT = '{bar} {percentage} % | {frames} frames';
const BAR_CHARACTERS = 30;

export interface Progress {
  update(sourceBytes: number, frames: number): void;
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined };

/**
 * @param sizeBytes length of the file as stored; 0 if unknown: shows no bar.
 */
export function startProgress(stream: OutputStream, sizeBytes: number, env?: Environment,
  nowMs: () => number = () => performance.now()): Progress {
  if (stream.isTTY !== true || sizeBytes === 0) return NO_PROGRESS;
  const beganMs = nowMs();
  let bar: SingleBar | undefined;
  return {
    update(sourceBytes, frames) {
      if (bar === undefined && nowMs() - beganMs < SHOW_AFTER_MS) return;
      const payload = { frames: formatCount(frames) };
      if (bar === undefined) {
        bar = progressBar(stream, BAR_FORMAT, BAR_CHARACTERS, env);
        bar.start(PERCENT, 0, payload);
      }
      bar.update(Math.floor((PERCENT * sourceBytes) / sizeBytes), payload);
    },
    stop() {
      bar?.stop();
    },
  };
}
