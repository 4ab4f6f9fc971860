/** A scene on a canvas, or as SVG. */
import type { Scene } from './scene.js';

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
    // On a ground of its own, as a link may run through it.
    context.strokeStyle = paper;
    context.lineWidth = 4;
    context.strokeText(label, x, labelY);
    context.fillStyle = labelColor;
    context.fillText(label, x, labelY);
  }
}

export function svgOf({ width, height, lines, nodes }: Scene, background: string, title: string): string {
  const n = (value: number): string => String(Number(value.toFixed(2)));
  const shapes = [
    ...lines.map(({ x0, y0, x1, y1, color, width: wide, dash }) =>
      `<line x1="${n(x0)}" y1="${n(y0)}" x2="${n(x1)}" y2="${n(y1)}" stroke="${color}" stroke-width="${n(wide)}"${
        dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''
      }/>`
    ),
    ...nodes.flatMap(({ kind, x, y, radius, fill, stroke, label, labelY, labelColor }) => [
      kind === 'host' ?
        `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" stroke="${stroke}"/>` :
        `<rect x="${n(x - radius)}" y="${n(y - radius)}" width="${n(2 * radius)}" height="${
          n(2 * radius)
        }" fill="${fill}" stroke="${stroke}"/>`,
      ...(label === '' ?
        [] :
        [`<text x="${n(x)}" y="${
          n(labelY)
        }" fill="${labelColor}" stroke="${background}" stroke-width="4" paint-order="stroke" text-anchor="middle">${
          escaped(label)
        }</text>`]),
    ]),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${
    n(height)
  }" font-family="system-ui, sans-serif" font-size="12"><title>${
    escaped(title)
  }</title><rect width="100%" height="100%" fill="${background}"/>${shapes.join('')}</svg>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
