/**
 * Work before the next frames. A picture costs more than its script: the browser paints it when the frame ends. So each frame
 * has a few milliseconds of work and a few pictures at most, and what is left waits for the next frame.
 */

/** Of a frame of 16 ms, for scripts. */
const SHARE_MS = 5;
const PICTURES_PER_FRAME = 2;

export interface WorkOptions {
  /** Whether it draws on a canvas. */
  readonly isPicture?: boolean;
  /** Asked before the work is done: work that newer work replaces takes no part of a frame. Left out: it is always wanted. */
  readonly isWanted?: () => boolean;
}

interface Work extends WorkOptions {
  readonly act: () => void;
}

const waiting: Work[] = [];
let isAsked = false;

export function inNextFrame(act: () => void, options: WorkOptions = {}): void {
  waiting.push({ act, ...options });
  ask();
}

function ask(): void {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    try {
      work();
    } finally {
      if (waiting.length > 0) ask();
    }
  });
}

function work(): void {
  const untilMs = performance.now() + SHARE_MS;
  let pictures = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next.isWanted?.() === false) continue;
    next.act();
    if (next.isPicture === true) pictures++;
    if (pictures === PICTURES_PER_FRAME || performance.now() > untilMs) return;
  }
}
