/** Small multiples of line charts as SVG text: columns share their x axis, rows their y axis. */

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

/** The figure; numbers have one digit behind the point, so that equal runs give equal files. */
export function figureSvg({ title, description, rows, maxX, unitX }: Figure): string {
  const columns = rows[0].panels.length;
  const width = LEFT + columns * (WIDTH + GAP_X);
  const height = TOP + rows.length * (HEIGHT + GAP_Y) - GAP_Y + BOTTOM;
  const charts = rows.flatMap(({ label, panels }, row) =>
    panels.map((panel, column) => {
      const place = `translate(${LEFT + column * (WIDTH + GAP_X)} ${TOP + row * (HEIGHT + GAP_Y)})`;
      const rowLabel = column === 0 ? text(0, -8, label) : '';
      const times = row === rows.length - 1 ? xLabels(maxX, unitX) : '';
      const scale = column === 0 ? yLabels(panel) : '';
      return `<g transform="${place}">${rowLabel}${chart(panel, maxX, row === 0)}${scale}${times}</g>`;
    })
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
    ` font-family="system-ui, sans-serif" font-size="12" fill="${GREY}" role="img">`,
    `<title>${title}</title><desc>${description}</desc>`,
    text(LEFT, 20, title, 'font-size="14" font-weight="600"'),
    ...charts,
    '</svg>\n',
  ].join('\n');
}

function chart({ title, max, curves }: Panel, maxX: number, isFirstRow: boolean): string {
  const heading = isFirstRow ? text(WIDTH / 2, -22, title, 'text-anchor="middle" font-weight="600"') : '';
  const grid = [0, 0.5, 1].map((share) => line(0, HEIGHT * share, WIDTH, HEIGHT * share)).join('');
  return heading + grid +
    curves.map((curve, index) => polyline(curve, max, maxX, COLOURS[index % COLOURS.length])).join('');
}

/** A curve without the points that its neighbours on one level make needless. */
function polyline(curve: Curve, max: number, maxX: number, colour: string): string {
  const points = curve.map(([x, y]) =>
    [round((x / maxX) * WIDTH), round(HEIGHT * (1 - Math.min(y / max, 1)))] as const
  );
  const isNeeded = (_: unknown, at: number) =>
    points[at - 1]?.[1] !== points[at][1] || points[at + 1]?.[1] !== points[at][1];
  const corners = points.filter(isNeeded).map((point) => point.join(','));
  return `<polyline fill="none" stroke="${colour}" stroke-width="1.3" points="${corners.join(' ')}"/>`;
}

function yLabels({ max, unit }: Panel): string {
  const labels = [0, 0.5, 1].map((share) =>
    text(-6, HEIGHT * (1 - share) + 4, String(max * share), 'text-anchor="end"')
  );
  return labels.join('') + text(-36, HEIGHT / 2 + 18, unit, 'text-anchor="middle" font-size="11"');
}

function xLabels(maxX: number, unit: string): string {
  const marks = Array.from({ length: maxX / 2 + 1 }, (_, index) => index * 2);
  return marks.map((x) =>
    text((x / maxX) * WIDTH, HEIGHT + 16, `${x}${x === maxX ? ` ${unit}` : ''}`, 'text-anchor="middle"')
  )
    .join('');
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${GREY}" stroke-opacity="0.3"/>`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${content}</text>`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
