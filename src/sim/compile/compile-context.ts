/** What is computed before any flow is compiled: one path of each kind between hosts, and the longest base round trips. */
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { KernelScenario } from '../scenario/valid-scenario.js';
import type { Steps } from '../steps.js';
import type { Graph } from './graph.js';
import { flowSizes, mrcSizes, usidHeaderBytes, type FlowSizes } from './packet-sizes.js';
import { factsOfScenario } from './parameter-sets.js';
import { pathsOfAllKinds } from './path-kinds.js';
import { longestBase, switchesOnLongest, type BasePath, type Path, type RttRules } from './paths.js';
import type { Routes } from './routes.js';
import { RULES } from './rules.js';
import { TunnelPaths } from '../features/wan/tunnel-paths.js';
import { TxTimes } from './tx-time.js';

/** The context in which all flows are compiled. */
export interface CompileContext {
  readonly graph: Graph;
  readonly routes: Routes;
  readonly tunnels: TunnelPaths;
  /** One path of each kind between hosts. */
  readonly paths: readonly Path[];
  readonly switches: number;
  readonly times: TxTimes;
  /** Packet sizes, indexed by algorithm. */
  readonly sizes: readonly FlowSizes[];
  /** Longest base path of all pairs of hosts, indexed by algorithm. */
  readonly bases: readonly BasePath[];
}

/** Computes the context in steps, as there may be thousands of kinds of hosts. */
export function* compileContextOf(valid: KernelScenario, graph: Graph, routes: Routes): Steps<CompileContext> {
  const { fidelity, hosts, algorithms } = valid;
  const tunnels = new TunnelPaths(valid, graph, routes);
  const paths = yield* pathsOfAllKinds(graph, routes);
  yield;
  const switches = switchesOnLongest(paths);
  const times = new TxTimes(RULES[fidelity].txTime);
  const sizes = algorithms.map((algorithm) => flowSizes(fidelity, factsOfScenario(algorithm), switches))
    .map((one) => withUsids(valid, one));
  const rules = rttRules(fidelity, tunnels, hosts.mtuBytes);
  const isMrc = hosts.transport === 'mrc';
  const bases = sizes.map((one) => longestBase(graph, paths, rules, isMrc ? mrcSizes(one) : one, times));
  return { graph, routes, tunnels, paths, switches, times, sizes, bases };
}

/** Adds the outer header that carries a source route to the size of data packets. */
function withUsids({ balancing: { usids } }: KernelScenario, sizes: FlowSizes): FlowSizes {
  return { ...sizes, headerBytes: sizes.headerBytes + usidHeaderBytes(usids) };
}

/** The rules by which base round trips are computed for packets with this payload. */
export function rttRules(fidelity: KernelFidelity, tunnels: TunnelPaths, mtuBytes: number): RttRules {
  return { fidelity, mtuBytes, wireOverheadBytes: RULES[fidelity].wireOverheadBytes, ...tunnels.onLinks() };
}
