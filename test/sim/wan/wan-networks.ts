/** Random small WANs: rows of routers, services, access lists, flow control, faults; short links, so that runs are short. */
import fc from 'fast-check';
import type { ScenarioSpec, WanSpec } from '../../../src/sim/index.js';

const PER_LEAF = 2;

const shape = fc.record({
  edges: fc.integer({ min: 1, max: 2 }),
  paths: fc.integer({ min: 1, max: 2 }),
  routers: fc.integer({ min: 1, max: 2 }),
  rateGbps: fc.constantFrom(10, 25, 40, 100),
  delayNs: fc.constantFrom(0, 3000, 20_000),
  slow: fc.boolean(),
}).map(({ slow, ...wan }) => {
  // WAN routers are congested if the last link of their row is slower than the others.
  const links = Array.from({ length: wan.routers + 1 },
    (_, i) => (i === wan.routers ? { rateGbps: wan.rateGbps / 4 } : {}));
  return slow ? { ...wan, links } : wan;
});

const flow = (hosts: number) =>
  fc.record({
    from: fc.integer({ min: 0, max: hosts - 1 }),
    step: fc.integer({ min: 1, max: hosts - 1 }),
    sizeBytes: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 30_000, max: 80_000 })),
    startUs: fc.integer({ min: 0, max: 20 }),
    trafficClass: fc.constantFrom(3, 4),
  }).map(({ from, step, ...rest }) => ({ from: `h${from}`, to: `h${(from + step) % hosts}`, ...rest }));

const permit = fc.subarray(['dc0', 'dc1', 'wan', 'r0', 'pe0', 'dc1.leaf0']);
const accessLists = fc.oneof(
  fc.constant([{ at: 'gateways', permit: ['dc0', 'dc1', 'wan'] }, { at: 'edges', permit: ['dc0', 'dc1', 'wan'] }]),
  fc.array(fc.record({
    at: fc.constantFrom('gateways', 'edges', 'pe0', 'dc1.gateway'),
    direction: fc.constantFrom('in', 'out'),
    permit,
  }), { minLength: 1, maxLength: 5 }),
);

const arn = fc.record({
  kind: fc.constant('arn' as const),
  level: fc.constantFrom('service', 'flow', 'priority'),
  pauseTimeUs: fc.constantFrom(3, 10, 40),
  xonBytes: fc.constantFrom(0, 2000),
  xoffBytes: fc.constantFrom(3000, 9000),
  gateways: fc.constantFrom('pfc', 'arn'),
  resumes: fc.constantFrom(true, true, false),
});
const flowControl = fc.oneof({ weight: 3, arbitrary: arn }, {
  weight: 1,
  arbitrary: fc.constantFrom({ kind: 'pfc' as const }, { kind: 'none' as const }),
});

const tunnel = fc.record({
  ecn: fc.constantFrom('normal', 'normal', 'compatibility'),
  dataEcn: fc.constantFrom('ect0', 'ect0', 'ect1', 'not-ect', 'not-ect'),
  routersMark: fc.constantFrom('ect', 'all', 'all'),
});

function servicesOf(edges: number, paths: number, routers: number, kind: number): WanSpec['services'] {
  if (kind === 0) return undefined;
  const last = `r${paths * routers - 1}`;
  const own = edges === 2 ? { edges: ['pe1', 'pe2'] as [string, string] } : {};
  return [{ name: 'one', ...(kind === 1 ? { hosts: ['h1', 'h4'] } : { trafficClasses: [4] }), ...own, via: [last] }];
}

/** Scenarios, each rejected or run. */
export const wanNetworks: fc.Arbitrary<ScenarioSpec> = fc.record({
  wan: shape,
  leaves: fc.integer({ min: 1, max: 2 }),
  hostRate: fc.constantFrom(25, 100),
  kind: fc.integer({ min: 0, max: 2 }),
  accessLists,
  flowControl,
  tunnel,
  seed: fc.integer({ min: 0, max: 1000 }),
  fastCnp: fc.constantFrom(true, true, false),
  option: fc.constantFrom(1 as const, 2 as const),
  small: fc.boolean(),
  pooled: fc.constantFrom(true, false, false),
  preset: fc.constantFrom('dcqcn-sigcomm15', 'none', 'hpcc-pp-draft', 'dctcp-ns3'),
  transport: fc.constantFrom('go-back-n' as const, 'selective-repeat' as const, 'irn' as const, 'tolerant' as const),
  cut: fc.constantFrom('none', 'access', 'row'),
  loss: fc.constantFrom(0, 0, 0.01),
}).chain((drawn) =>
  fc.array(flow(2 * drawn.leaves * PER_LEAF), { minLength: 1, maxLength: 5 }).map((flows) => specOf(drawn, flows))
);

function specOf(
  { wan, leaves, hostRate, kind, seed, fastCnp, option, small, pooled, preset, transport, cut, loss, ...own }: Drawn,
  flows: readonly unknown[],
): ScenarioSpec {
  const { edges, paths, routers } = wan;
  const services = servicesOf(edges, paths, routers, kind);
  const ends = cut === 'access' ? ['dc0.gateway', 'pe0'] : ['pe0', 'r0'];
  const faults = [
    ...(cut === 'none' ? [] : [{ kind: 'link-down', between: ends, fromUs: 30, toUs: 70 }]),
    ...(loss === 0 ? [] : [{ kind: 'loss', between: ['pe0', 'r0'], share: loss }]),
  ];
  return {
    name: 'wan',
    seed,
    topology: { kind: 'two-data-centers', leaves, spines: 1, hostsPerLeaf: PER_LEAF, rateGbps: hostRate, wan },
    workload: { kind: 'flows', flows },
    algorithms: { one: { preset } },
    switches: {
      fastCnp: { enabled: fastCnp, option },
      ecn: { kminKB: 5, kmaxKB: 20, pmax: 0.5, scaleWithRate: false },
      ...(pooled ? { buffer: { model: 'service-pools', lossyBytes: 60_000, losslessClasses: [3] } } : {}),
      ...(small ? { headroomBytes: 20_000, bufferBytes: 300_000 } : {}),
    },
    hosts: { transport },
    durationUs: 3000,
    wan: { ...own, ...(services === undefined ? {} : { services }) },
    faults,
  } as unknown as ScenarioSpec;
}

interface Drawn {
  readonly wan: {
    readonly edges: number;
    readonly paths: number;
    readonly routers: number;
    readonly rateGbps: number;
    readonly delayNs: number;
  };
  readonly leaves: number;
  readonly hostRate: number;
  readonly kind: number;
  readonly accessLists: unknown;
  readonly flowControl: unknown;
  readonly tunnel: unknown;
  readonly seed: number;
  readonly fastCnp: boolean;
  readonly option: 1 | 2;
  readonly small: boolean;
  readonly pooled: boolean;
  readonly preset: string;
  readonly transport: string;
  readonly cut: string;
  readonly loss: number;
}
