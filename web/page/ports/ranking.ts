/** Ranks the ports of a run by how much they limit it. */
import type { RunData } from '../run-data.js';
import { limitOf, pausedShareOf, type Limit } from './bottleneck.js';

const BITS_TIMES_PS = 8e12;
/** A smaller mean queue is less than a packet and counts as no delay. */
const QUEUED_FROM_BYTES = 1000;

export interface RankedPort {
  readonly port: number;
  readonly name: string;
  /** Payload delivered to the host behind the port, bits per second; undefined unless this is the host's only port. */
  readonly goodputBps: number | undefined;
  /** Share of the run in which it was paused, at most 1. */
  readonly pausedShare: number;
  /** Undefined if the port does not limit the run. */
  readonly limit: Limit['name'] | undefined;
}

/**
 * Ports that sent anything or were paused, ordered: those that limit the run, then by mean queueing delay, paused time
 * and utilization.
 */
export function rankedPorts(data: RunData): RankedPort[] {
  const { facts, outcome } = data;
  if (outcome === undefined) return [];
  const { ports: of } = outcome;
  const limiting = limitOf(facts, outcome);
  const delivered = deliveredTo(data);
  const activePs = Math.max(1, outcome.simulatedPs - facts.startPs);
  const rows = facts.ports.flatMap(({ name, peerNode, rateBps }, port) => {
    const utilization = of.utilization[port] ?? 0;
    const pausedShare = Math.min(1, pausedShareOf(port, facts, outcome));
    if (utilization === 0 && pausedShare === 0) return [];
    const bytes = delivered.get(peerNode);
    const goodputBps = bytes === undefined ? undefined : (bytes * BITS_TIMES_PS) / activePs;
    const meanBytes = of.meanQueueBytes[port] ?? 0;
    const delay = meanBytes < QUEUED_FROM_BYTES ? 0 : meanBytes / rateBps;
    const limit = limiting.ports.includes(port) ? limiting.name : undefined;
    return [{ port, name, goodputBps, pausedShare, limit, delay, utilization }];
  });
  return rows.sort((a, b) =>
    Number(b.limit !== undefined) - Number(a.limit !== undefined) || b.delay - a.delay ||
    b.pausedShare - a.pausedShare ||
    b.utilization - a.utilization || a.port - b.port
  ).map(({ port, name, goodputBps, pausedShare, limit }) => ({ port, name, goodputBps, pausedShare, limit }));
}

/** Delivered payload by host, for hosts with one port. */
function deliveredTo({ facts, outcome }: RunData): ReadonlyMap<number, number> {
  const links = new Map<number, number>();
  for (const { node } of facts.ports) links.set(node, (links.get(node) ?? 0) + 1);
  const hosts = new Map(
    facts.nodes.flatMap(({ kind, name }, node) => kind === 'host' && links.get(node) === 1 ? [[name, node]] : []),
  );
  const bytes = new Map([...hosts.values()].map((node) => [node, 0]));
  outcome?.flows.to.forEach((host, flow) => {
    const node = hosts.get(host);
    if (node !== undefined) bytes.set(node, (bytes.get(node) ?? 0) + (outcome.flows.deliveredBytes[flow] ?? 0));
  });
  return bytes;
}
