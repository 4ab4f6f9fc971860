/**
 * Draws bar charts as SVG when the site is built. Colours are classes of the page's style, so that they follow the
 * theme.
 */
import { escapeHtml } from '../../src/view/format.js';
import { svgElement, svgNumber, svgText } from '../../src/view/svg.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Whether it is the base of the comparison. */
  readonly isBase?: boolean;
}

/** A bar chart with one unit. */
export interface BarChart {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

/** Width in pixels. Labels are above their bars, so that a chart fits on a phone. */
const WIDTH = 480;
const LEFT = 8;
const VALUE_WIDTH = 72;
const ROW_HEIGHT = 38;
const LABEL_HEIGHT = 19;
const BAR_HEIGHT = 13;
const AXIS_HEIGHT = 44;
/** Bars longer than this multiple of the median are cut, which the caption states. */
const CUT_FACTOR = 6;
const TICKS = 4;

/** Draws the chart, with the values as text as well. */
export function barChart({ title, unit, bars }: BarChart): string {
  const max = axisEnd(bars.map(({ value }) => value));
  const plot = WIDTH - LEFT - VALUE_WIDTH;
  const height = bars.length * ROW_HEIGHT + AXIS_HEIGHT;
  const rows = bars.map((bar, row) => barRow(bar, row, max, plot));
  const cut = bars.some(({ value }) => value > max) ? '; a bar with a gap is longer than drawn' : '';
  const words = bars.map(({ label, value }) => `${label} ${numberText(value)}`).join('; ');
  const drawing = svgElement('svg', {
    'viewBox': `0 0 ${WIDTH} ${height}`,
    'role': 'img',
    'aria-label': `${title}, ${unit}: ${words}`,
  }, ['', ticksOf(max, plot, height, unit), ...rows, ''].join('\n'));
  const caption = escapeHtml(`${title}, ${unit}; shorter is better${cut}`);
  return `<figure class="chart">${drawing}<figcaption>${caption}</figcaption></figure>\n`;
}

function barRow({ label, value, isBase = false }: Bar, row: number, max: number, plot: number): string {
  const y = row * ROW_HEIGHT + LABEL_HEIGHT;
  const width = Math.max(1, Math.min(value / max, 1) * plot);
  const gap = `M${svgNumber(LEFT + width - 18)} ${y + BAR_HEIGHT}l5 -${BAR_HEIGHT}h5l-5 ${BAR_HEIGHT}z`;
  return [
    svgText(LEFT, y - 5, label, { class: 'label' }),
    svgElement('rect', { class: isBase ? 'base' : 'bar', x: LEFT, y, width, height: BAR_HEIGHT }),
    value > max ? svgElement('path', { class: 'cut', d: gap }) : '',
    svgText(LEFT + width + 6, y + BAR_HEIGHT - 2, numberText(value), { class: 'value' }),
  ].join('');
}

function ticksOf(max: number, plot: number, height: number, unit: string): string {
  const bottom = height - AXIS_HEIGHT + 4;
  const style = { 'class': 'axis', 'text-anchor': 'middle' };
  const lines = Array.from({ length: TICKS + 1 }, (_, index) => {
    const x = LEFT + (index / TICKS) * plot;
    const tick = svgElement('path', { class: 'tick', d: `M${svgNumber(x)} ${bottom - 6}V${bottom}` });
    return tick + svgText(x, bottom + 14, numberText((index / TICKS) * max), style);
  });
  return lines.join('') + svgText(LEFT + plot / 2, bottom + 32, unit, style);
}

/** End of the axis: a round number that includes all bars except those that would make the others too small to see. */
function axisEnd(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  const longest = Math.max(...sorted.filter((value) => value <= median * CUT_FACTOR));
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find((factor) => factor * power >= longest) ?? 10;
  return step * power;
}

/** Formats a value; integers keep all digits, as in the table. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Number(value.toPrecision(4)).toLocaleString('en');
}
