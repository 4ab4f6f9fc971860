/** A scene on a canvas. */
import type { Palette } from '../../../src/charts/palette.js';
import type { Scene } from '../../../src/view/network/scene.js';
import { namePlace } from './name-place.js';

const FONT = '12px system-ui, sans-serif';

/** @param paper colour of the ground. */
export function drawScene(context: CanvasRenderingContext2D, { width, height, lines, nodes }: Scene,
  paper: string): void {
  context.clearRect(0, 0, width, height);
  context.lineCap = 'butt';
  for (const line of lines) {
    context.strokeStyle = line.color;
    context.lineWidth = line.width;
    context.setLineDash([...line.dash]);
    context.beginPath();
    context.moveTo(line.x0, line.y0);
    context.lineTo(line.x1, line.y1);
    context.stroke();
  }
  context.setLineDash([]);
  context.font = FONT;
  context.textAlign = 'center';
  for (const { kind, x, y, radius, fill, stroke, label, labelY, labelColor } of nodes) {
    context.beginPath();
    if (kind === 'host') context.arc(x, y, radius, 0, 2 * Math.PI);
    else context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = stroke;
    context.lineWidth = 1.5;
    context.stroke();
    if (label === '') continue;
    // On a background, as a link may run through it.
    context.strokeStyle = paper;
    context.lineWidth = 4;
    context.strokeText(label, x, labelY);
    context.fillStyle = labelColor;
    context.fillText(label, x, labelY);
  }
}

const BOTTLENECK = 'bottleneck';
const HALO_PX = 10;
const PAD_PX = 2;

/** A halo around the port's half of its link, and its name next to it, where it covers least. */
export function drawBottleneck(context: CanvasRenderingContext2D, scene: Scene, port: number,
  { paper, text, full }: Palette): void {
  const line = scene.lines.find((one) => one.port === port && one.width > 0);
  if (line === undefined) return;
  context.save();
  context.globalAlpha = 0.25;
  context.lineCap = 'round';
  context.strokeStyle = full;
  context.lineWidth = line.width + HALO_PX;
  context.beginPath();
  context.moveTo(line.x0, line.y0);
  context.lineTo(line.x1, line.y1);
  context.stroke();
  context.restore();
  context.font = `600 ${FONT}`;
  context.textAlign = 'left';
  const { x, y, width, height } = namePlace(scene, line, context.measureText(BOTTLENECK).width);
  context.fillStyle = paper;
  context.fillRect(x, y, width, height);
  context.fillStyle = text;
  context.fillText(BOTTLENECK, x + PAD_PX, y + height - PAD_PX - 1);
}
