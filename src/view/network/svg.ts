/** Writes a scene as SVG, with a legend below it. */
import { escapeHtml } from '../format.js';
import { PAUSED_DASH, PORT_STATES, stateColor, WIDTH_WORDS, type NetworkColors, type Scene } from './scene.js';

const LEGEND_PX = { row: 18, pad: 10, swatch: 24, gap: 6, between: 18, letter: 7.2, left: 16 };

export interface SceneWords {
  readonly title: string;
  /** Tooltip of this port's line; empty for none. */
  readonly ofPort?: (port: number) => string;
}

export function sceneSvg({ width, height, lines, nodes }: Scene, colors: NetworkColors,
  { title, ofPort }: SceneWords): string {
  const legend = legendSvg(width, height, colors);
  const whole = height + legend.height;
  const shapes = [
    ...lines.map(({ x0, y0, x1, y1, color, width: wide, dash, port }) => {
      const words = port < 0 ? '' : ofPort?.(port) ?? '';
      const line = `<line x1="${n(x0)}" y1="${n(y0)}" x2="${n(x1)}" y2="${n(y1)}" stroke="${color}" stroke-width="${
        n(wide)
      }"${dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''}`;
      return words === '' ? `${line}/>` : `${line}><title>${escapeHtml(words)}</title></line>`;
    }),
    ...nodes.flatMap((node) => [nodeSvg(node), labelSvg(node, colors.paper)]),
    ...legend.shapes,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(width)} ${n(whole)}" width="${n(width)}" height="${
    n(whole)
  }" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>${escapeHtml(title)}</title>
<rect width="100%" height="100%" fill="${colors.paper}"/>
${shapes.filter((shape) => shape !== '').join('\n')}
</svg>
`;
}

function nodeSvg({ kind, x, y, radius, fill, stroke, name }: Scene['nodes'][number]): string {
  const style = `fill="${fill}" stroke="${stroke}" stroke-width="1.5"`;
  const title = `<title>${escapeHtml(name)}</title>`;
  return kind === 'host' ?
    `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" ${style}>${title}</circle>` :
    `<rect x="${n(x - radius)}" y="${n(y - radius)}" width="${n(2 * radius)}" height="${
      n(2 * radius)
    }" ${style}>${title}</rect>`;
}

/** A label with a background, as a link may run behind it. */
function labelSvg({ label, x, labelY, labelColor }: Scene['nodes'][number], paper: string): string {
  return label === '' ?
    '' :
    `<text x="${n(x)}" y="${
      n(labelY)
    }" fill="${labelColor}" stroke="${paper}" stroke-width="4" paint-order="stroke" text-anchor="middle">${
      escapeHtml(label)
    }</text>`;
}

/** The legend, in as many rows as the width requires. */
function legendSvg(width: number, top: number, colors: NetworkColors): { shapes: string[]; height: number } {
  const { row, pad, swatch, gap, between, letter, left } = LEGEND_PX;
  let [x, y] = [left, top + row / 2];
  const place = (wide: number): readonly [number, number] => {
    if (x > left && x + wide > width) [x, y] = [left, y + row];
    const at = [x, y] as const;
    x += wide + between;
    return at;
  };
  const entries = PORT_STATES.flatMap(([state, words]) => {
    const [at, level] = place(swatch + gap + words.length * letter);
    const dash = state === 'paused' ? ` stroke-dasharray="${PAUSED_DASH.join(' ')}"` : '';
    const color = stateColor(state, colors);
    return [
      `<line x1="${n(at)}" y1="${n(level)}" x2="${n(at + swatch)}" y2="${
        n(level)
      }" stroke="${color}" stroke-width="4"${dash}/>`,
      wordsSvg(at + swatch + gap, level, words, colors),
    ];
  });
  const [at, level] = place(WIDTH_WORDS.length * letter);
  return { shapes: [...entries, wordsSvg(at, level, WIDTH_WORDS, colors)], height: y + row / 2 + pad - top };
}

function wordsSvg(x: number, y: number, words: string, { text }: NetworkColors): string {
  return `<text x="${n(x)}" y="${n(y + 4)}" fill="${text}">${escapeHtml(words)}</text>`;
}

/** Formats a coordinate with two decimals, so that equal runs give equal files. */
function n(value: number): string {
  return String(Number(value.toFixed(2)));
}
