/** The `--connections per-pair` option: the QPs of jobs that are run from their files, without a scenario. */
import { InvalidArgumentError } from 'commander';
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import { isRecord } from './plain-record.js';

const QPS_MAX = 256;

export function parseConnections(text: string): ConnectionsSpec {
  if (text === 'per-message' || text === 'per-pair') return text;
  const perPair = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (perPair >= 1 && perPair <= QPS_MAX) return { perPair };
  throw new InvalidArgumentError(`Allowed: per-message, per-pair, or 1 to ${QPS_MAX} QPs per pair of hosts.`);
}

/** The option's value as typed. */
export function connectionsWord(connections: ConnectionsSpec): string {
  return typeof connections === 'string' ? connections : String(connections.perPair);
}

/** Sets the QPs of the workloads in a scenario that was made from a file. */
export function withConnections(spec: unknown, connections: ConnectionsSpec | undefined): unknown {
  if (connections === undefined || !isRecord(spec)) return spec;
  const { workload } = spec;
  const add = (one: unknown): unknown => (isRecord(one) ? { ...one, connections } : one);
  return { ...spec, workload: Array.isArray(workload) ? workload.map(add) : add(workload) };
}
