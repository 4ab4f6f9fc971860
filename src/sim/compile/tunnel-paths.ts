/** The path of a flow across a WAN with tunnels, leg by leg: to its provider edge, router by router of its service, to the far edge, on. */
import { WAN_DOMAIN } from '../topology/network.js';
import type { ValidService, ValidWan } from '../scenario/valid-scenario.js';
import type { FlowTuple } from './ecmp-hash.js';
import type { Graph } from './graph.js';
import { hashedPath, type Path } from './paths.js';
import type { Routes } from './routes.js';

/** Nodes that packets between two hosts are led to, one after the other; the last is the destination. */
export function legsOf(graph: Graph, service: ValidService, source: number, destination: number): readonly number[] {
  const { wan } = graph.network;
  if (wan === undefined) return [destination];
  const [from, to] = [wan.domains[source], wan.domains[destination]];
  if (from === to || from === WAN_DOMAIN || to === WAN_DOMAIN) return [destination];
  const segments = from === 0 ? service.via : [...service.via].reverse();
  return [service.edges[from], ...segments, service.edges[to], destination];
}

/** As `hashedPath`, through the tunnel of the flow's service; null: no path. */
export function tunnelledPath(graph: Graph, routes: Routes, ends: readonly [number, number], tuple: FlowTuple,
  service: ValidWan['services'][number]): Path | null {
  const path: number[] = [];
  let at = ends[0];
  for (const next of legsOf(graph, service, ends[0], ends[1])) {
    if (next === at) continue;
    const leg = hashedPath(graph, routes, at, next, tuple);
    if (leg === null) return null;
    path.push(...leg);
    at = next;
  }
  return path;
}
