/**
 * The network of workload files that are run without a scenario: `--topology star:8`, a topology in one word, and
 * `--connections per-pair`, the QPs of their messages.
 */
import { InvalidArgumentError } from 'commander';
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';

const ALLOWED =
  'Allowed: a topology such as star:8, fat-tree:k=8 or leaf-spine:leaves=4,spines=2,hostsPerLeaf=8,rateGbps=400.';
/** The setting that a bare number sets, by kind of topology. */
const MAIN_KEYS: Readonly<Record<string, string>> = { star: 'hosts', 'fat-tree': 'k' };
const KINDS = ['star', 'dumbbell', 'leaf-spine', 'fat-tree', 'two-data-centers'];
const VALUE_PATTERN = /^\d{1,15}(?:\.\d{1,15})?$/;

/** A topology as in a scenario; its numbers are validated with the scenario. */
export interface TopologyOption {
  /** The option's value as typed. */
  readonly text: string;
  readonly topology: Readonly<Record<string, unknown>>;
}

/** The network of a workload file without a scenario, and how its config is read. */
export interface FileNetwork {
  readonly topology?: TopologyOption | undefined;
  /** Path of a topology file. */
  readonly topo?: string | undefined;
  /** QPs of the workload's messages. */
  readonly connections?: ConnectionsSpec | undefined;
  /** Whether keys of SimAI.conf that SimAI does not define are ignored. */
  readonly ignoreUnknownKeys?: boolean | undefined;
}

export function parseTopology(text: string): TopologyOption {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  if (!KINDS.includes(kind)) throw new InvalidArgumentError(ALLOWED);
  const topology: Record<string, unknown> = { kind };
  for (const part of colon < 0 ? [] : text.slice(colon + 1).split(',')) {
    const equals = part.indexOf('=');
    const key = equals < 0 ? MAIN_KEYS[kind] : part.slice(0, equals).trim();
    const value = part.slice(equals + 1).trim();
    if (key === undefined || !/^[a-zA-Z]{1,40}$/.test(key) || !VALUE_PATTERN.test(value)) {
      throw new InvalidArgumentError(ALLOWED);
    }
    topology[key] = Number(value);
  }
  return { text, topology };
}

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

/** An object with unknown members, of a scenario that has not been validated yet. */
export type PlainRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
