/**
 * Work before the next frames. A picture costs more than its script: the browser paints it when the frame ends. So each frame
 * has one picture, or a few milliseconds of other work, and what is left waits for the next frame.
 */

/** Of a frame of 16 ms, for scripts. */
const SHARE_MS = 5;

interface Work {
  readonly act: () => void;
  readonly isPicture: boolean;
}

const waiting: Work[] = [];
let isAsked = false;

/** @param isPicture whether it draws on a canvas. */
export function inNextFrame(act: () => void, isPicture = false): void {
  waiting.push({ act, isPicture });
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
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    next.act();
    if (next.isPicture || performance.now() > untilMs) return;
  }
}
