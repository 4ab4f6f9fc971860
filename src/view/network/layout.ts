/** Computes positions of nodes, from 0 to 1: hosts at the bottom, switches above by their distance from hosts. */

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

const SWEEPS = 4;

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
