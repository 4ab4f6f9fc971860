/** Writes a scene as SVG, with a legend below it. */
import { legendPlaces, svgDocument, svgElement, svgText, svgTitle, type SvgAttributes } from '../svg.js';
import { PAUSED_DASH, PORT_STATES, stateColor, WIDTH_WORDS, type NetworkColors, type Scene } from './scene.js';

const LEGEND_PX = { row: 18, pad: 10, swatch: 24, gap: 6, left: 16 };

export interface SceneWords {
  readonly title: string;
  /** Tooltip of this port's line; empty for none. */
  readonly ofPort?: (port: number) => string;
}

export function sceneSvg({ width, height, lines, nodes }: Scene, colors: NetworkColors,
  { title, ofPort }: SceneWords): string {
  const legend = legendSvg(width, height, colors);
  const shapes = [
    ...lines.map(({ x0, y0, x1, y1, color, width: wide, dash, port }) => {
      const words = port < 0 ? '' : ofPort?.(port) ?? '';
      return lineSvg([x0, y0, x1, y1], { 'stroke': color, 'stroke-width': wide }, dash, words);
    }),
    ...nodes.flatMap((node) => [nodeSvg(node), labelSvg(node, colors.paper)]),
    ...legend.shapes,
  ];
  return svgDocument({ width, height: height + legend.height, title, paper: colors.paper, parts: shapes });
}

/** A line between two points. @param words tooltip; empty for none. */
function lineSvg([x1, y1, x2, y2]: readonly [number, number, number, number], style: SvgAttributes,
  dash: readonly number[] = [], words = ''): string {
  return svgElement('line', { x1, y1, x2, y2, ...style, 'stroke-dasharray': dash.join(' ') },
    words === '' ? '' : svgTitle(words));
}

function nodeSvg({ kind, x, y, radius, fill, stroke, name }: Scene['nodes'][number]): string {
  const style = { fill, stroke, 'stroke-width': 1.5 };
  return kind === 'host' ?
    svgElement('circle', { cx: x, cy: y, r: radius, ...style }, svgTitle(name)) :
    svgElement('rect', { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, ...style },
      svgTitle(name));
}

/** A label with a background, as a link may run behind it. */
function labelSvg({ label, x, labelY, labelColor }: Scene['nodes'][number], paper: string): string {
  return label === '' ? '' : svgText(x, labelY, label, {
    'fill': labelColor,
    'stroke': paper,
    'stroke-width': 4,
    'paint-order': 'stroke',
    'text-anchor': 'middle',
  });
}

/** The legend below the drawing. */
function legendSvg(width: number, top: number, colors: NetworkColors): { shapes: string[]; height: number } {
  const { row, pad, swatch, gap, left } = LEGEND_PX;
  const entries = [
    ...PORT_STATES.map(([state, label]) => ({ label, state, signPx: swatch + gap })),
    { label: WIDTH_WORDS, state: undefined, signPx: 0 },
  ];
  const places = legendPlaces(entries, left, width);
  const shapes = entries.flatMap(({ label, state, signPx }, index) => {
    const { x, row: number } = places[index];
    const y = top + row * (number + 0.5);
    const words = svgText(x + signPx, y + 4, label, { fill: colors.text });
    if (state === undefined) return [words];
    const style = { 'stroke': stateColor(state, colors), 'stroke-width': 4 };
    return [lineSvg([x, y, x + swatch, y], style, state === 'paused' ? PAUSED_DASH : []), words];
  });
  return { shapes, height: row * ((places.at(-1)?.row ?? 0) + 1) + pad };
}
