/** Groups of ranks by name: `{ "1": [0, 2], "2": [1, 3] }`; an empty name, or 0, is all of them. */
import { refuseWorkload } from '../workload-error.js';

/** Ranks in ascending order. */
export class Groups {
  readonly #all: readonly number[];
  readonly #named: ReadonlyMap<string, readonly number[]>;

  /** @throws RoceError `invalid-workload`, `BAD_GROUPS` or `RANK_OUT_OF_RANGE`. */
  constructor(ranks: number, named: unknown, where: string) {
    this.#all = Array.from({ length: ranks }, (_, rank) => rank);
    if (typeof named !== 'object' || named === null || Array.isArray(named)) {
      refuseWorkload('BAD_GROUPS', { what: 'the groups', got: named, allowed: 'an object of lists of ranks', where });
    }
    this.#named = new Map(
      Object.entries(named).map(([name, members]) => [name, membersOf(name, members, ranks, where)]),
    );
  }

  /** @throws RoceError `invalid-workload`, `UNKNOWN_GROUP`. */
  membersOf(name: string | undefined, where: string): readonly number[] {
    if (name === undefined || name === '' || (name === '0' && !this.#named.has('0'))) return this.#all;
    const found = this.#named.get(name);
    if (found !== undefined) return found;
    const allowed = [...this.#named.keys()];
    return refuseWorkload('UNKNOWN_GROUP', { what: 'the group', got: name, allowed, where });
  }
}

function membersOf(name: string, members: unknown, ranks: number, where: string): number[] {
  if (!Array.isArray(members) || members.length === 0 || !members.every((rank) => Number.isInteger(rank))) {
    refuseWorkload('BAD_GROUPS', { what: `the group ${name}`, got: members, allowed: 'a list of ranks', where });
  }
  const list = (members as number[]).toSorted((a, b) => a - b);
  const wrong = list.find((rank) => rank < 0 || rank >= ranks);
  if (wrong !== undefined) {
    const allowed = { min: 0, max: ranks - 1, multipleOf: 1 };
    refuseWorkload('RANK_OUT_OF_RANGE', { what: `a rank of the group ${name}`, got: wrong, allowed, where });
  }
  if (new Set(list).size < list.length) {
    refuseWorkload('BAD_GROUPS', { what: `the group ${name}`, problem: 'has a rank twice', got: members, where });
  }
  return list;
}
