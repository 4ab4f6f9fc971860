/** Draws vertical lines at the instants at which settings change. */
import type uPlot from 'uplot';
import { palette } from './palette.js';

const DASH = [4, 3] as const;

export function drawMoments(plot: uPlot, momentsPs: readonly number[]): void {
  if (momentsPs.length === 0) return;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = palette().text;
  ctx.lineWidth = scale;
  ctx.setLineDash(DASH.map((part) => part * scale));
  for (const timePs of momentsPs) {
    const x = plot.valToPos(timePs, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
