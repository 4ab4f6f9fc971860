/**
 * Matches the collectives of ranks by order: the k-th collective of a group on each of its members is one instance,
 * whatever the ids of the nodes. Kind and size must agree.
 */
import type { CollectiveKind } from '../collectives/algorithms.js';
import { CollectiveShapes, joinedCollective, type JoinedCollective } from '../collectives/collective-graph.js';
import { MOST_OPERATIONS } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';
import { nodeInWords, type ChakraNode, type ChakraTrace } from './chakra-node.js';

const KINDS: Readonly<Record<number, CollectiveKind>> = {
  0: 'all-reduce',
  1: 'reduce',
  2: 'all-gather',
  3: 'gather',
  4: 'scatter',
  5: 'broadcast',
  6: 'all-to-all',
  7: 'reduce-scatter',
  8: 'reduce-scatter',
  9: 'barrier',
};

/** Collectives with a root, and the schema's attribute that may name it. */
const ROOTED: Readonly<Partial<Record<CollectiveKind, 'source' | 'destination'>>> = {
  broadcast: 'source',
  scatter: 'source',
  reduce: 'destination',
  gather: 'destination',
};

/** One collective of all members of a group. */
interface CollectiveInstance extends JoinedCollective {
  readonly sizeBytes: number;
  /** The rank that started it, for messages. */
  readonly first: string;
}

/** Maximum nesting of JSON text within JSON text. */
const QUOTED_MAX = 4;

export class CollectiveInstances {
  readonly all: CollectiveInstance[] = [];
  readonly #groups: Groups;
  /** By group: its instances in order, and for each rank the number of instances that it has joined. */
  readonly #byGroup = new Map<
    string,
    { readonly instances: CollectiveInstance[]; readonly joined: Map<number, number> }
  >();
  readonly #shapes = new CollectiveShapes();
  #messages = 0;

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  /** Adds a rank to the instance of its next collective. @throws RoceError `invalid-workload`. */
  join(trace: ChakraTrace, node: ChakraNode): CollectiveInstance {
    const where = nodeInWords(trace, node);
    const members = this.#groups.membersOf(node.group, where);
    if (!members.includes(trace.rank)) {
      const what = `rank ${trace.rank}`;
      rejectWorkload('NOT_A_MEMBER', { what, problem: `is not a member of the group ${node.group ?? ''}`, where });
    }
    const key = members.length === 0 ? '' : String(members);
    const group = this.#byGroup.get(key) ?? { instances: [], joined: new Map<number, number>() };
    this.#byGroup.set(key, group);
    const place = group.joined.get(trace.rank) ?? 0;
    group.joined.set(trace.rank, place + 1);
    const instance = group.instances[place] ?? this.#make(node, members, where);
    if (place === group.instances.length) group.instances.push(instance);
    const { kind, sizeBytes } = kindAndSize(node, where);
    const [root] = rootFirst(members, node, kind, where);
    if (kind !== instance.shape.kind || sizeBytes !== instance.sizeBytes || root !== instance.members[0]) {
      rejectWorkload('COLLECTIVE_MISMATCH', {
        what: `collective ${place} of the group`,
        problem: `differs from that of ${instance.first}`,
        got: {
          ...{ kind, sizeBytes, otherKind: instance.shape.kind, otherSizeBytes: instance.sizeBytes },
          ...(ROOTED[kind] === undefined ? {} : { root, otherRoot: instance.members[0] }),
        },
        where,
      });
    }
    instance.joined++;
    return instance;
  }

  /** @throws RoceError `invalid-workload`, `COLLECTIVE_MISMATCH`, if a member is missing. */
  finish(): void {
    const open = this.all.find(({ joined, members }) => joined < members.length);
    if (open === undefined) return;
    const problem =
      `is joined by ${open.joined} of ${open.members.length} members: they run different numbers of collectives`;
    rejectWorkload('COLLECTIVE_MISMATCH', { what: `the ${open.shape.kind}`, problem, where: open.first });
  }

