/** Draws a scene on a canvas. */
import type { Palette } from '../../../src/view/charts/palette.js';
import type { Scene } from '../../../src/view/network/scene.js';
import type { Limit } from '../ports/bottleneck.js';
import { namePlace } from './name-place.js';

const FONT = '12px system-ui, sans-serif';

/** @param paper background colour. */
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
    // An outline in the background colour, as a link may run behind the label.
    context.strokeStyle = paper;
    context.lineWidth = 4;
    context.strokeText(label, x, labelY);
    context.fillStyle = labelColor;
    context.fillText(label, x, labelY);
  }
}

const HALO_PX = 10;
const PAD_PX = 2;

/** Draws a halo around each port's half of its link, and the name next to the first where it hides least. */
export function drawLimit(context: CanvasRenderingContext2D, scene: Scene, { ports, name }: Limit,
  { paper, text, full }: Palette): void {
  const lines = ports.flatMap((port) => scene.lines.find((line) => line.port === port && line.width > 0) ?? []);
  context.save();
  context.globalAlpha = 0.25;
  context.lineCap = 'round';
  context.strokeStyle = full;
  for (const { x0, y0, x1, y1, width } of lines) {
    context.lineWidth = width + HALO_PX;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
  }
  context.restore();
  const [first] = lines;
  if (first === undefined) return;
  context.font = `600 ${FONT}`;
  context.textAlign = 'left';
  const { x, y, width, height } = namePlace(scene, first, context.measureText(name).width);
  context.fillStyle = paper;
  context.fillRect(x, y, width, height);
  context.fillStyle = text;
  context.fillText(name, x + PAD_PX, y + height - PAD_PX - 1);
}
