/** Random networks of several planes, whose flows of MRC are sprayed over them, while links, switches and planes go down. */
import fc from 'fast-check';
import { discards } from './mrc-networks.js';
import type { DeniedEntropiesSpec, EntropyBitsSpec, FaultSpec, ScenarioSpec, SwitchSpec, TopologySpec,
  TrimmingSpec } from '../../../src/sim/scenario/spec.js';

const topology: fc.Arbitrary<TopologySpec> = fc.record({
  kind: fc.constant('leaf-spine' as const),
  leaves: fc.constant(2),
  spines: fc.constantFrom(1, 2),
  hostsPerLeaf: fc.constantFrom(1, 3),
  planes: fc.constantFrom(2, 2, 3),
  rateGbps: fc.constantFrom(25, 100),
  delayNs: fc.constantFrom(100, 1000),
});

const times = { fromUs: fc.integer({ min: 1, max: 60 }), lastsUs: fc.integer({ min: 1, max: 200 }) };

const faults: fc.Arbitrary<FaultSpec[]> = fc.array(
  fc.oneof(fc.record({ kind: fc.constant('plane-down'), plane: fc.constantFrom(0, 1), ...times }),
    fc.record({ kind: fc.constant('switch-down'), node: fc.constantFrom('p0.leaf1', 'p1.spine0'), ...times }),
    fc.record({ kind: fc.constant('link-down'), between: fc.constant(['nic1', 'p0.leaf0'] as const), ...times }),
    fc.record({
      kind: fc.constant('loss'),
      between: fc.constant(['nic1', 'p1.leaf0'] as const),
      share: fc.constantFrom(0.3, 1),
      of: fc.constantFrom('all', 'data'),
      ...times,
    })).map(({ fromUs, lastsUs, ...fault }) => ({ ...fault, fromUs, toUs: fromUs + lastsUs }) as FaultSpec),
  { maxLength: 3 },
);

/** Switches that read bits of the entropy, in some networks. Bits of planes that the entropies of a flow do not have are left out. */
const structured = (entropies = 128): fc.Arbitrary<SwitchSpec> => {
  const tiers = [{ offset: 0, width: 2 }, { offset: 3, width: 1 }];
  return fc.constantFrom<EntropyBitsSpec | undefined>(undefined, undefined, {}, { plane: { offset: 0, width: 2 } }, {
    plane: { offset: 1, width: 2 },
    tiers,
  }, { plane: { offset: 4, width: 3 }, tiers: [{ offset: 1, width: 3 }] }).map((drawn) => {
    if (drawn === undefined) return {};
    const { plane, ...others } = drawn;
    const isIn = plane !== undefined && 2 ** (plane.offset + plane.width) <= entropies;
    return { loadBalancing: 'entropy-bits', entropyBits: isIn ? drawn : others };
  });
};

/** At least two hosts at the first leaf, so that `nic1` is there. */
export const planeNetworks: fc.Arbitrary<ScenarioSpec> = fc.record({
  topology: topology.filter((one) => one.kind === 'leaf-spine' && one.hostsPerLeaf > 1),
  seed: fc.nat(1_000_000),
  faults,
  flows: fc.array(fc.record({
    from: fc.nat(5),
    step: fc.integer({ min: 1, max: 5 }),
    gathers: fc.boolean(),
    sizeBytes: fc.integer({ min: 1, max: 200_000 }),
    startUs: fc.integer({ min: 0, max: 40 }),
  }), { minLength: 1, maxLength: 6 }),
  preset: fc.constantFrom('none', 'dcqcn-connectx', 'swift-sigcomm20'),
  pathSelection: fc.constantFrom('oblivious', 'bitmap', 'reps', 'flow', 'entropy-states', 'entropy-states'),
  entropies: fc.constantFrom(undefined, 2, 8),
  reserve: fc.constantFrom(0, 2, 5),
  portRoomBytes: fc.constantFrom(0, 1, 3000, 8192, 100_000),
  denied: fc.constantFrom<DeniedEntropiesSpec[]>([], [], [{ plane: 0, toUs: 30 }], [{ plane: 1, fromUs: 8 }, {
    entropies: [0],
    toUs: 20,
  }]),
  trimming: fc.constantFrom<TrimmingSpec | boolean>(false, {
    queueBytes: 20_000,
    lastHopQueueBytes: 9000,
  }, { queueBytes: 5000, lastHopQueueBytes: 30_000, trimmedQueueBytes: 1000 }),
  transport: fc.constantFrom('mrc', 'mrc', 'tolerant', 'go-back-n'),
  portDetectUs: fc.constantFrom(0, 5, 50, 1000),
  portStatus: fc.constantFrom(false, true, true),
  mtuBytes: fc.constantFrom(1024, 4096),
  discarding: fc.oneof({ weight: 3, arbitrary: fc.constant<FaultSpec[]>([]) }, discards(['h0', 'h1', 'h2'])),
}).chain((drawn) => structured(drawn.entropies).map((bits) => ({ ...drawn, bits }))).map((
  {
    topology: of,
    seed,
    faults: drawn,
    flows,
    preset,
    pathSelection,
    trimming,
    transport,
    portDetectUs,
    portStatus,
    mtuBytes,
    entropies,
    reserve,
    portRoomBytes,
    denied,
    bits,
    discarding,
  },
) => ({
  name: 'random planes',
  seed,
  durationUs: 4000,
  topology: of,
  workload: {
    kind: 'flows',
    flows: flows.map(({ from, step, gathers, ...flow }) => {
      const source = gathers && from === 0 ? 1 : from;
      return { from: `h${source}`, to: `h${gathers ? 0 : (source + step) % 6}`, ...flow };
    }),
  },
  algorithms: { only: { preset } },
  switches: { ...bits, pfc: false, trimming, ecn: { kminKB: 5, kmaxKB: 20, pmax: 0.5 } },
  hosts: {
    transport: pathSelection === 'entropy-states' ? 'mrc' : transport,
    mtuBytes,
    pathSelection,
    retransmitTimeoutUs: 200,
    mrc: { portDetectUs, portStatus },
    ...(entropies === undefined ? {} : { entropies }),
    ...(pathSelection === 'entropy-states' ?
      { entropyStates: { reserve, portRoomBytes, denied: entropies === 2 || bits.entropyBits?.plane ? [] : denied } } :
      {}),
  },
  faults: transport === 'mrc' || pathSelection === 'entropy-states' ? [...drawn, ...discarding] : drawn,
}));
