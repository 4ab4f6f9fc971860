/** `--topology star:8`: a topology in a word, for workloads that bring none. */
import { InvalidArgumentError } from 'commander';

const ALLOWED =
  'Allowed: a topology such as star:8, fat-tree:k=8 or leaf-spine:leaves=4,spines=2,hostsPerLeaf=8,rateGbps=400.';
/** What a bare number means, by kind. */
const MAIN_KEYS: Readonly<Record<string, string>> = { star: 'hosts', 'fat-tree': 'k' };
const KINDS = ['star', 'dumbbell', 'leaf-spine', 'fat-tree', 'two-data-centers'];
const VALUE_PATTERN = /^\d{1,15}(?:\.\d{1,15})?$/;

/** A topology as scenarios have it; whether its numbers fit is for the scenario's own check to say. */
export interface TopologyOption {
  /** As typed. */
  readonly text: string;
  readonly topology: Readonly<Record<string, unknown>>;
}

/** What scenarios of files alone run on, and how their config is read. */
export interface FileNetwork {
  readonly topology?: TopologyOption | undefined;
  /** A topology's file. */
  readonly topo?: string | undefined;
  /** Keys of SimAI.conf that SimAI does not have are ignored. */
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
