/**
 * The paths of flows through WAN tunnels, leg by leg: to the provider edge, over the service's routers, to the far edge, to the
 * host.
 */
import { WAN_DOMAIN } from '../../topology/network.js';
import type { ValidScenario, ValidService } from '../../scenario/valid-scenario.js';
import type { WorkloadFlow } from '../../workload/workload-flow.js';
import type { FlowTuple } from '../../../switching/ecmp-hash.js';
import type { Graph } from '../../compile/graph.js';
import type { IdealRules } from '../../compile/ideal.js';
import { hashedPath, type Path } from '../../compile/paths.js';
import type { Routes } from '../../compile/routes.js';
import { isInWan, serviceOf, tunnelBytes } from './compile.js';

export class TunnelPaths {
  /** Maximum bytes of outer headers; 0: no tunnels. */
  readonly mostBytes: number;
  readonly #valid: ValidScenario;
  readonly #graph: Graph;
  readonly #routes: Routes;

  constructor(valid: ValidScenario, graph: Graph, routes: Routes) {
    this.#valid = valid;
    this.#graph = graph;
    this.#routes = routes;
    this.mostBytes = Math.max(0, ...(valid.wan?.services.map(tunnelBytes) ?? []));
  }

  /** The path that the hash selects for a flow from one host to the other, in either direction; null: there is no path. */
  path(flow: WorkloadFlow, [from, to]: readonly [number, number], tuple: FlowTuple): Path | null {
    const path: number[] = [];
    let at = from;
    for (const next of this.#legs(flow, from, to)) {
      if (next === at) continue;
      const leg = hashedPath(this.#graph, this.#routes, at, next, tuple);
      if (leg === null) return null;
      path.push(...leg);
      at = next;
    }
    return path;
  }

  /** Bytes that tunnels add on links of the WAN: for a flow, or without one the maximum. */
  onLinks(flow?: WorkloadFlow): Pick<IdealRules, 'tunnelBytes'> {
    const { wan } = this.#graph.network;
    if (wan === undefined) return {};
    const service = flow === undefined ? undefined : this.#serviceOf(flow);
    const bytes = service === undefined ? this.mostBytes : tunnelBytes(service);
    return { tunnelBytes: (port) => (isInWan(this.#graph, wan, port) ? bytes : 0) };
  }

  /** The nodes that packets are routed to, in order; the last is the destination. */
  #legs(flow: WorkloadFlow, source: number, destination: number): readonly number[] {
    const { wan } = this.#graph.network;
    const service = this.#serviceOf(flow);
    if (wan === undefined || service === undefined) return [destination];
    const [from, to] = [wan.domains[source], wan.domains[destination]];
    if (from === to || from === WAN_DOMAIN || to === WAN_DOMAIN) return [destination];
    const segments = from === 0 ? service.via : [...service.via].reverse();
    return [service.edges[from], ...segments, service.edges[to], destination];
  }

  #serviceOf({ source, destination, trafficClass }: WorkloadFlow): ValidService | undefined {
    const { wan } = this.#valid;
    return wan === null ? undefined : wan.services[serviceOf(wan, source, destination, trafficClass)];
  }
}
