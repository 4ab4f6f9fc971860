/** Kinds of topology and workload that the form can edit, with initial values for a newly chosen kind. */
import type { Json } from './scenario-edit.js';
import { ofKind, type Schema } from './schema-fields.js';

export type Part = 'topology' | 'workload';

type Start = Readonly<Record<string, number | string>>;

/** Values of keys without a default, small so that the first run is short. Other kinds need lists or files. */
const STARTS: Readonly<Record<Part, Readonly<Record<string, Start>>>> = {
  topology: {
    star: { hosts: 17 },
    dumbbell: { left: 8, right: 9 },
    'leaf-spine': { leaves: 4, spines: 2, hostsPerLeaf: 5 },
    'fat-tree': { k: 4 },
    'two-data-centers': { leaves: 2, spines: 2, hostsPerLeaf: 5 },
  },
  workload: {
    incast: { senders: 8, sizeBytes: 1_000_000 },
    permutation: { sizeBytes: 1_000_000 },
    'all-to-all': { sizeBytes: 100_000 },
    'ring-all-reduce': { sizeBytes: 1_000_000 },
    poisson: { load: 0.5, sizes: 'WebSearch', flows: 200 },
    collective: { collective: 'all-reduce', sizeBytes: 1_000_000 },
  },
};

/** Kinds to choose from. @param present current kind, listed even if the form cannot create it. */
export function kindsOf(part: Part, present: string): string[] {
  const kinds = Object.keys(STARTS[part]);
  return kinds.includes(present) || present === '' ? kinds : [...kinds, present];
}

/** Changes the kind; keys with the same meaning in both are kept. */
export function withKind(schema: Schema | undefined, part: Part, before: Json | undefined, kind: string): Json {
  const was = typeof before === 'object' && before !== null && !Array.isArray(before) ?
    before as Readonly<Record<string, Json>> :
    {};
  const [old, next] = [ofKind(schema, typeof was['kind'] === 'string' ? was['kind'] : ''), ofKind(schema, kind)];
  const isSame = (key: string): boolean => {
    const [from, to] = [old?.properties?.[key], next?.properties?.[key]];
    return key !== 'kind' && from !== undefined && to !== undefined && from.type === to.type &&
      from.description === to.description;
  };
  const kept = Object.entries(was).filter(([key]) => isSame(key));
  return { kind, ...STARTS[part][kind], ...Object.fromEntries(kept) };
}
