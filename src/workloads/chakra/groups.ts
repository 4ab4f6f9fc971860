/**
 * Groups of ranks by name: `{ "1": [0, 2], "2": [1, 3] }`. An empty name, or 0, means all ranks. Traces from PyTorch
 * may define groups in the inputs of a metadata node, as JSON text within JSON text: `[{ "pg_name": "1", "ranks": [0,
 * 2] }]`; an empty list of ranks means all.
 */
import { rejectWorkload } from '../workload-error.js';

/** Named groups; each has its ranks in ascending order. */
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

/** Maximum nesting of JSON text within JSON text. */
const QUOTED_MAX = 4;

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
