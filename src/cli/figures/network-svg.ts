/**
 * The network of a result as SVG: hosts at the bottom, switches above by their distance from hosts. A link is as wide as its
 * longer queue compared with the longest of all; a link on which something was paused is dashed and of another colour.
 */
import type { FlowResult, PortResult, SimResult } from '../../sim/result.js';
import { formatBytes, formatDuration, formatRate } from '../format.js';
import { escapeHtml } from '../../view/escape.js';

/** More nodes than that are no drawing any more. */
export const NODES_MAX = 320;

const [WIDTH, TIER, PAD] = [960, 110, 44];
const [LEAST_PX, MOST_PX] = [1, 9];
const NAMES_MAX = 40;
const QUEUED = '#b84300';
const PAUSED = '#b00040';
const IDLE = '#7d8893';

/** A node, and where it stands. */
interface Node {
  readonly name: string;
  readonly isHost: boolean;
  readonly peers: string[];
  tier: number;
  x: number;
}

/** Both directions of a link. */
interface Link {
  readonly from: string;
  readonly to: string;
  readonly ports: readonly PortResult[];
}

/** Empty: there are no ports, or too many nodes to be drawn. */
export function networkSvg({ ports, flows, scenario }: SimResult): string {
  const nodes = nodesOf(ports, flows);
  if (nodes.size === 0 || nodes.size > NODES_MAX) return '';
  const tiers = placeNodes([...nodes.values()]);
  const links = linksOf(ports);
  const longest = ports.reduce((most, { maxQueueBytes }) => Math.max(most, maxQueueBytes), 1);
  const height = 2 * PAD + (tiers - 1) * TIER + 30;
  const yOf = ({ tier }: Node): number => PAD + (tiers - 1 - tier) * TIER;
  const hostCount = [...nodes.values()].filter(({ isHost }) => isHost).length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"` +
    ' font-family="system-ui, sans-serif" font-size="12" role="img">',
    `<title>${escapeHtml(`${scenario.name}: the network`)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...links.map((link) => linkSvg(link, nodes, longest, yOf)),
    ...[...nodes.values()].map((node) => nodeSvg(node, yOf(node), !node.isHost || hostCount <= NAMES_MAX)),
    legendSvg(height - 12),
    '</svg>\n',
  ].join('\n');
}

function nodesOf(ports: readonly PortResult[], flows: readonly FlowResult[]): Map<string, Node> {
  const ends = new Set(flows.flatMap(({ from, to }) => [from, to]));
  const nodes = new Map<string, Node>();
  const counts = new Map<string, number>();
  for (const { node } of ports) counts.set(node, (counts.get(node) ?? 0) + 1);
  for (const { node, peer, kminBytes, minPauseThresholdBytes } of ports) {
    // Who sends or receives is a host; so is who has one port, unless it does what only switches do.
    const isSwitch = kminBytes !== undefined || minPauseThresholdBytes !== undefined || (counts.get(node) ?? 0) > 1;
    const found = nodes.get(node) ?? { name: node, isHost: ends.has(node) || !isSwitch, peers: [], tier: -1, x: 0 };
    found.peers.push(peer);
    nodes.set(node, found);
  }
  // Results made by hand may lack the other direction.
  for (const { node, peer } of ports) {
    if (!nodes.has(peer)) nodes.set(peer, { name: peer, isHost: ends.has(peer), peers: [node], tier: -1, x: 0 });
  }
  return nodes;
}

/** Hosts are tier 0; a switch is one above the nearest node below it. @returns the number of tiers. */
function placeNodes(nodes: readonly Node[]): number {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  let front = nodes.filter(({ isHost }) => isHost);
  for (const node of front) node.tier = 0;
  for (let tier = 1; front.length > 0; tier++) {
    const next = front.flatMap(({ peers }) => peers.flatMap((name) => byName.get(name) ?? []));
    front = [...new Set(next)].filter((node) => node.tier < 0);
    for (const node of front) node.tier = tier;
  }
  for (const node of nodes) node.tier = Math.max(0, node.tier);
  const tiers = Math.max(...nodes.map(({ tier }) => tier)) + 1;
  for (let tier = 0; tier < tiers; tier++) spread(nodes.filter((node) => node.tier === tier), byName);
  return tiers;
}

/** Above the middle of what hangs below, evenly spread. */
function spread(row: readonly Node[], byName: ReadonlyMap<string, Node>): void {
  const middle = (node: Node): number => {
    const below = node.peers.flatMap((name) => byName.get(name) ?? []).filter(({ tier }) => tier < node.tier);
    return below.reduce((sum, { x }) => sum + x, 0) / Math.max(1, below.length);
  };
  const order = row.map((node, index) => ({ node, at: middle(node), index })).sort((a, b) =>
    a.at - b.at || a.index - b.index
  );
  order.forEach(({ node }, index) => {
    node.x = PAD + ((WIDTH - 2 * PAD) * (index + 0.5)) / row.length;
  });
}

function linksOf(ports: readonly PortResult[]): Link[] {
  const links = new Map<string, { from: string; to: string; ports: PortResult[] }>();
  for (const port of ports) {
    const [from, to] = port.node < port.peer ? [port.node, port.peer] : [port.peer, port.node];
    const key = JSON.stringify([from, to]);
    const link = links.get(key) ?? { from, to, ports: [] };
    link.ports.push(port);
    links.set(key, link);
  }
  return [...links.values()];
}

function linkSvg({ from, to, ports }: Link, nodes: ReadonlyMap<string, Node>, longest: number,
  yOf: (node: Node) => number): string {
  const [a, b] = [nodes.get(from), nodes.get(to)];
  if (a === undefined || b === undefined) return '';
  const queue = Math.max(...ports.map(({ maxQueueBytes }) => maxQueueBytes));
  const isPaused = ports.some(({ pausedPs }) => pausedPs > 0);
  const width = LEAST_PX + ((MOST_PX - LEAST_PX) * queue) / longest;
  const words = ports.map(({ name, rateBps, maxQueueBytes, pausedPs }) =>
    `${name}: ${formatRate(rateBps)}, longest queue ${formatBytes(maxQueueBytes)}${
      pausedPs > 0 ? `, paused for ${formatDuration(pausedPs)}` : ''
    }`
  );
  const color = isPaused ? PAUSED : queue > 0 ? QUEUED : IDLE;
  // A level line between neighbours of one tier would pass through those that stand between them.
  const bend = yOf(a) === yOf(b) ? 34 : 0;
  const [x1, y1, x2, y2] = [a.x, yOf(a), b.x, yOf(b)];
  return `<path d="M${one(x1)} ${y1}Q${one((x1 + x2) / 2)} ${one((y1 + y2) / 2 - bend)} ${
    one(x2)
  } ${y2}" fill="none" stroke="${color}" stroke-width="${one(width)}"${
    isPaused ? ' stroke-dasharray="7 4"' : ''
  }><title>${escapeHtml(words.join('\n'))}</title></path>`;
}

function nodeSvg({ name, isHost, x }: Node, y: number, isNamed: boolean): string {
  const shape = isHost ?
    `<circle cx="${one(x)}" cy="${y}" r="5" fill="#0062b8">` :
    `<rect x="${one(x - 9)}" y="${y - 7}" width="18" height="14" rx="2" fill="#1a1f24">`;
  const drawn = `${shape}<title>${escapeHtml(name)}</title>${isHost ? '</circle>' : '</rect>'}`;
  if (!isNamed) return drawn;
  return `${drawn}<text x="${one(x)}" y="${isHost ? y + 19 : y - 12}" text-anchor="middle" fill="#222">${
    escapeHtml(name)
  }</text>`;
}

function legendSvg(y: number): string {
  const entries: readonly (readonly [string, string, string])[] = [
    [QUEUED, '', 'longest queue of the link: the wider the longer'],
    [PAUSED, ' stroke-dasharray="7 4"', 'something was paused'],
    [IDLE, '', 'no queue'],
  ];
  let x = PAD;
  return entries.map(([color, dash, words]) => {
    const at = x;
    x += 44 + words.length * 6.6;
    return `<line x1="${one(at)}" y1="${y - 4}" x2="${one(at + 24)}" y2="${
      y - 4
    }" stroke="${color}" stroke-width="4"${dash}/>` +
      `<text x="${one(at + 30)}" y="${y}" fill="#222">${words}</text>`;
  }).join('\n');
}

/** One digit behind the point, so that equal runs give equal files. */
function one(value: number): string {
  return String(Math.round(value * 10) / 10);
}
