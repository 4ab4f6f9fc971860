/** Records the length of the page's frames, so that anybody can see whether it stays responsive. */

/** One drawing of a chart. */
export interface ChartDraw {
  readonly chart: string;
  /** Time from new data to the picture, milliseconds. */
  readonly ms: number;
  /** Time of the drawing, milliseconds since the page was opened. */
  readonly atMs: number;
}

declare global {
  interface Window {
    /** Lengths of all frames since the page was opened, milliseconds. */
    labFrames: number[];
    /** Lengths of the page's own tasks of at least 50 ms, if the browser reports them, milliseconds. */
    labTasks: number[];
    /** Drawings of charts, in order. */
    labDraws: ChartDraw[];
  }
}

const KEPT = 20_000;

/** @param ms time that the chart took. */
export function noteDraw(chart: string, ms: number): void {
  if (window.labDraws.length < KEPT) window.labDraws.push({ chart, ms, atMs: performance.now() });
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
