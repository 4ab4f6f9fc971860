/** Load balancing and path selection of random networks of fidelity `standard`, as arbitraries. */
import fc from 'fast-check';
import { BALANCING_RULES } from '../../../src/sim/features/balancing/rules.js';
import type { EdgesSpec, HostSpec, LinkSpec, OverrideSpec, ScenarioSpec,
  SwitchSpec } from '../../../src/sim/scenario/spec.js';

/** Rules that single switches may have. */
export const LOCAL_RULES = BALANCING_RULES.filter((rule) => rule !== 'conga');

/** Those of any transport. */
export const SELECTIONS = ['flow', 'oblivious', 'bitmap', 'reps'] as const;

/** More often the hash, which path selection of hosts depends on. Times are short, so that flowlets end and reports and queue classes expire within a run. */
export function balancing(takesConga: boolean): fc.Arbitrary<SwitchSpec & Required<Pick<SwitchSpec, 'loadBalancing'>>> {
  return fc.record({
    loadBalancing: fc.constantFrom(...LOCAL_RULES, 'ecmp', 'ecmp', 'ecmp', 'wcmp',
      ...(takesConga ? ['conga', 'conga'] as const : [])),
    flowletGapUs: fc.constantFrom(0, 1, 5, 30),
    drill: fc.record({ samples: fc.integer({ min: 1, max: 4 }), memory: fc.integer({ min: 0, max: 3 }) }),
    conga: fc.record({ tauUs: fc.constantFrom(1, 8, 160), ageingUs: fc.constantFrom(2, 20, 10_000) }),
    adaptive: fc.record({
      thresholdsKB: fc.constantFrom([1], [0.5, 2, 5], [1, 2, 3, 4, 5, 6, 7]),
      refreshNs: fc.constantFrom(0, 100, 1000),
    }, { requiredKeys: [] }),
  });
}

/** In half of the networks each flow keeps its port. Ports are few, so that penalties and the ring of REPS matter. */
export const pathSelection: fc.Arbitrary<Pick<HostSpec, 'pathSelection' | 'entropies' | 'reps'>> = fc.oneof(
  fc.constant({}),
  fc.record({
    pathSelection: fc.constantFrom(...SELECTIONS, 'bitmap', 'reps', 'reps'),
    entropies: fc.constantFrom(undefined, 1, 2, 8, 16_384),
    reps: fc.record({
      freezeUs: fc.constantFrom(0, 10, 200),
      explorePackets: fc.constantFrom(0, 3, 16),
    }, { requiredKeys: [] }),
  }).map(({ entropies, ...others }) => ({ ...others, ...(entropies === undefined ? {} : { entropies }) })),
);

/** A host that chooses the port of each packet can not change that of the flow. */
export function withoutDetours(spec: ScenarioSpec): ScenarioSpec {
  const { hosts = {}, overrides = [] } = spec;
  const selects = [hosts, ...overrides.map(({ host }) => host)].some((one) =>
    (one?.pathSelection ?? 'flow') !== 'flow'
  );
  if (!selects) return spec;
  return {
    ...spec,
    hosts: { ...hosts, onFastCnp: 'slow-down' },
    overrides: overrides.map((one) =>
      one.host?.onFastCnp === undefined ? one : { ...one, host: { ...one.host, onFastCnp: 'slow-down' } }
    ),
  };
}

/** CONGA has no exceptions. */
export function withoutRules(overrides: readonly OverrideSpec[]): OverrideSpec[] {
  return overrides.map(({ switch: of, ...rest }) => {
    const others = Object.entries(of ?? {}).filter(([key]) => key !== 'loadBalancing');
    return of === undefined ? rest : { ...rest, switch: Object.fromEntries(others) };
  });
}

interface LeafSpine {
  readonly leaves: number;
  readonly spines: number;
  readonly hostsPerLeaf: number;
  readonly link: Required<LinkSpec>;
  readonly uplink: Required<LinkSpec>;
}

/** A leaf-spine network in which the first leaf's last uplink and the last leaf's first one are slower by a factor. */
export function slowUplinks({ leaves, spines, hostsPerLeaf, link, uplink }: LeafSpine, factor: number): EdgesSpec {
  const hosts = Array.from({ length: leaves * hostsPerLeaf }, (_, host) => `h${host}`);
  const leafNames = Array.from({ length: leaves }, (_, leaf) => `leaf${leaf}`);
  const spineNames = Array.from({ length: spines }, (_, spine) => `spine${spine}`);
  const isSlow = (leaf: number, spine: number): boolean =>
    (leaf === 0 && spine === spines - 1) || (leaf === leaves - 1 && spine === 0);
  return {
    kind: 'edges',
    nodes: [
      ...hosts.map((name) => ({ name, kind: 'host' as const })),
      ...[...leafNames, ...spineNames].map((name) => ({ name, kind: 'switch' as const })),
    ],
    links: [
      ...hosts.map((from, host) => ({ from, to: `leaf${Math.floor(host / hostsPerLeaf)}`, ...link })),
      ...leafNames.flatMap((from, leaf) =>
        spineNames.map((to, spine) => ({
          from,
          to,
          ...uplink,
          rateGbps: isSlow(leaf, spine) ? uplink.rateGbps / factor : uplink.rateGbps,
        }))
      ),
    ],
  };
}
