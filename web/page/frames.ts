/** Frames of the page, counted by their length: so that anybody can see whether it stays alive. */

declare global {
  interface Window {
    /** Lengths of all frames since the page was opened, milliseconds. */
    labFrames: number[];
    /** Lengths of the page's own tasks of 50 ms and more, where the browser reports them, milliseconds. */
    labTasks: number[];
    /** Time from new data to the picture of the chart of rates, milliseconds. */
    labDraws: number[];
  }
}

const KEPT = 20_000;

/** @param ms that a chart took. */
export function noteDraw(ms: number): void {
  if (window.labDraws.length < KEPT) window.labDraws.push(ms);
}

export function watchFrames(): void {
  window.labFrames = [];
  window.labTasks = [];
  window.labDraws = [];
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    new PerformanceObserver((list) => {
      window.labTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
  }
  let last = performance.now();
  const tick = (now: number): void => {
    if (document.visibilityState === 'visible' && window.labFrames.length < KEPT) window.labFrames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
