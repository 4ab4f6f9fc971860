/** Writes SVG as text: documents, and shapes by their attributes. Equal drawings give equal text. */
import { escapeHtml } from './format.js';

/** Attributes by name. Numbers are coordinates; undefined and empty ones are omitted. */
export type SvgAttributes = Readonly<Record<string, string | number | undefined>>;

/** Rounds a coordinate to one decimal: a tenth of a pixel. */
export function svgNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** An element. @param content SVG inside it, such as a `<title>` from `svgTitle`. */
export function svgElement(name: string, attributes: SvgAttributes, content = ''): string {
  const start = `<${name}${Object.entries(attributes).map(attributeText).join('')}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

function attributeText([name, value]: readonly [string, string | number | undefined]): string {
  if (value === undefined || value === '') return '';
  return ` ${name}="${typeof value === 'number' ? svgNumber(value) : escapeHtml(value)}"`;
}

/** A line of text at a point of its baseline. */
export function svgText(x: number | string, y: number, text: string, attributes: SvgAttributes = {}): string {
  return svgElement('text', { x, y, ...attributes }, escapeHtml(text));
}

/** An open or closed path, not filled unless the attributes say so. */
export function svgPath(d: string, attributes: SvgAttributes): string {
  return svgElement('path', { d, fill: 'none', ...attributes });
}

/** Wide enough for most text of 12 px without a serif. */
const LETTER_PX = 7.2;
const LEGEND_GAP_PX = 18;

/**
 * Places the entries of a legend next to each other, in as many rows as the width requires.
 *
 * @param entries each with its label and the width of the sign before it.
 */
export function legendPlaces(entries: readonly { readonly label: string; readonly signPx: number }[], left: number,
  right: number): readonly { readonly x: number; readonly row: number }[] {
  let [x, row] = [left, 0];
  return entries.map(({ label, signPx }) => {
    const width = signPx + label.length * LETTER_PX;
    if (x > left && x + width > right) [x, row] = [left, row + 1];
    const place = { x, row };
    x += width + LEGEND_GAP_PX;
    return place;
  });
}

/** Title of a document or tooltip of a shape. */
export function svgTitle(text: string): string {
  return svgElement('title', {}, escapeHtml(text));
}

/** A drawing as a file: its size in pixels or percent, its title, and the colors of its paper and of text without another color. */
export interface SvgDocument {
  readonly width: number | '100%';
  readonly height: number;
  readonly title: string;
  readonly description?: string;
  readonly paper?: string;
  readonly ink?: string;
  readonly parts: readonly string[];
}

/** The content of an SVG file. */
export function svgDocument({ width, height, title, description, paper, ink, parts }: SvgDocument): string {
  const described = description === undefined ? '' : svgElement('desc', {}, escapeHtml(description));
  const content = [
    svgTitle(title) + described,
    paper === undefined ? '' : svgElement('rect', { width: '100%', height: '100%', fill: paper }),
    ...parts,
  ];
  return `${
    svgElement('svg', {
      'xmlns': 'http://www.w3.org/2000/svg',
      // Without a size in pixels the shapes have their own coordinates.
      'viewBox': typeof width === 'number' ? `0 0 ${svgNumber(width)} ${svgNumber(height)}` : undefined,
      width,
      height,
      'font-family': 'system-ui, sans-serif',
      'font-size': '12',
      'fill': ink,
      'role': 'img',
    }, `\n${content.filter((part) => part !== '').join('\n')}\n`)
  }\n`;
}
