/**
 * Schedules work before frames. A picture costs more than its script's time, as the browser paints it at the end of the
 * frame. So each frame gets a few milliseconds of work and a few pictures at most; the rest waits for the next frame.
 */
/** Share of a 16 ms frame for scripts. */
const SHARE_MS = 5;
const PICTURES_PER_FRAME = 2;

export interface WorkOptions {
  /** Whether it draws on a canvas. */
  readonly isPicture?: boolean;
  /** Whether it goes before work that is not urgent: for what the user is watching while moving a slider. */
  readonly isUrgent?: boolean;
  /** Called before the work is done, to skip work that newer work replaces. Absent: always wanted. */
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
