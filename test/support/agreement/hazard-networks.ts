/**
 * Small random networks with PFC's hazards, as arbitraries: those of standard-networks.ts with storms, slow receivers, bit errors
 * and watchdogs; and rings of switches whose routes all go the same way round, so that they can deadlock.
 */
import fc from 'fast-check';
import type { FaultSpec, ScenarioSpec, TopologySpec, WatchdogSpec } from '../../../src/sim/scenario/spec.js';
import { standardNetworks, type NetworkSize } from './standard-networks.js';

const times = fc.integer({ min: 1, max: 300 });

const watchdog: fc.Arbitrary<WatchdogSpec> = fc.record({
  detectionUs: fc.constantFrom(20, 100, 150.5),
  restorationUs: fc.constantFrom(10, 50, 333),
  pollUs: fc.constantFrom(7, 25, 100),
  action: fc.constantFrom('drop', 'forward'),
});

function storm(host: string): fc.Arbitrary<FaultSpec> {
  return fc.record({
    kind: fc.constant('pause-storm' as const),
    host: fc.constant(host),
    fromUs: times,
    lastsUs: fc.oneof(times, fc.constant(1800)),
    trafficClasses: fc.constantFrom([3], [1, 3], [6], [3, 6, 7]),
  }, { requiredKeys: ['kind', 'host', 'fromUs'] });
}

/** @param buffers the smaller one overflows if the host sends no pauses. */
function slowReceiver(host: string, buffers: readonly [number, number]): fc.Arbitrary<FaultSpec> {
  return fc.record({
    kind: fc.constant('slow-receiver' as const),
    host: fc.constant(host),
    rateGbps: fc.constantFrom(1, 5, 9.99),
    bufferBytes: fc.constantFrom(...buffers),
    xoffBytes: fc.constantFrom(...buffers.map((bytes) => bytes / 4)),
    xonBytes: fc.constantFrom(0, 1000),
    pfc: fc.boolean(),
  }, { requiredKeys: ['kind', 'host', 'rateGbps', 'bufferBytes', 'xoffBytes', 'xonBytes'] });
}

function bitErrors(between: readonly [string, string]): fc.Arbitrary<FaultSpec> {
  return fc.record({
    kind: fc.constant('bit-errors' as const),
    between: fc.constant(between),
    perBit: fc.constantFrom(1e-9, 1e-6, 1e-5),
    perFrame: fc.constantFrom(0, 0.001, 0.05),
    direction: fc.constantFrom('both' as const, 'forth' as const),
  });
}

/** The switch of the first hosts. */
function firstSwitch({ kind }: TopologySpec): string {
  if (kind === 'star') return 's0';
  if (kind === 'edges') return 'r0';
  return kind === 'fat-tree' ? 'edge0' : 'leaf0';
}

/** At most one of each kind and host. */
function hazards(topology: TopologySpec, buffers: readonly [number, number]): fc.Arbitrary<FaultSpec[]> {
  const some = [
    storm('h0'),
    storm('h1'),
    slowReceiver('h0', buffers),
    slowReceiver('h1', buffers),
    bitErrors(['h0', firstSwitch(topology)]),
  ];
  return fc.tuple(...some.map((one) => fc.option(one, { freq: 2 }))).map((list) => list.filter((one) => one !== null));
}

/** Each host of the ring sends round it, past as many switches as `far` says. */
const ring: fc.Arbitrary<ScenarioSpec> = fc.record({
  switches: fc.integer({ min: 3, max: 4 }),
  far: fc.integer({ min: 1, max: 2 }),
  sizeBytes: fc.constantFrom(60_000, 300_000),
  sharedBytes: fc.constantFrom(20_000, 200_000),
  algorithm: fc.constantFrom('none', 'dcqcn-sigcomm15'),
  starts: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 8, maxLength: 8 }),
  seed: fc.nat(1_000_000),
  retransmitTimeoutUs: fc.constantFrom(0, 200),
}).map(({ switches, far, sizeBytes, sharedBytes, algorithm, starts, seed, retransmitTimeoutUs }) => {
  const numbers = Array.from({ length: switches }, (_, i) => i);
  const links = numbers.flatMap((i) => [
    { from: `h${i}`, to: `r${i}`, rateGbps: 100, delayNs: 100 },
    { from: `h${switches + i}`, to: `r${i}`, rateGbps: 100, delayNs: 100 },
    { from: `r${i}`, to: `r${(i + 1) % switches}`, rateGbps: 100, delayNs: 100 },
  ]);
  const onwards = numbers.flatMap((i) =>
    numbers.filter((j) => j !== i).flatMap((j) =>
      [j, switches + j].map((host) => ({ node: `r${i}`, destination: `h${host}`, via: [`r${(i + 1) % switches}`] }))
    )
  );
  return {
    name: 'ring',
    seed,
    durationUs: 1501.3,
    topology: {
      kind: 'edges' as const,
      nodes: [
        ...[...numbers, ...numbers].map((_, i) => ({ name: `h${i}`, kind: 'host' as const })),
        ...numbers.map((i) => ({ name: `r${i}`, kind: 'switch' as const })),
      ],
      links,
      routes: onwards,
    },
    algorithms: { a: { preset: algorithm } },
    switches: { headroomBytes: 20_000, bufferBytes: 4 * 24_096 + sharedBytes, ecn: { enabled: algorithm !== 'none' } },
    hosts: { retransmitTimeoutUs },
    workload: {
      kind: 'flows' as const,
      flows: [...numbers, ...numbers].map((i, place) => ({
        from: `h${place}`,
        to: `h${(i + far) % switches}`,
        sizeBytes,
        startUs: starts[place],
      })),
    },
  };
});

/** Networks with storms, slow receivers, bit errors and watchdogs in addition. */
function withHazards(networks: fc.Arbitrary<ScenarioSpec>,
  buffers: readonly [number, number]): fc.Arbitrary<ScenarioSpec> {
  return networks.chain((spec) =>
    fc.record({ more: hazards(spec.topology, buffers), watchdog: fc.option(watchdog), victims: fc.boolean() }).map((
      { more, watchdog: dog, victims },
    ): ScenarioSpec => ({
      ...spec,
      durationUs: 1501.3,
      faults: [...(spec.faults ?? []), ...more],
      switches: { ...spec.switches, ...(dog === null ? {} : { watchdog: dog }) },
      record: { victims },
    }))
  );
}

/** Any network with hazards, which fidelity `standard` runs in a fraction of a second. */
export const hazardNetworks = (size: NetworkSize): fc.Arbitrary<ScenarioSpec> =>
  withHazards(standardNetworks(size), [size.flowBytes / 5, 2 * size.flowBytes]);

/** Rings with hazards: they take longer. */
export const hazardRings: fc.Arbitrary<ScenarioSpec> = withHazards(ring, [20_000, 60_000]);
