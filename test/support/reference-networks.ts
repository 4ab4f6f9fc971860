/**
 * Small random networks of fidelity `reference`, as arbitraries: what the kernel and the plain model are compared on.
 *
 * Link delays go from 0 to 20 ms, so that events lie in the kernel's wheel and beyond it; buffers are small, so that pauses and,
 * without them, losses come up; flows start together or apart, several per pair of hosts.
 */
import fc from 'fast-check';
import type { AlgorithmSpec, EcnSpec, FlowSpec, HostOverrideSpec, LinkSpec, OverrideSpec, ScenarioSpec,
  TopologySpec } from '../../src/sim/scenario/spec.js';

const RATES_GBPS = [25, 40, 50, 100, 200, 400] as const;
const DELAYS_NS = [0, 1, 7, 100, 1000, 1003, 16_000, 17_000, 300_000, 20_000_000] as const;
const LONG_DELAY_NS = 100_000;
const RESERVED_BYTES = 4096;

const rateGbps = fc.constantFrom(...RATES_GBPS);
const link: fc.Arbitrary<Required<LinkSpec>> = fc.record({ rateGbps, delayNs: fc.constantFrom(...DELAYS_NS) });

interface Shape {
  readonly topology: TopologySpec;
  readonly hosts: number;
  /** Of the switch that has most. */
  readonly ports: number;
}

const star: fc.Arbitrary<Shape> = fc.record({ hosts: fc.integer({ min: 2, max: 9 }), link })
  .map(({ hosts, link: of }) => ({ topology: { kind: 'star', hosts, ...of }, hosts, ports: hosts }));

const dumbbell: fc.Arbitrary<Shape> = fc.record({
  left: fc.integer({ min: 1, max: 4 }),
  right: fc.integer({ min: 1, max: 4 }),
  link,
  bottleneck: link,
})
  .map(({ left, right, link: of, bottleneck }) => ({
    topology: { kind: 'dumbbell', left, right, ...of, bottleneck },
    hosts: left + right,
    ports: Math.max(left, right) + 1,
  }));

const leafSpine: fc.Arbitrary<Shape> = fc.record({
  leaves: fc.integer({ min: 2, max: 3 }),
  spines: fc.integer({ min: 1, max: 3 }),
  hostsPerLeaf: fc.integer({ min: 1, max: 3 }),
  link,
  uplink: link,
}).map(({ leaves, spines, hostsPerLeaf, link: of, uplink }) => ({
  topology: { kind: 'leaf-spine', leaves, spines, hostsPerLeaf, ...of, uplink },
  hosts: leaves * hostsPerLeaf,
  ports: Math.max(leaves, spines + hostsPerLeaf),
}));

const algorithm: fc.Arbitrary<AlgorithmSpec> = fc.oneof(fc.record({
  preset: fc.constant('dcqcn-ns3'),
  set: fc.constantFrom('dcqcn', 'dcqcn_paper', 'config.txt', 'attribute-defaults'),
  window: fc.constantFrom('none', 'fixed', 'variable'),
}), fc.record({
  preset: fc.constant('hpcc-ns3'),
  set: fc.constantFrom('run.py', 'paper-stage5', 'multirate', 'nofast', 'sample'),
}), fc.record({
  preset: fc.constantFrom('timely-ns3', 'dctcp-ns3'),
  window: fc.constantFrom('none', 'fixed', 'variable'),
})) as fc.Arbitrary<AlgorithmSpec>;

const ecn: fc.Arbitrary<EcnSpec> = fc.oneof(
  fc.integer({ min: 1, max: 200 }).map((kB) => ({ kminKB: kB, kmaxKB: kB, pmax: 1 })),
  fc.record({
    kminKB: fc.integer({ min: 1, max: 50 }),
    kmaxKB: fc.integer({ min: 50, max: 300 }),
    pmax: fc.constantFrom(0.01, 0.2, 1),
  }),
);

