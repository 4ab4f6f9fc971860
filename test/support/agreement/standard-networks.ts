/**
 * Small random networks of fidelity `standard`, as arbitraries, on which the kernel and the plain model are compared.
 *
 * Thresholds and buffers are small and flows many for their links, so that marks, CNPs, Fast CNPs, pauses and, without
 * them, losses occur; links lose, corrupt and go down; hosts and switches differ in their settings.
 */
import fc from 'fast-check';
import type { AlgorithmSpec, ConnectionsSpec, FaultSpec, HostOverrideSpec, HostSpec, LinkSpec, OverrideSpec,
  ScenarioSpec, SwitchFastCnpSpec, SwitchSpec, TopologySpec, WorkloadSpec } from '../../../src/sim/scenario/spec.js';
import { PRESETS, RATES_GBPS } from '../random-scenarios.js';
import { balancing, LOCAL_RULES, pathSelection, SELECTIONS, slowUplinks, withoutDetours,
  withoutRules } from './balancing-networks.js';

const DELAYS_NS = [1, 100, 1000, 20_000] as const;
const CNP_CLASS = 6;
const TRANSPORTS = ['go-back-n', 'selective-repeat', 'irn', 'tolerant'] as const;
const DURATION_US = 3000;
/** Above the round trip of any of these networks; otherwise Swift sends a thousandth of a packet per round trip. */
const SWIFT_TARGET_PS = 300_000_000;

type Ends = readonly [string, string];

interface Drop {
  readonly flow: number;
  readonly packet: number;
  readonly arrival: number;
  readonly of: 'data' | 'ack';
}

interface Shape {
  readonly topology: TopologySpec;
  readonly hosts: number;
  readonly switches: readonly string[];
  /** Of the switch with most. */
  readonly ports: number;
  /** Links that may fail. */
  readonly between: readonly Ends[];
  /** Whether it has two tiers, as CONGA requires. */
  readonly takesConga: boolean;
}

const TRANSPORT_LIMITS = {
  reorderingWindowPackets: fc.constantFrom(1, 2, 5, 64, 300),
  retryCount: fc.constantFrom(0, 1, 3, 7, 7),
  lossReaction: fc.constantFrom('algorithm', 'none', 'cnp'),
} as const;

/** Maximum size of networks: big ones for queues of many ports, small ones so that there can be thousands. */
export interface NetworkSize {
  readonly hosts: number;
  readonly leaves: number;
  readonly spines: number;
  readonly hostsPerLeaf: number;
  /** Whether there are fat-trees, of 20 switches. */
  readonly fatTrees: boolean;
  readonly flows: number;
  readonly flowBytes: number;
  /** Maximum threshold, kB, at which marking begins; it is certain at three times as many. */
  readonly kminKB: number;
}

export const BIG: NetworkSize = {
  hosts: 9,
  leaves: 3,
  spines: 4,
  hostsPerLeaf: 4,
  fatTrees: true,
  flows: 10,
  flowBytes: 100_000,
  kminKB: 20,
};
export const SMALL: NetworkSize = {
  hosts: 4,
  leaves: 2,
  spines: 3,
  hostsPerLeaf: 2,
  fatTrees: false,
  flows: 4,
  flowBytes: 12_000,
  kminKB: 6,
};

const link: fc.Arbitrary<Required<LinkSpec>> = fc.record({
  rateGbps: fc.constantFrom(...RATES_GBPS),
  delayNs: fc.constantFrom(...DELAYS_NS),
});

function star(size: NetworkSize): fc.Arbitrary<Shape> {
  return fc.record({ hosts: fc.integer({ min: 2, max: size.hosts }), link }).map(({ hosts, link: of }) => ({
    topology: { kind: 'star', hosts, ...of },
    hosts,
    switches: ['s0'],
    ports: hosts,
    between: [['h0', 's0'], ['h1', 's0']],
    takesConga: true,
  }));
}

