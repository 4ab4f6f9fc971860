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
  /** Whether it comes before all that is not: what the reader of a slider looks at. */
  readonly isUrgent?: boolean;
  /** Asked before the work is done: work that newer work replaces takes no part of a frame. Left out: it is always wanted. */
  readonly isWanted?: () => boolean;
}

interface Work extends WorkOptions {
  readonly act: () => void;
}

const urgent: Work[] = [];
const others: Work[] = [];
let isAsked = false;

export function inNextFrame(act: () => void, options: WorkOptions = {}): void {
  (options.isUrgent === true ? urgent : others).push({ act, ...options });
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
      if (urgent.length + others.length > 0) ask();
    }
  });
}

function work(): void {
  const untilMs = performance.now() + SHARE_MS;
  let pictures = 0;
  for (let next = first(); next !== undefined; next = first()) {
    if (next.isWanted?.() === false) continue;
    next.act();
    if (next.isPicture === true) pictures++;
    if (pictures === PICTURES_PER_FRAME || performance.now() > untilMs) return;
  }
}

function first(): Work | undefined {
  return urgent.shift() ?? others.shift();
}