/** Pairs by number, so that several flows have the same one; at 0, apart, or within each other's first packets. */
function flowsAmong(hosts: number): fc.Arbitrary<FlowSpec[]> {
  const flow = fc.record({
    from: fc.nat(hosts - 1),
    step: fc.integer({ min: 1, max: hosts - 1 }),
    sizeBytes: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 3000, max: 150_000 })),
    trafficClass: fc.constantFrom(3, 3, 3, 1, 7),
    startPs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 }).map((ns) => 1000 * ns),
      fc.integer({ min: 0, max: 40 }).map((us) => 1_000_000 * us)),
  });
  const toOne = fc.array(flow, { minLength: 1, maxLength: 12 }).map((flows) =>
    flows.map((each) => ({ ...each, step: 0 }))
  );
  return fc.oneof(fc.array(flow, { minLength: 1, maxLength: 12 }), toOne).map((flows) =>
    flows.map(({ from, step, ...others }) => {
      const source = step === 0 && from === hosts - 1 ? 0 : from;
      const target = step === 0 ? hosts - 1 : (from + step) % hosts;
      return { from: `h${source}`, to: `h${target}`, ...others };
    })
  );
}

function isLong(topology: TopologySpec): boolean {
  const links: LinkSpec[] = [topology as LinkSpec];
  if ('bottleneck' in topology && topology.bottleneck !== undefined) links.push(topology.bottleneck);
  if ('uplink' in topology && topology.uplink !== undefined) links.push(topology.uplink);
  return links.some(({ delayNs = 0 }) => delayNs > LONG_DELAY_NS);
}

/** Where links are long, timeouts are longer: else flows would be sent over and over. None comes just when the run ends. */
const LONG_TIMEOUTS = 100;

function timeoutsOf({ topology }: Shape): number {
  return isLong(topology) ? LONG_TIMEOUTS : 1;
}

/** Settings of single hosts. */
function overridesAmong(hosts: number, timeouts: number): fc.Arbitrary<readonly OverrideSpec[]> {
  const host: fc.Arbitrary<HostOverrideSpec> = fc.record({
    retransmitTimeoutUs: fc.constantFrom(0, 150.3, 400.7, 1000.9).map((us) => us * timeouts),
    mtuBytes: fc.constantFrom(100, 999, 1024, 9000),
  }, { requiredKeys: [] });
  const override = fc.record({ nodes: fc.nat(hosts - 1).map((number) => [`h${number}`]), host });
  return fc.oneof(fc.constant([]), fc.array(override, { maxLength: 4 }));
}

/** A scenario that fidelity `reference` runs in a second or less. */
export const referenceNetworks: fc.Arbitrary<ScenarioSpec> = fc.oneof(star, dumbbell, leafSpine).chain((shape) =>
  fc.record({
    flows: flowsAmong(shape.hosts),
    algorithm,
    ecn,
    pfc: fc.boolean(),
    headroomBytes: fc.constantFrom(0, 5000, 37_500),
    sharedBytes: fc.constantFrom(20_000, 100_000, 2_000_000),
    acksPausable: fc.boolean(),
    paced: fc.boolean(),
    packets: fc.record({
      mtuBytes: fc.constantFrom(1000, 1000, 256, 1500, 4096),
      ackIntervalBytes: fc.constantFrom(0, 0, 0, 4000, 10_000, 100_000),
      ackChunkBytes: fc.constantFrom(4000, 1000, 3072),
    }),
    seed: fc.nat(1000),
    retransmitTimeoutUs: fc.constantFrom(0, 0, 0, 300.7).map((us) => us * timeoutsOf(shape)),
    overrides: overridesAmong(shape.hosts, timeoutsOf(shape)),
  }).map((
    {
      flows,
      algorithm: only,
      ecn: marking,
      pfc,
      headroomBytes,
      sharedBytes,
      acksPausable,
      paced,
      packets,
      seed,
      retransmitTimeoutUs,
      overrides,
    },
  ): ScenarioSpec => ({
    name: 'random',
    fidelity: 'reference',
    seed,
    durationUs: isLong(shape.topology) ? 200_000 : 10_000,
    topology: shape.topology,
    workload: { kind: 'flows', flows },
    algorithms: { only },
    switches: {
      pfc,
      headroomBytes,
      bufferBytes: shape.ports * (headroomBytes + RESERVED_BYTES) + sharedBytes,
      ecn: marking,
    },
    hosts: { acksPausable, paced, ...packets, retransmitTimeoutUs },
    overrides,
  }))
);
