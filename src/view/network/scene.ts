/**
 * The drawing of a network: positions of its nodes, with hosts at the bottom and switches above by their distance from
 * hosts, and a list of shapes, to be drawn on a canvas or written as SVG.
 *
 *   line from a node to the middle of its link    the port that sends in that direction
 *   width                                         its queue, as a share of the longest of the run
 *   colour                                        idle, sending, queue at Kmin or more, queue at Kmax or more
 *   dashes and a bar across                       paused
 */
/** Input of a network's layout. */
export interface NetworkShape {
  readonly nodes: readonly { readonly name: string; readonly kind: 'host' | 'switch' }[];
  /** A port is one end of a link: indices of its node and of the node at the other end. */
  readonly ports: readonly { readonly node: number; readonly peerNode: number }[];
}

export interface Place {
  readonly x: number;
  readonly y: number;
  /** Distance from hosts in links; 0 for hosts. */
  readonly tier: number;
}

export interface NetworkLayout {
  readonly places: readonly Place[];
  readonly tiers: number;
  /** Number of nodes in the largest tier. */
  readonly widest: number;
}

export interface LineShape {
  readonly kind: 'line';
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly color: string;
  readonly width: number;
  readonly dash: readonly number[];
  /** Index of its port; -1 if none. */
  readonly port: number;
}

export interface NodeShape {
  readonly kind: 'host' | 'switch';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly fill: string;
  readonly stroke: string;
  readonly name: string;
  /** Empty if there is no space for it. */
  readonly label: string;
  readonly labelY: number;
  readonly labelColor: string;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly LineShape[];
  readonly nodes: readonly NodeShape[];
}

export type PortState = 'idle' | 'sending' | 'marking' | 'full' | 'paused';

/** Appearance of a port. */
export interface PortPicture {
  readonly state: PortState;
  /** Its queue, as a share of the longest, 0 to 1. */
  readonly share: number;
}

/** Colours by name: `--text` and so on in the page's style. */
export type NetworkColors = Readonly<
  Record<'text' | 'paper' | 'accent' | 'idle' | 'sending' | 'marking' | 'full' | 'paused', string>
>;

export interface SceneOptions {
  readonly width: number;
  readonly height: number;
  readonly colors: NetworkColors;
  /** Highlighted ports: the chosen one, or those of the chosen flow. */
  readonly chosen?: ReadonlySet<number>;
}

/** The legend's entry for each state, in order. */
export const PORT_STATES: readonly (readonly [state: PortState, words: string])[] = [
  ['idle', 'idle'],
  ['sending', 'sending'],
  ['marking', 'queue ≥ Kmin'],
  ['full', 'queue ≥ Kmax'],
  ['paused', 'paused'],
];
export const WIDTH_WORDS = 'wider: longer queue';
/** Dash pattern of paused ports. */
export const PAUSED_DASH: readonly number[] = [5, 4];

const SWEEPS = 4;
const MARGIN_PX = { x: 26, top: 34, bottom: 36 };
const LINE_PX = { idle: 1, sending: 1.6, most: 11, chosen: 3 };
/** Half the length of the bar across a paused line. */
const BAR_PX = 7;
const LABEL_PX = 30;
const BEND_PX = 56;

/** Positions from 0 to 1. */
export function layOut({ nodes, ports }: NetworkShape): NetworkLayout {
  const neighbours = nodes.map((): number[] => []);
  for (const { node, peerNode } of ports) neighbours[node]?.push(peerNode);
  const tierOf = tiersOf(nodes.map(({ kind }) => kind === 'host'), neighbours);
  const tiers = Math.max(...tierOf) + 1;
  const rows = Array.from({ length: tiers },
    (_, tier) => nodes.flatMap((_node, index) => (tierOf[index] === tier ? [index] : [])));
  const x = new Float64Array(nodes.length);
  for (const row of rows) spread(row, x);
  // From the bottom up, place each switch above the middle of its neighbours below; ties keep the order of nodes.
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of rows.slice(1)) centre(row, x, neighbours, tierOf);
  }
  const places = nodes.map((_, index) => {
    const tier = tierOf[index] ?? 0;
    return { x: x[index] ?? 0.5, y: tiers === 1 ? 0.5 : 1 - tier / (tiers - 1), tier };
  });
  return { places, tiers, widest: Math.max(...rows.map(({ length }) => length)) };
}

/** @param pictureOf returns the appearance of a port, by index. */
export function sceneOf(network: NetworkShape, layout: NetworkLayout, pictureOf: (port: number) => PortPicture,
  options: SceneOptions): Scene {
  const at = placesIn(layout, options);
  const radius = Math.max(2.5, Math.min(9, (0.32 * (options.width - 2 * MARGIN_PX.x)) / layout.widest));
  const lines = network.ports.flatMap((_, port): LineShape[] =>
    portLines({ network, port, at, picture: pictureOf(port) }, options)
  );
  // Draw wide lines last, so that they are on top.
  lines.sort((a, b) => a.width - b.width);
  return {
    width: options.width,
    height: options.height,
    lines,
    nodes: nodeShapes(network, layout, at, radius, options),
  };
}

export function stateColor(state: PortState, colors: NetworkColors): string {
  return colors[state];
}