function leafSpine(size: NetworkSize): fc.Arbitrary<Shape> {
  return fc.record({
    leaves: fc.integer({ min: 2, max: size.leaves }),
    spines: fc.integer({ min: 1, max: size.spines }),
    hostsPerLeaf: fc.integer({ min: 1, max: size.hostsPerLeaf }),
    link,
    uplink: link,
    slow: fc.constantFrom(1, 1, 2, 4),
  }).map(({ leaves, spines, hostsPerLeaf, link: of, uplink, slow }) => ({
    topology: slow === 1 ?
      { kind: 'leaf-spine', leaves, spines, hostsPerLeaf, ...of, uplink } :
      slowUplinks({ leaves, spines, hostsPerLeaf, link: of, uplink }, slow),
    hosts: leaves * hostsPerLeaf,
    switches: ['leaf0', 'leaf1', 'spine0'],
    ports: Math.max(leaves, spines + hostsPerLeaf),
    between: [['leaf0', 'spine0'], ['leaf1', `spine${spines - 1}`], ['h0', 'leaf0']],
    takesConga: true,
  }));
}

const fatTree: fc.Arbitrary<Shape> = link.map((of) => ({
  topology: { kind: 'fat-tree', k: 4, ...of },
  hosts: 16,
  switches: ['edge0', 'agg0', 'core0'],
  ports: 4,
  between: [['edge0', 'agg0'], ['agg0', 'core0'], ['agg2', 'core1']],
  takesConga: false,
}));

const algorithm: fc.Arbitrary<AlgorithmSpec> = fc.record({
  preset: fc.constantFrom(...PRESETS),
  window: fc.constantFrom('none', 'fixed', 'variable'),
}).map(({ preset, window }) => {
  if (preset === 'swift-sigcomm20') return { preset, window, parameters: { baseTargetPs: SWIFT_TARGET_PS } };
  return /^(?:hpcc|nscc)/.test(preset) ? { preset } : { preset, window };
});

const trafficClass = fc.constantFrom(3, 3, 3, 1, CNP_CLASS, 7);

const connections = fc.constantFrom<ConnectionsSpec>('per-message', 'per-message', 'per-pair', 'per-pair', {
  perPair: 2,
}, { perPair: 2, choose: 'fewest-bytes' });

function workload(hosts: number, size: NetworkSize): fc.Arbitrary<WorkloadSpec[]> {
  const start = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 }));
  const flows = fc.array(fc.record({
    from: fc.nat(hosts - 1),
    step: fc.integer({ min: 1, max: hosts - 1 }),
    // Half of them to one host.
    gathers: fc.boolean(),
    sizeBytes: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 5000, max: size.flowBytes })),
    startUs: start,
    trafficClass,
    algorithm: fc.constantFrom('a', 'a', 'b'),
    transport: fc.constantFrom(undefined, undefined, undefined, ...TRANSPORTS),
  }), { minLength: 2, maxLength: size.flows }).map((list): WorkloadSpec => ({
    kind: 'flows',
    flows: list.map(({ from, step, gathers, transport, ...others }) => {
      const source = gathers && from === 0 ? 1 : from;
      const to = `h${gathers ? 0 : (source + step) % hosts}`;
      return { from: `h${source}`, to, ...others, ...(transport === undefined ? {} : { transport }) };
    }),
  }));
  const ring = fc.record({ sizeBytes: fc.integer({ min: 5000, max: size.flowBytes / 2 }), startUs: start })
    .map((of): WorkloadSpec => ({ kind: 'ring-all-reduce', hosts: Math.min(hosts, 4), algorithm: 'a', ...of }));
  const lists = fc.oneof({ weight: 5, arbitrary: flows.map((one) => [one]) }, {
    weight: 1,
    arbitrary: fc.tuple(flows, ring).map((both) => [...both]),
  });
  return fc.tuple(lists, connections).map(([all, rule]) =>
    rule === 'per-message' ? all : all.map((one) => ({ ...one, connections: rule }))
  );
}

const fastCnp: fc.Arbitrary<SwitchFastCnpSpec> = fc.record({
  enabled: fc.boolean(),
  option: fc.constantFrom(1, 2),
  flowRatePerSecond: fc.constantFrom(20_000, 1_000_000),
  flowBurst: fc.constantFrom(1, 4),
  portRatePerSecond: fc.constantFrom(10_000, 1_000_000),
  portBurst: fc.constantFrom(1, 64),
  markWhenLimited: fc.boolean(),
});

