/**
 * Finds the port that limits a run:
 *
 *   the switch port with the longest mean queueing delay (mean queue / link rate);
 *   if PFC pauses it for much of the run, the limit is downstream: the paused port that is reached by following the pauses;
 *   without any queue, the busiest port.
 */
import type { Outcome, ScenarioFacts } from '../../protocol/run-protocol.js';

/** A port that is paused for more than this share of the run is not the bottleneck itself. */
const PAUSED_SHARE = 0.2;

export interface Bottleneck {
  readonly port: number;
  readonly kind: 'queue' | 'paused' | 'cycle' | 'busy';
  /** Ports that wait for it, beginning with the first one found; for a cycle, the ports of the cycle. */
  readonly behind: readonly number[];
}

/** The ports that limit a run, and the name for them. */
export interface Limit {
  readonly ports: readonly number[];
  readonly name: 'bottleneck' | 'deadlock';
}

type Network = Pick<ScenarioFacts, 'nodes' | 'ports' | 'startPs'>;
type Result = Pick<Outcome, 'ports' | 'simulatedPs'>;

/** Cached by result, as the network's picture needs it in every frame. */
const found = new WeakMap<Result, Bottleneck | undefined>();

/** @returns undefined if no port sent anything. */
export function bottleneckOf(network: Network, result: Result): Bottleneck | undefined {
  if (!found.has(result)) found.set(result, findBottleneck(network, result));
  return found.get(result);
}

/** @returns an empty list of ports if none sent anything. */
export function limitOf(network: Network, result: Result): Limit {
  const found = bottleneckOf(network, result);
  if (found?.kind === 'cycle') return { ports: found.behind, name: 'deadlock' };
  return { ports: found === undefined ? [] : [found.port], name: 'bottleneck' };
}

function findBottleneck(network: Network, result: Result): Bottleneck | undefined {
  const { ports } = network;
  const isSwitch = (port: number): boolean => network.nodes[ports[port]?.node ?? -1]?.kind === 'switch';
  const delayOf = (port: number): number =>
    isSwitch(port) ? (result.ports.meanQueueBytes[port] ?? 0) / (ports[port]?.rateBps ?? 1) : 0;
  const all = ports.map((_, port) => port);
  const queued = best(all, delayOf);
  if (queued !== undefined) return downstreamOf(queued, network, result);
  const paused = best(all, (port) => pausedShareOf(port, network, result) - PAUSED_SHARE);
  if (paused !== undefined) return downstreamOf(paused, network, result);
  const busiest = best(all, (port) => result.ports.utilization[port] ?? 0);
  return busiest === undefined ? undefined : { port: busiest, kind: 'busy', behind: [] };
}

/** Share of the run in which a port was paused, summed over classes, so it may exceed 1. */
export function pausedShareOf(port: number, { startPs }: Pick<Network, 'startPs'>,
  { ports, simulatedPs }: Result): number {
  return (ports.pausedPs[port] ?? 0) / Math.max(1, simulatedPs - startPs);
}

/** Follows pauses downstream: the switch that pauses a port does so because its own ports are paused. */
function downstreamOf(first: number, network: Network, result: Result): Bottleneck {
  const share = (port: number): number => pausedShareOf(port, network, result);
  if (share(first) <= PAUSED_SHARE) return { port: first, kind: 'queue', behind: [] };
  const path = [first];
  for (;;) {
    const at = path[path.length - 1] ?? first;
    const peer = network.ports[at]?.peerNode;
    const next = best(network.ports.flatMap(({ node }, port) => (node === peer ? [port] : [])), (port) =>
      share(port) - PAUSED_SHARE);
    if (next === undefined) return endOf(path, network, result);
    const seen = path.indexOf(next);
    if (seen >= 0) return { port: next, kind: 'cycle', behind: path.slice(seen) };
    path.push(next);
  }
}

/**
 * The end of a path of pauses: a host that pauses by its own decision, or a switch that pauses because of its longest
 * queue.
 */
function endOf(path: readonly number[], { nodes, ports }: Network, { ports: of }: Result): Bottleneck {
  const last = path[path.length - 1] ?? 0;
  const peer = ports[last]?.peerNode ?? -1;
  const queued = nodes[peer]?.kind === 'switch' ?
    best(ports.flatMap(({ node }, port) => (node === peer ? [port] : [])), (port) => of.meanQueueBytes[port] ?? 0) :
    undefined;
  return queued === undefined ?
    { port: last, kind: 'paused', behind: path.slice(0, -1) } :
    { port: queued, kind: 'queue', behind: path };
}

/** The port with the largest value above 0, the first of equal ones. */
function best(ports: readonly number[], valueOf: (port: number) => number): number | undefined {
  let first: number | undefined;
  let most = 0;
  for (const port of ports) {
    const value = valueOf(port);
    if (value > most) [first, most] = [port, value];
  }
  return first;
}
