/** Frames of the page, counted by their length: so that anybody can see whether it stays alive. */

declare global {
  interface Window {
    /** Lengths of all frames since the page was opened, milliseconds. */
    labFrames: number[];
    /** Lengths of the page's own tasks of 50 ms and more, where the browser tells them, milliseconds. */
    labTasks: number[];
  }
}

const KEPT = 20_000;

export function watchFrames(): void {
  window.labFrames = [];
  window.labTasks = [];
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
