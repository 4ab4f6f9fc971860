/**
 * Draws the path of a flow over time as SVG: a row for each node, time from left to right. A packet is a line, level
 * while it waits and sloping while it is on a link. Each node's row shows the queue of the data's egress port, and
 * below it a bar while PFC or an ARN holds that port.
 *
 * The drawing fills the available width: shapes are stretched, words are not. Colours are the page's, or light ones
 * outside a page.
 */
import type { FlowPath, PacketRoute, PathPort } from '../sim/flow-path/flow-path.js';
import { nsText } from './path-words.js';
import { svgDocument, svgElement, svgNumber, svgPath, svgText } from './svg.js';

const [ROW, TOP, BOTTOM] = [52, 44, 34];
const [QUEUE, BAR] = [28, 5];
/** Internal width of the drawing, before stretching. */
const WIDTH = 1000;
const TICKS = 4;
const ENOUGH_DIGITS = 3;

/** Colours by role: the page's, with defaults outside a page. */
export const PATH_COLORS = {
  text: 'var(--text, #1a1f24)',
  muted: 'var(--muted, #4a545e)',
  paper: 'var(--paper, #ffffff)',
  grid: 'var(--grid, #d5dbe1)',
  data: 'var(--data, #0062b8)',
  response: 'var(--response, #b84300)',
  queue: 'var(--queue, #b9c4cf)',
  held: 'var(--held, #8a2f8f)',
} as const;

/** Dashes of the lines, to distinguish them without colours. */
export const PATH_DASHES = { data: '', response: '7 3' } as const;

/** Title of the drawing. */
function pathTitle({ flow, from, to }: FlowPath): string {
  return `Flow ${flow} from ${from} to ${to}: its packet and the response over time`;
}

