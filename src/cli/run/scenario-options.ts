/**
 * Options that make or change a scenario before it is validated: `--topology star:8`, a topology in one word, and
 * `--connections per-pair`, the QPs of messages, for workload files that are run without a scenario; and
 * `--set path=value`, which changes single values.
 */
import { InvalidArgumentError } from 'commander';
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import { PATH_STEPS_MAX, stepsOfPath, withChanges } from '../../sweep/value-path.js';

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

/** One change: the path of a value, and the new value. */
export interface SetValue {
  /** The option's value as typed. */
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** An object with unknown members, of a scenario that has not been validated yet. */
export type PlainRecord = Readonly<Record<string, unknown>>;

const TOPOLOGY_ALLOWED =
  'Allowed: a topology such as star:8, fat-tree:k=8 or leaf-spine:leaves=4,spines=2,hostsPerLeaf=8,rateGbps=400.';
/** The setting that a bare number sets, by kind of topology. */
const MAIN_KEYS: Readonly<Record<string, string>> = { star: 'hosts', 'fat-tree': 'k' };
const KINDS = ['star', 'dumbbell', 'leaf-spine', 'fat-tree', 'two-data-centers'];
const SET_ALLOWED = 'Allowed: PATH=VALUE such as switches.ecn.kminKB=50 or workload[0].senders=8.';
const QPS_MAX = 256;
const VALUE_PATTERN = /^\d{1,15}(?:\.\d{1,15})?$/;

/** Parses a topology in one word. @throws InvalidArgumentError, of commander. */
export function parseTopology(text: string): TopologyOption {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  if (!KINDS.includes(kind)) throw new InvalidArgumentError(TOPOLOGY_ALLOWED);
  const topology: Record<string, unknown> = { kind };
  for (const part of colon < 0 ? [] : text.slice(colon + 1).split(',')) {
    const equals = part.indexOf('=');
    const key = equals < 0 ? MAIN_KEYS[kind] : part.slice(0, equals).trim();
    const value = part.slice(equals + 1).trim();
    if (key === undefined || !/^[a-zA-Z]{1,40}$/.test(key) || !VALUE_PATTERN.test(value)) {
      throw new InvalidArgumentError(TOPOLOGY_ALLOWED);
    }
    topology[key] = Number(value);
  }
  return { text, topology };
}

/** Parses the QPs of messages. @throws InvalidArgumentError, of commander. */
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

/** Adds a change to those given before. The value is parsed as JSON if possible, otherwise taken as text. */
export function collectSetValue(text: string, before: readonly SetValue[]): SetValue[] {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new InvalidArgumentError(SET_ALLOWED);
  return [...before, {
    text,
    path: parsePath(text.slice(0, equals).trim()),
    value: parseValue(text.slice(equals + 1)),
  }];
}

function parsePath(text: string): string[] {
  const steps = stepsOfPath(text);
  if (steps === undefined) throw new InvalidArgumentError(SET_ALLOWED);
  if (steps.length > PATH_STEPS_MAX) {
    throw new InvalidArgumentError(`Allowed: a path of at most ${PATH_STEPS_MAX} steps.`);
  }
  return steps;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Applies the changes to the scenario, in order.
 *
 * @throws RoceError `invalid-argument` if a path leads through a number, a text, or beyond a list's end.
 */
export function applySetValues(scenario: unknown, changes: readonly SetValue[]): unknown {
  return withChanges(scenario, changes.map(({ text, path, value }) => ({ path, value, from: `--set ${text}` })));
}

export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
