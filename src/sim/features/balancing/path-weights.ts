/**
 * Weights of next hops by the capacity that they lead to, for `wcmp` and `weighted-random`.
 *
 *   capacity of a path  the lowest rate of its links, from the switch to the last switch, or to the host if that has several links
 *   weight              sum of the capacities of all shortest paths that begin with the next hop
 *
 * With these weights, if all senders below a tier send at full rate to all hosts above a slow link, no link is overloaded
 * before all are full. Example: of two 100 Gb/s uplinks, one leads to 8 cores at 100 Gb/s, the other to 7 at 100 Gb/s and one
 * at 50; the weights are 800 and 750. The host's own link is not counted, as all paths end with it.
 *
 * Weights depend on the destination, so a switch with a weighted rule has a separate group of next hops for each list of weights.
 * Weights are reduced to whole numbers whose sum is at most 65,536, the number of entries of the table that a hash indexes.
 *
 * Source      J. Zhou et al., "WCMP: Weighted Cost Multipathing for Improved Fairness in Data Centers", EuroSys 2014: weights in
 *             proportion to the capacity towards the destination, replicated entries of a table.
 * Deviations  the paper leaves open how capacity beyond the next hop is counted, and reduces tables to fit a switch's; here each
 *             group has 65,536 entries.
 */
import { RULE_FACTS } from './rules.js';
import { DIRECT, NO_PATH, RouteTable } from '../../route-table.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { isHost, peerOf, type Graph } from '../../compile/graph.js';
import type { Routes } from '../../compile/routes.js';

/** Maximum sum of a group's weights, and so the resolution of weights that have no small common divisor. */
const TABLE_ENTRIES = 65_536;

/** Routes in which weighted switches have a group for each list of weights, and the weights of each group. */
export interface WeighedRoutes {
  readonly routes: Routes;
  readonly weights: readonly (readonly number[] | undefined)[];
}

export function weighRoutes({ switches }: ValidScenario, graph: Graph, routes: Routes): WeighedRoutes {
  const weighted = switches.map((settings) => settings !== null && RULE_FACTS[settings.balancingRule].weighs === true);
  return weighted.includes(true) ? new Weigher(graph, routes, weighted).weigh() : { routes, weights: [] };
}

/** Number of paths of each capacity, bits per second. */
type Capacities = ReadonlyMap<number, number>;

const NONE: Capacities = new Map();
const UNLIMITED: Capacities = new Map([[Infinity, 1]]);

class Weigher {
  readonly #graph: Graph;
  readonly #routes: Routes;
  readonly #weighted: readonly boolean[];
  readonly #groups: (readonly number[])[];
  readonly #weights: (readonly number[] | undefined)[] = [];
  /** Index of a group, by its original index and its weights. */
  readonly #groupOf = new Map<string, number>();
  readonly #nodeOfRow: readonly number[];

  constructor(graph: Graph, routes: Routes, weighted: readonly boolean[]) {
    this.#graph = graph;
    this.#routes = routes;
    this.#weighted = weighted;
    this.#groups = [...routes.groups];
    const nodeOfRow: number[] = [];
    routes.table.parts.rowOf.forEach((row, node) => {
      if (row >= 0) nodeOfRow[row] = node;
    });
    this.#nodeOfRow = nodeOfRow;
  }

  weigh(): WeighedRoutes {
    const { rowOf, columns, columnOf, directOf } = this.#routes.table.parts;
    const table = new RouteTable({
      rowOf,
      columns: columns.map((column) => this.#weighColumn(column)),
      columnOf,
      directOf,
    });
    return { routes: { table, groups: this.#groups }, weights: this.#groups.map((_, group) => this.#weights[group]) };
  }

  #weighColumn(column: Int32Array): Int32Array {
    const known = new Map<number, Capacities>();
    return column.map((group, row) => {
      const node = this.#nodeOfRow[row];
      const ports = group < 0 ? [] : this.#routes.groups[group];
      if (!this.#weighted[node] || ports.length < 2) return group;
      return this.#weighed(group, wholeWeights(ports.map((port) => sumOf(this.#through(column, known, port)))));
    });
  }

  /** Paths that begin with a port. */
  #through(column: Int32Array, known: Map<number, Capacities>, port: number): Capacities {
    const rateBps = this.#graph.rateBps[port];
    const paths = new Map<number, number>();
    for (const [capacity, count] of this.#from(column, known, peerOf(this.#graph, port))) {
      const least = Math.min(capacity, rateBps);
      paths.set(least, (paths.get(least) ?? 0) + count);
    }
    return paths;
  }

  /** Paths from a node to the destination. */
  #from(column: Int32Array, known: Map<number, Capacities>, node: number): Capacities {
    if (isHost(this.#graph, node)) return UNLIMITED;
    const row = this.#routes.table.parts.rowOf[node];
    const group = column[row];
    if (group === DIRECT) return UNLIMITED;
    if (group === NO_PATH) return NONE;
    const found = known.get(row);
    if (found !== undefined) return found;
    // Manual routes may have cycles.
    known.set(row, NONE);
    const paths = new Map<number, number>();
    for (const port of this.#routes.groups[group]) {
      for (const [capacity, count] of this.#through(column, known, port)) {
        paths.set(capacity, (paths.get(capacity) ?? 0) + count);
      }
    }
    known.set(row, paths);
    return paths;
  }

  /** The group with these weights. The first list of weights keeps the group's index. */
  #weighed(group: number, weights: readonly number[]): number {
    const key = `${group} ${weights.join()}`;
    const known = this.#groupOf.get(key);
    if (known !== undefined) return known;
    const index = this.#weights[group] === undefined ? group : this.#groups.push(this.#routes.groups[group]) - 1;
    this.#weights[index] = weights;
    this.#groupOf.set(key, index);
    return index;
  }
}

function sumOf(paths: Capacities): number {
  let sum = 0;
  for (const [capacity, count] of paths) sum += Math.round(capacity) * count;
  return sum;
}

/** Reduces sums to the smallest whole weights in proportion, each at least 1. */
function wholeWeights(sums: readonly number[]): number[] {
  const divisor = sums.reduce(greatestCommonDivisor, 0);
  const least = sums.map((sum) => (divisor > 0 ? sum / divisor : 1));
  const total = least.reduce((all, one) => all + one, 0);
  const scale = Math.min(1, TABLE_ENTRIES / total);
  return least.map((one) => Math.max(1, Math.floor(one * scale)));
}

function greatestCommonDivisor(a: number, b: number): number {
  let [greater, lesser] = [a, b];
  while (lesser > 0) [greater, lesser] = [lesser, greater % lesser];
  return greater;
}