function faults(between: readonly Ends[]): fc.Arbitrary<FaultSpec[]> {
  const ends = fc.constantFrom(...between);
  const down = fc.record({
    between: ends,
    fromUs: fc.integer({ min: 1, max: 100 }),
    lastsUs: fc.integer({ min: 1, max: 200 }),
  })
    .map(({ between: of, fromUs, lastsUs }): FaultSpec => ({
      kind: 'link-down',
      between: of,
      fromUs,
      toUs: fromUs + lastsUs,
    }));
  const loss: fc.Arbitrary<FaultSpec> = fc.record({
    kind: fc.constant('loss'),
    between: ends,
    share: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
    of: fc.constantFrom('all', 'data', 'acks', 'cnps'),
  });
  const corruption: fc.Arbitrary<FaultSpec> = fc.record({
    kind: fc.constant('corruption'),
    between: ends,
    share: fc.double({ min: 0.001, max: 0.05, noNaN: true }),
  });
  const some = fc.uniqueArray(fc.oneof(down, loss, corruption), {
    maxLength: 3,
    selector: (fault) => 'between' in fault ? `${fault.kind} ${fault.between.join()}` : fault.kind,
  });
  return fc.oneof(fc.constant<FaultSpec[]>([]), some);
}

/** Single packets that are lost: of a flow of the list, by its index. */
const drops = fc.array(fc.record({
  flow: fc.nat(9),
  packet: fc.nat(30),
  arrival: fc.integer({ min: 1, max: 3 }),
  of: fc.constantFrom('data', 'data', 'ack'),
}), { minLength: 1, maxLength: 8 });

function dropsOf([list]: readonly WorkloadSpec[], drawn: readonly Drop[], mtuBytes: number): FaultSpec[] {
  const flows = list?.kind === 'flows' ? list.flows.length : 1;
  return drawn.map(({ flow, packet, ...others }) => ({
    kind: 'drop',
    flow: flow % flows,
    firstByte: packet * mtuBytes,
    ...others,
  }));
}

function overrides({ hosts, switches }: Shape): fc.Arbitrary<OverrideSpec[]> {
  const host: fc.Arbitrary<HostOverrideSpec> = fc.record({
    cnpIntervalUs: fc.constantFrom(0, 4, 20),
    cnpDelayUs: fc.constantFrom(0, 1, 7),
    notificationPoint: fc.constantFrom(true, true, false),
    acceptFastCnp: fc.boolean(),
    retransmitTimeoutUs: fc.constantFrom(0, 100, 300),
    mtuBytes: fc.constantFrom(256, 1024, 4096),
    transport: fc.constantFrom(...TRANSPORTS),
    ...TRANSPORT_LIMITS,
    onFastCnp: fc.constantFrom('slow-down', 'slow-down-and-detour'),
    pathSelection: fc.constantFrom(...SELECTIONS),
  }, { requiredKeys: [] });
  const ofHost = fc.record({ nodes: fc.nat(hosts - 1).map((number) => [`h${number}`]), host });
  const ofSwitch = fc.record({
    nodes: fc.constantFrom(...switches).map((name) => [name]),
    switch: fc.record({
      pfc: fc.boolean(),
      fastCnp: fc.record({ enabled: fc.boolean() }),
      loadBalancing: fc.constantFrom(...LOCAL_RULES),
    }, { requiredKeys: [] }),
  });
  return fc.array(fc.oneof(ofHost, ofSwitch), { maxLength: 4 });
}

/** Settings of transports, which any host may leave out. */
const transports: fc.Arbitrary<Partial<HostSpec>> = fc.record({
  transport: fc.constantFrom(...TRANSPORTS),
  idleRestartUs: fc.constantFrom(0, 3, 20),
  irn: fc.record({
    windowBytes: fc.constantFrom(1, 3000, 20_000, 500_000),
    timeoutLowUs: fc.constantFrom(20, 100),
    timeoutHighUs: fc.constantFrom(60, 320),
    fewPackets: fc.constantFrom(0, 3),
  }, { requiredKeys: [] }),
  tolerant: fc.record({
    distancePackets: fc.constantFrom(0, 1, 3, 20),
    lossTimeUs: fc.constantFrom(0, 0.1, 1, 15),
  }, { requiredKeys: [] }),
  ...TRANSPORT_LIMITS,
}, { requiredKeys: [] });

const RESERVED_BYTES = 4096;

/** Number of classes that data is sent in; that of a ring is 3. */
function classesOf(workloads: readonly WorkloadSpec[]): number {
  return new Set(workloads.flatMap((of) => (of.kind === 'flows' ? of.flows.map(({ trafficClass: one }) => one) : [3])))
    .size;
}

function shapes(size: NetworkSize): fc.Arbitrary<Shape> {
  return fc.oneof(star(size), leafSpine(size), ...(size.fatTrees ? [fatTree] : []));
}

interface Pools {
  readonly losslessClasses: readonly number[];
  readonly dynamicTh: number;
  readonly reservedBytes: number;
  readonly sharedBytes: number;
}