/** State of a port that is not paused, by its queue. @param isSending whether it has something to send. */
export function queueState(queueBytes: number, isSending: boolean, { kminBytes, kmaxBytes }: {
  readonly kminBytes?: number | undefined;
  readonly kmaxBytes?: number | undefined;
}): PortState {
  if (kmaxBytes !== undefined && queueBytes >= kmaxBytes) return 'full';
  if (kminBytes !== undefined && queueBytes >= kminBytes) return 'marking';
  return queueBytes > 0 || isSending ? 'sending' : 'idle';
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function placesIn({ places }: NetworkLayout, { width, height }: SceneOptions): Point[] {
  return places.map(({ x, y }) => ({
    x: MARGIN_PX.x + x * (width - 2 * MARGIN_PX.x),
    y: MARGIN_PX.top + y * (height - MARGIN_PX.top - MARGIN_PX.bottom),
  }));
}

/** Vertical bend of a link: one within a tier would run through the nodes between its ends, so it bends below them. */
function bendOf(from: Point, to: Point, at: readonly Point[]): number {
  if (from.y !== to.y) return 0;
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  return at.some(({ x, y }) => y === from.y && x > left && x < right) ? BEND_PX : 0;
}

interface PortLine {
  readonly network: NetworkShape;
  readonly port: number;
  readonly at: readonly Point[];
  readonly picture: PortPicture;
}

function portLines({ network, port, at, picture }: PortLine, { colors, chosen }: SceneOptions): LineShape[] {
  const { node, peerNode } = network.ports[port] ?? { node: 0, peerNode: 0 };
  const [from, to] = [at[node], at[peerNode]];
  if (from === undefined || to === undefined) return [];
  const { state, share } = picture;
  const length = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [sideX, sideY] = [-dy * BAR_PX, dx * BAR_PX];
  const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + bendOf(from, to, at) };
  const least = state === 'idle' ? LINE_PX.idle : LINE_PX.sending;
  const isChosen = chosen?.has(port) === true;
  const width = Math.max(isChosen ? LINE_PX.chosen : least, Math.sqrt(share) * LINE_PX.most);
  const color = isChosen && state === 'idle' ? colors.accent : stateColor(state, colors);
  const dash = state === 'paused' ? PAUSED_DASH : [];
  const base = { kind: 'line', color, port } as const;
  const main: LineShape = { ...base, x0: from.x, y0: from.y, x1: half.x, y1: half.y, width, dash };
  const halo: LineShape[] = isChosen ?
    [{ ...main, color: colors.accent, width: width + 4, dash: [], port: -1 }, main] :
    [main];
  if (state !== 'paused') return halo;
  const middle = { x: (from.x + 3 * half.x) / 4, y: (from.y + 3 * half.y) / 4 };
  const bar: LineShape = {
    ...base,
    x0: middle.x - sideX,
    y0: middle.y - sideY,
    x1: middle.x + sideX,
    y1: middle.y + sideY,
    width: 3,
    dash: [],
  };
  return [...halo, bar];
}

function nodeShapes(network: NetworkShape, layout: NetworkLayout, at: readonly Point[], radius: number,
  { colors, width }: SceneOptions): NodeShape[] {
  const perTier = new Map<number, number>();
  for (const { tier } of layout.places) perTier.set(tier, (perTier.get(tier) ?? 0) + 1);
  return network.nodes.map(({ name, kind }, index) => {
    const { tier } = layout.places[index] ?? { tier: 0 };
    const room = (width - 2 * MARGIN_PX.x) / (perTier.get(tier) ?? 1);
    const { x, y } = at[index] ?? { x: 0, y: 0 };
    const size = kind === 'switch' ? Math.max(radius, Math.min(9, 0.3 * room)) : radius;
    return {
      kind,
      x,
      y,
      radius: size,
      fill: kind === 'switch' ? colors.text : colors.paper,
      stroke: colors.text,
      name,
      label: room >= Math.max(LABEL_PX, 7 * name.length) ? name : '',
      labelY: tier === 0 ? y + size + 15 : y - size - 7,
      labelColor: colors.text,
    };
  });
}

/** The port whose line is nearest to a point; -1 if none is near. */
export function portAt({ lines }: Scene, x: number, y: number, nearPx: number): number {
  let [best, nearest] = [-1, nearPx];
  for (const { port, x0, y0, x1, y1 } of lines) {
    if (port < 0) continue;
    const distance = distanceTo(x, y, x0, y0, x1, y1);
    if (distance < nearest) [best, nearest] = [port, distance];
  }
  return best;
}

function distanceTo(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / Math.max(1, dx * dx + dy * dy)));
  return Math.hypot(x - x0 - along * dx, y - y0 - along * dy);
}

function tiersOf(isHost: readonly boolean[], neighbours: readonly (readonly number[])[]): number[] {
  const tierOf: number[] = isHost.map((host) => (host ? 0 : -1));
  let front = isHost.flatMap((host, index) => (host ? [index] : []));
  while (front.length > 0) {
    const next = front.flatMap((node) => (neighbours[node] ?? []).map((peer) => ({ node, peer })));
    front = [];
    for (const { node, peer } of next) {
      if (tierOf[peer] !== -1) continue;
      tierOf[peer] = (tierOf[node] ?? 0) + 1;
      front.push(peer);
    }
  }
  return tierOf.map((tier) => (tier < 0 ? 1 : tier));
}

function spread(row: readonly number[], x: Float64Array): void {
  row.forEach((node, index) => {
    x[node] = (index + 0.5) / row.length;
  });
}

/** Sorts a row by the mean position of each node's neighbours below, and spaces it evenly. */
function centre(row: readonly number[], x: Float64Array, neighbours: readonly (readonly number[])[],
  tierOf: readonly number[]): void {
  const middle = (node: number): number => {
    const below = (neighbours[node] ?? []).filter((peer) => (tierOf[peer] ?? 0) < (tierOf[node] ?? 0));
    return below.length === 0 ? x[node] ?? 0 : below.reduce((sum, peer) => sum + (x[peer] ?? 0), 0) / below.length;
  };
  const order = row.map((node) => ({ node, at: middle(node) })).sort((a, b) => a.at - b.at || a.node - b.node);
  spread(order.map(({ node }) => node), x);
}
