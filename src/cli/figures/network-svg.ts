/**
 * Draws a result's network as SVG. For each port, over the whole run, line width shows the longest queue, and colour
 * shows whether the queue reached Kmin or Kmax, or the port was ever paused.
 */
import type { FlowResult, PortResult, SimResult } from '../../sim/result.js';
import { layOut, type NetworkShape, queueState, sceneOf, type NetworkColors,
  type PortPicture } from '../../view/network/scene.js';
import { sceneSvg } from '../../view/network/svg.js';
import { formatBytes, formatDuration, formatRate } from '../../view/format.js';

/** Maximum nodes of a readable drawing. */
export const NODES_MAX = 320;

const WIDTH = 960;
const HEIGHT = { base: 130, tier: 100 };

/** Colours of the page's style, or light ones outside a page. */
const COLORS: NetworkColors = {
  text: 'var(--text, #1a1f24)',
  paper: 'var(--paper, #ffffff)',
  accent: 'var(--accent, #0062b8)',
  idle: 'var(--idle, #c3cad1)',
  sending: 'var(--sending, #2a7fb8)',
  marking: 'var(--marking, #b87400)',
  full: 'var(--full, #c2281d)',
  paused: 'var(--paused, #7b2d9b)',
};

/** Draws the network; empty if there are no ports, or too many nodes. */
export function networkSvg({ ports, flows, scenario }: SimResult): string {
  const network = networkOf(ports, flows);
  if (network.nodes.length === 0 || network.nodes.length > NODES_MAX) return '';
  const layout = layOut(network);
  const longest = ports.reduce((most, { maxQueueBytes }) => Math.max(most, maxQueueBytes), 1);
  const height = HEIGHT.base + (layout.tiers - 1) * HEIGHT.tier;
  const scene = sceneOf(network, layout, (port) => pictureOf(ports[port], longest), {
    width: WIDTH,
    height,
    colors: COLORS,
  });
  return sceneSvg(scene, COLORS, {
    title: `${scenario.name}: the network, with the longest queues of the run`,
    ofPort: (port) => wordsOf(ports[port]),
  });
}

function pictureOf(port: PortResult | undefined, longest: number): PortPicture {
  if (port === undefined) return { state: 'idle', share: 0 };
  const { maxQueueBytes, pausedPs, txPackets } = port;
  const state = pausedPs > 0 ? 'paused' : queueState(maxQueueBytes, txPackets > 0, port);
  return { state, share: maxQueueBytes / longest };
}

function wordsOf(port: PortResult | undefined): string {
  if (port === undefined) return '';
  const { name, rateBps, maxQueueBytes, pausedPs } = port;
  return `${name}: ${formatRate(rateBps)}, longest queue ${formatBytes(maxQueueBytes)}${
    pausedPs > 0 ? `, paused for ${formatDuration(pausedPs)}` : ''
  }`;
}

/**
 * Lists nodes in the order of their first port. A node is a host if it sends or receives flows, or has only one port,
 * without marking or pausing.
 */
function networkOf(ports: readonly PortResult[], flows: readonly FlowResult[]): NetworkShape {
  const ends = new Set(flows.flatMap(({ from, to }) => [from, to]));
  const switches = new Set(
    ports.flatMap(({ node, kminBytes, minPauseThresholdBytes }) =>
      kminBytes === undefined && minPauseThresholdBytes === undefined ? [] : [node]
    ),
  );
  const counts = new Map<string, number>();
  for (const { node } of ports) counts.set(node, (counts.get(node) ?? 0) + 1);
  // A result built by hand may list only one direction of a link.
  const names = [...new Set([...counts.keys(), ...ports.map(({ peer }) => peer)])];
  const numbers = new Map(names.map((name, index) => [name, index]));
  const isSwitch = (name: string): boolean => switches.has(name) || (counts.get(name) ?? 0) > 1;
  return {
    nodes: names.map((name) => ({ name, kind: ends.has(name) || !isSwitch(name) ? 'host' : 'switch' })),
    ports: ports.map(({ node, peer }) => ({ node: numbers.get(node) ?? 0, peerNode: numbers.get(peer) ?? 0 })),
  };
}