  #make(node: ChakraNode, members: readonly number[], where: string): CollectiveInstance {
    const { kind, sizeBytes } = kindAndSize(node, where);
    // The size of an all-gather is what each member contributes, as in ASTRA-sim.
    const shape = this.#shapes.of(kind, members.length, kind === 'all-gather' ? sizeBytes * members.length : sizeBytes);
    this.#messages += shape.list.length;
    if (2 * this.#messages > MOST_OPERATIONS) {
      const allowed = { max: MOST_OPERATIONS / 2 };
      rejectWorkload('TOO_LARGE', { what: 'the number of messages', got: this.#messages, allowed, where });
    }
    const ordered = rootFirst(members, node, kind, where);
    const instance = { ...joinedCollective(this.all.length, ordered, shape), sizeBytes, first: where };
    this.all.push(instance);
    return instance;
  }
}

/** Whether an attribute names the root of a node's collective. */
export function namesRoot({ commType, root }: ChakraNode, attribute: 'root' | 'source' | 'destination'): boolean {
  const named = ROOTED[KINDS[commType ?? -1] ?? 'barrier'];
  return named !== undefined && (attribute === 'root' || (root === undefined && attribute === named));
}

/** Rotates the members so that the root comes first, because algorithms start or end at the first member. */
function rootFirst(members: readonly number[], node: ChakraNode, kind: CollectiveKind,
  where: string): readonly number[] {
  const named = ROOTED[kind];
  const root = named === undefined ? undefined : (node.root ?? node[named]);
  if (root === undefined) return members;
  const place = members.indexOf(root);
  if (place < 0) rejectWorkload('NOT_A_MEMBER', { what: 'the root', got: root, allowed: members, where });
  return place === 0 ? members : [...members.slice(place), ...members.slice(0, place)];
}

function kindAndSize({ commType, commSize }: ChakraNode, where: string): { kind: CollectiveKind; sizeBytes: number } {
  const kind = KINDS[commType ?? -1];
  if (kind === undefined) {
    const allowed = Object.keys(KINDS).map(Number);
    rejectWorkload('UNKNOWN_COLLECTIVE', { what: 'comm_type', got: commType, allowed, where });
  }
  return { kind, sizeBytes: kind === 'barrier' ? 1 : sizeOf(commSize, where) };
}

/** Validates the bytes of a message or collective. */
export function sizeOf(commSize: number | undefined, where: string): number {
  if (commSize !== undefined && Number.isSafeInteger(commSize) && commSize >= 1) return commSize;
  const allowed = { min: 1, max: Number.MAX_SAFE_INTEGER, multipleOf: 1, unit: 'bytes' };
  return rejectWorkload('BAD_SIZE', { what: 'comm_size', got: commSize, allowed, where });
}

/**
 * Groups of ranks by name: `{ "1": [0, 2], "2": [1, 3] }`. An empty name, or 0, means all ranks. Traces from PyTorch may
 * define groups in the inputs of a metadata node, as JSON text within JSON text: `[{ "pg_name": "1", "ranks": [0, 2] }]`;
 * an empty list of ranks means all.
 */
export class Groups {
  readonly #all: readonly number[];
  readonly #named: Map<string, readonly number[]>;

  /** @throws RoceError `invalid-workload`, `BAD_GROUPS` or `RANK_OUT_OF_RANGE`. */
  constructor(ranks: number, named: unknown, where: string) {
    this.#all = Array.from({ length: ranks }, (_, rank) => rank);
    if (typeof named !== 'object' || named === null || Array.isArray(named)) {
      rejectWorkload('BAD_GROUPS', { what: 'the groups', got: named, allowed: 'an object of lists of ranks', where });
    }
    this.#named = new Map(
      Object.entries(named).map(([name, members]) => [name, membersOf(name, members, ranks, where)]),
    );
  }

  /**
   * Adds the groups defined in an input of a metadata node, if any. @throws RoceError `invalid-workload`, `BAD_GROUPS`.
   */
  addStated(input: string, where: string): void {
    if (!input.includes('pg_name')) return;
    for (const one of statedGroups(input, where)) {
      const name = String(one['pg_name']);
      const ranks = one['ranks'];
      const isAll = ranks === undefined || (Array.isArray(ranks) && ranks.length === 0);
      const members = isAll ? this.#all : membersOf(name, ranks, this.#all.length, where);
      const known = this.#named.get(name);
      if (known !== undefined && String(known) !== String(members)) {
        const problem = 'has different ranks elsewhere';
        rejectWorkload('BAD_GROUPS', { what: `the group ${name}`, problem, got: members, where });
      }
      this.#named.set(name, members);
    }
  }

  /** Returns the ranks of a group. @throws RoceError `invalid-workload`, `UNKNOWN_GROUP`. */
  membersOf(name: string | undefined, where: string): readonly number[] {
    if (name === undefined || name === '' || (name === '0' && !this.#named.has('0'))) return this.#all;
    const found = this.#named.get(name);
    if (found !== undefined) return found;
    const allowed = [...this.#named.keys()];
    return rejectWorkload('UNKNOWN_GROUP', { what: 'the group', got: name, allowed, where });
  }
}

function membersOf(name: string, members: unknown, ranks: number, where: string): number[] {
  if (!Array.isArray(members) || members.length === 0 || !members.every((rank) => Number.isInteger(rank))) {
    rejectWorkload('BAD_GROUPS', { what: `the group ${name}`, got: members, allowed: 'a list of ranks', where });
  }
  const list = (members as number[]).toSorted((a, b) => a - b);
  const wrong = list.find((rank) => rank < 0 || rank >= ranks);
  if (wrong !== undefined) {
    const allowed = { min: 0, max: ranks - 1, multipleOf: 1 };
    rejectWorkload('RANK_OUT_OF_RANGE', { what: `a rank of the group ${name}`, got: wrong, allowed, where });
  }
  if (new Set(list).size < list.length) {
    rejectWorkload('BAD_GROUPS', { what: `the group ${name}`, problem: 'contains a rank twice', got: members, where });
  }
  return list;
}

function statedGroups(input: string, where: string): readonly Readonly<Record<string, unknown>>[] {
  let value: unknown = input;
  for (let depth = 0; depth < QUOTED_MAX && typeof value === 'string'; depth++) {
    value = parse(value, where);
    if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') [value] = value as [string];
  }
  const isRight = Array.isArray(value) &&
    value.every((one: unknown) =>
      typeof one === 'object' && one !== null && isName((one as { pg_name?: unknown }).pg_name)
    );
  if (isRight) return value as readonly Readonly<Record<string, unknown>>[];
  return rejectWorkload('BAD_GROUPS', {
    what: 'the groups',
    got: input,
    allowed: 'a list with pg_name and ranks',
    where,
  });
}

function isName(name: unknown): boolean {
  return typeof name === 'string' || typeof name === 'number';
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return rejectWorkload('BAD_GROUPS', { what: 'the groups', problem: 'are not JSON', cause: error, where });
  }
}