const pools: fc.Arbitrary<Pools> = fc.record({
  losslessClasses: fc.constantFrom([], [3], [3, 1], [CNP_CLASS, 7]),
  dynamicTh: fc.constantFrom(-3, 0, 3),
  reservedBytes: fc.constantFrom(0, 1518, 6000),
  // The smaller ones lose packets of lossy classes.
  sharedBytes: fc.constantFrom(6000, 20_000, 200_000),
});

const CLASSES = 7;

/** The pool of lossy classes is added to the memory that there is without pools. */
function memoryOf(bufferBytes: number, { ports }: Shape, of: Pools | null): Pick<SwitchSpec, 'bufferBytes' | 'buffer'> {
  if (of === null) return { bufferBytes };
  const { sharedBytes, ...rest } = of;
  const lossyBytes = ports * CLASSES * of.reservedBytes + sharedBytes;
  return { bufferBytes: bufferBytes + lossyBytes, buffer: { model: 'service-pools', lossyBytes, ...rest } };
}

/** A scenario that fidelity `standard` runs in a fraction of a second. */
export const standardNetworks = (size: NetworkSize): fc.Arbitrary<ScenarioSpec> =>
  shapes(size).chain((shape) =>
    fc.record({
      seed: fc.nat(1_000_000),
      workload: workload(shape.hosts, size),
      algorithms: fc.record({ a: algorithm, b: algorithm }),
      headroomBytes: fc.constantFrom(2000, 20_000, 100_000),
      sharedBytes: fc.constantFrom(5000, 50_000, 2_000_000),
      pfc: fc.boolean(),
      pools: fc.constantFrom(false, false, true).chain((has) => has ? pools : fc.constant(null)),
      strictClasses: fc.constantFrom([], [], [], [1], [3], [1, 7]),
      ecn: fc.record({
        kminKB: fc.integer({ min: 1, max: size.kminKB }),
        kmaxKB: fc.integer({ min: size.kminKB, max: 3 * size.kminKB }),
        pmax: fc.constantFrom(0.01, 0.3, 1),
        markAt: fc.constantFrom('dequeue', 'enqueue'),
      }),
      fastCnp,
      hosts: fc.record({
        mtuBytes: fc.constantFrom(256, 1024, 1024, 4096),
        cnpDelayUs: fc.constantFrom(0, 0, 3),
        cnpIntervalUs: fc.constantFrom(0, 4, 50),
        paced: fc.constantFrom(true, true, true, false),
        acksPausable: fc.boolean(),
        retransmitTimeoutUs: fc.constantFrom(50, 150, 500),
        onFastCnp: fc.constantFrom('slow-down', 'slow-down-and-detour'),
      }),
      selection: pathSelection,
      transports,
      balancing: balancing(shape.takesConga),
      adapts: fc.boolean(),
      overrides: overrides(shape),
      faults: faults(shape.between),
      drops: fc.oneof(fc.constant([]), drops),
    }).map(
      (
        {
          headroomBytes,
          sharedBytes,
          pfc,
          pools: drawnPools,
          strictClasses,
          ecn,
          fastCnp: switchFastCnp,
          hosts,
          transports: ofTransports,
          selection,
          adapts,
          algorithms,
          faults: ofLinks,
          drops: ofPackets,
          balancing: of,
          ...others
        },
      ): ScenarioSpec => {
        const { retransmitTimeoutUs, ...fixed } = hosts;
        const classes = classesOf(others.workload);
        return withoutDetours({
          name: 'random',
          durationUs: DURATION_US,
          topology: shape.topology,
          algorithms: algorithms as Readonly<Record<string, AlgorithmSpec>>,
          switches: {
            pfc,
            ecn,
            fastCnp: switchFastCnp,
            ...of,
            ...(strictClasses.length === 0 ? {} : { strictClasses }),
            headroomBytes,
            ...memoryOf(shape.ports * (headroomBytes + RESERVED_BYTES) * classes + sharedBytes, shape, drawnPools),
          },
          hosts: { ...fixed, ...selection, ...(adapts ? {} : { retransmitTimeoutUs }), ...ofTransports },
          faults: [...ofLinks, ...dropsOf(others.workload, ofPackets, hosts.mtuBytes)],
          ...others,
          overrides: of.loadBalancing === 'conga' ? withoutRules(others.overrides) : others.overrides,
        });
      },
    )
  );
