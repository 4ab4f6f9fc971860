/** Small multiples of line charts as SVG text: columns share their x axis, rows their y axis. */
import { svgDocument, svgElement, svgNumber, svgText } from '../src/view/svg.js';

/** Points (x, y) in the units of the axes. */
export type Curve = [x: number, y: number][];

/** One chart. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** Upper end of the y axis. */
  readonly max: number;
  readonly curves: readonly Curve[];
}

/** Charts in rows. */
export interface Figure {
  readonly title: string;
  readonly description: string;
  readonly rows: readonly { readonly label: string; readonly panels: readonly Panel[] }[];
  readonly maxX: number;
  readonly unitX: string;
}

const WIDTH = 270;
const HEIGHT = 120;
const GAP_X = 28;
const GAP_Y = 34;
const LEFT = 62;
const TOP = 74;
const BOTTOM = 34;
/** Told apart by the colour-blind too, on white and on black. */
const COLOURS = ['#0077bb', '#ee7733', '#009988', '#cc3311'];
const GREY = '#808080';
const MIDDLE = { 'text-anchor': 'middle' };

/** The figure; numbers have one digit behind the point, so that equal runs give equal files. */
export function figureSvg({ title, description, rows, maxX, unitX }: Figure): string {
  const columns = rows[0].panels.length;
  const width = LEFT + columns * (WIDTH + GAP_X);
  const height = TOP + rows.length * (HEIGHT + GAP_Y) - GAP_Y + BOTTOM;
  const charts = rows.flatMap(({ label, panels }, row) =>
    panels.map((panel, column) => {
      const place = `translate(${LEFT + column * (WIDTH + GAP_X)} ${TOP + row * (HEIGHT + GAP_Y)})`;
      const rowLabel = column === 0 ? svgText(0, -8, label) : '';
      const times = row === rows.length - 1 ? xLabels(maxX, unitX) : '';
      const scale = column === 0 ? yLabels(panel) : '';
      return `<g transform="${place}">${rowLabel}${chart(panel, maxX, row === 0)}${scale}${times}</g>`;
    })
  );
  const heading = svgText(LEFT, 20, title, { 'font-size': '14', 'font-weight': '600' });
  return svgDocument({ width, height, title, description, ink: GREY, parts: [heading, ...charts] });
}

function chart({ title, max, curves }: Panel, maxX: number, isFirstRow: boolean): string {
  const heading = isFirstRow ? svgText(WIDTH / 2, -22, title, { ...MIDDLE, 'font-weight': '600' }) : '';
  const grid = [0, 0.5, 1].map((share) => line(0, HEIGHT * share, WIDTH, HEIGHT * share)).join('');
  return heading + grid +
    curves.map((curve, index) => polyline(curve, max, maxX, COLOURS[index % COLOURS.length])).join('');
}

/** A curve without the points that its neighbours on one level make needless. */
function polyline(curve: Curve, max: number, maxX: number, colour: string): string {
  const points = curve.map(([x, y]) =>
    [svgNumber((x / maxX) * WIDTH), svgNumber(HEIGHT * (1 - Math.min(y / max, 1)))] as const
  );
  const isNeeded = (_: unknown, at: number) =>
    points[at - 1]?.[1] !== points[at][1] || points[at + 1]?.[1] !== points[at][1];
  const corners = points.filter(isNeeded).map((point) => point.join(','));
  const style = { 'fill': 'none', 'stroke': colour, 'stroke-width': '1.3' };
  return svgElement('polyline', { ...style, points: corners.join(' ') });
}

function yLabels({ max, unit }: Panel): string {
  const labels = [0, 0.5, 1].map((share) =>
    svgText(-6, HEIGHT * (1 - share) + 4, String(max * share), { 'text-anchor': 'end' })
  );
  return labels.join('') + svgText(-36, HEIGHT / 2 + 18, unit, { ...MIDDLE, 'font-size': '11' });
}

function xLabels(maxX: number, unit: string): string {
  const marks = Array.from({ length: maxX / 2 + 1 }, (_, index) => index * 2);
  return marks.map((x) => svgText((x / maxX) * WIDTH, HEIGHT + 16, `${x}${x === maxX ? ` ${unit}` : ''}`, MIDDLE)).join(
    '',
  );
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return svgElement('path', { 'd': `M${x1} ${y1}L${x2} ${y2}`, 'stroke': GREY, 'stroke-opacity': '0.3' });
}