export function pathSvg(path: FlowPath, sizeText: (bytes: number) => string): string {
  const rows = pathRows(path);
  const height = TOP + (rows.length - 1) * ROW + BOTTOM;
  const yOf = (node: string): number => TOP + rows.indexOf(node) * ROW;
  const axes: Axes = {
    yOf,
    xOf: (timePs) => digits((WIDTH * (timePs - path.fromPs)) / (path.toPs - path.fromPs)),
  };
  const stretched = [
    ...path.ports.map((port) => queueSvg(path, port, axes)),
    ...rows.map((node) => lineSvg(`M0 ${yOf(node)}H${WIDTH}`, PATH_COLORS.grid, 1)),
    ...path.ports.flatMap((port) => heldSvg(path, port, axes)),
    routeSvg(path.data, axes, 'data'),
    ...(path.response === null ? [] : [routeSvg(path.response, axes, 'response')]),
  ];
  return svgDocument({
    width: '100%',
    height,
    title: pathTitle(path),
    paper: PATH_COLORS.paper,
    parts: [
      svgElement('svg', { width: '100%', height, viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none' },
        stretched.join('\n')),
      ...rows.map((node) => wordsSvg(path, node, yOf(node), sizeText)),
      ...markSvg(path, axes),
      ...ticksSvg(path, height),
    ],
  });
}

interface Axes {
  readonly xOf: (timePs: number) => number;
  readonly yOf: (node: string) => number;
}

function lineSvg(d: string, stroke: string, width: number, dash = ''): string {
  const style = { stroke, 'stroke-width': width, 'vector-effect': 'non-scaling-stroke', 'stroke-dasharray': dash };
  return svgPath(d, style);
}

/** Draws a queue relative to its maximum, which the text next to it states. */
function queueSvg(path: FlowPath, { port, queueBytes }: PathPort, { xOf, yOf }: Axes): string {
  const { timesPs, toPs } = path;
  const most = longest(queueBytes);
  if (most === 0) return '';
  const base = yOf(nodeOf(path, port));
  const steps = queueBytes.map((bytes, at) => `H${xOf(timesPs[at] ?? 0)}V${svgNumber(base - (QUEUE * bytes) / most)}`);
  const d = `M${xOf(timesPs[0] ?? 0)} ${base}${steps.join('')}H${xOf(toPs)}V${base}Z`;
  return svgPath(d, { fill: PATH_COLORS.queue });
}

function heldSvg(path: FlowPath, { port, held }: PathPort, { xOf, yOf }: Axes): string[] {
  const shape = { y: yOf(nodeOf(path, port)) + 2, height: BAR, fill: PATH_COLORS.held };
  return held.map(({ fromPs, toPs }) => {
    const x = xOf(fromPs);
    return svgElement('rect', { x, width: Math.max(1, xOf(toPs) - x), ...shape });
  });
}

function routeSvg({ hops }: PacketRoute, { xOf, yOf }: Axes, role: 'data' | 'response'): string {
  const points = hops.flatMap(({ node, peer, arrivedPs, leftPs, reachedPs }) => [
    `${xOf(arrivedPs)} ${yOf(node)}`,
    `${xOf(leftPs)} ${yOf(node)}`,
    `${xOf(reachedPs)} ${yOf(peer)}`,
  ]);
  return lineSvg(`M${points.join('L')}`, PATH_COLORS[role], 2.5, PATH_DASHES[role]);
}

/** A node's name on the left, its queue and what holds its port on the right. */
function wordsSvg(path: FlowPath, node: string, y: number, sizeText: (bytes: number) => string): string {
  const port = path.ports.find((candidate) => nodeOf(path, candidate.port) === node);
  const most = longest(port?.queueBytes ?? []);
  const holders = [...new Set(port?.held.map(({ by }) => (by === 'pfc' ? 'PFC' : 'ARN')) ?? [])];
  const words = [
    ...(most > 0 ? [`queue up to ${sizeText(most)}`] : []),
    ...(holders.length > 0 ? [`held by ${holders.join(' and ')}`] : []),
  ].join(', ');
  const text = (x: string, anchor: string, fill: string, content: string): string =>
    svgText(x, y - QUEUE - 3, content, {
      'text-anchor': anchor,
      fill,
      'stroke': PATH_COLORS.paper,
      'stroke-width': 4,
      'paint-order': 'stroke',
    });
  return text('0', 'start', PATH_COLORS.text, node) +
    (words === '' ? '' : text('100%', 'end', PATH_COLORS.muted, words));
}

/** A ring at the port whose congestion the sender was notified of. */
function markSvg({ data, congestedPort }: FlowPath, { xOf, yOf }: Axes): string[] {
  const hop = data.hops.find(({ port }) => port === congestedPort);
  if (hop === undefined) return [];
  const place = { cx: `${digits(xOf(hop.leftPs) / 10)}%`, cy: yOf(hop.node), r: 5 };
  return [
    svgElement('circle', { ...place, 'fill': PATH_COLORS.paper, 'stroke': PATH_COLORS.data, 'stroke-width': 2.5 }),
  ];
}

/** Times at the bottom; the first and last are aligned with the edges. */
function ticksSvg({ fromPs, toPs }: FlowPath, height: number): string[] {
  return [0, TICKS / 2, TICKS].map((tick) => {
    const share = tick / TICKS;
    const anchor = tick === 0 ? 'start' : tick === TICKS ? 'end' : 'middle';
    const style = { 'text-anchor': anchor, 'fill': PATH_COLORS.muted };
    return svgText(`${100 * share}%`, height - 6, nsText(fromPs + share * (toPs - fromPs)), style);
  });
}

/** The node of the data's egress port. */
function nodeOf({ data }: FlowPath, port: string): string {
  return data.hops.find((hop) => hop.port === port)?.node ?? '';
}

function longest(bytes: readonly number[]): number {
  return bytes.reduce((most, value) => Math.max(most, value), 0);
}

/** Rounds a coordinate, so that equal paths give equal and short text. */
function digits(value: number): number {
  return Number(value.toFixed(ENOUGH_DIGITS));
}

/** Names of nodes in drawing order: sender first, receiver last, nodes of the response's path between them. */
export function pathRows({ data, response }: FlowPath): string[] {
  const rows = [...new Set(data.hops.flatMap(({ node, peer }) => [node, peer]))];
  let above = -1;
  for (const node of nodesHome(response)) {
    const known = rows.indexOf(node);
    if (known >= 0) above = known;
    else rows.splice(++above, 0, node);
  }
  return rows;
}

/** Nodes of the response's path, beginning with the sender. */
function nodesHome(response: FlowPath['response']): string[] {
  if (response === null) return [];
  return [...new Set(response.hops.flatMap(({ node, peer }) => [node, peer]))].reverse();
}
