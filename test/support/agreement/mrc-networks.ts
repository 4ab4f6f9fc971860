/**
 * Random networks of `standard-networks.ts` whose flows are of MRC, or some of them, and whose switches trim: queues are limited to a few packets.
 */
import fc from 'fast-check';
import type { BitFieldSpec, ChangeSpec, DeniedEntropiesSpec, FaultSpec, HostSpec, LossSpec, ScenarioSpec, SwitchSpec,
  TrimmingSpec, WorkloadSpec } from '../../../src/sim/scenario/spec.js';
import { asSettings } from '../../../src/sim/scenario/setting-words.js';
import { pathSelection } from './balancing-networks.js';
import { standardNetworks, type NetworkSize } from './standard-networks.js';

const trimming: fc.Arbitrary<TrimmingSpec | boolean | undefined> = fc.oneof(fc.constant(undefined), {
  weight: 6,
  arbitrary: fc.record({
    sizeBytes: fc.constantFrom(700, 1000),
    trafficClass: fc.constantFrom(6, 5, 4),
    queueBytes: fc.constantFrom(3000, 9000, 40_000),
    lastHopQueueBytes: fc.constantFrom(3000, 12_000, 60_000),
    trimmedQueueBytes: fc.constantFrom(1500, 4000, 100_000),
  }, { requiredKeys: ['sizeBytes', 'queueBytes'] }),
});

/** Bytes in flight, and penalties of windows. */
const windows = {
  inFlight: fc.constantFrom('unacknowledged', 'received-bytes'),
  windowPenalty: fc.constantFrom(0, 0, 0, 0, 5, 64, 127),
  restoreWindow: fc.boolean(),
} as const;

const hosts: fc.Arbitrary<Partial<HostSpec>> = fc.record({
  mrc: fc.record({
    sackBytes: fc.constantFrom(0, 3000, 16_384),
    reorderUs: fc.constantFrom(0, 0.5, 20),
    reorderPackets: fc.constantFrom(0, 1, 3, 16, 70),
    receiverRangePackets: fc.constantFrom(1, 2, 5, 30, 64, 300),
    oorPolicy: fc.constantFrom('nack', 'nack', 'drop'),
    ackRequest: fc.constantFrom('idle', 'small-window'),
    windowRule: fc.constantFrom('below-window', 'packet-fits'),
    ...windows,
    maxWriteImms: fc.constantFrom(0, 1, 1, 2, 5),
    windowProbes: fc.boolean(),
    controlClass: fc.constantFrom(6, 3, 2),
    timer: fc.constantFrom('per-packet', 'per-flow'),
    linearTimeouts: fc.constantFrom(1, 2, 3),
    exponentialTimeouts: fc.constantFrom(0, 1, 4, 25),
    timeoutsCount: fc.constantFrom('rounds', 'packets'),
  }, { requiredKeys: [] }),
  reorderingWindowPackets: fc.constantFrom(1, 3, 40, 64, 65, 300),
  retryCount: fc.constantFrom(0, 2, 7),
  lossReaction: fc.constantFrom('algorithm', 'none', 'cnp'),
}, { requiredKeys: [] });

/** Mostly of entropies that the flow has; not all of them, or else the scenario is rejected. */
const denial = (entropies: number): fc.Arbitrary<DeniedEntropiesSpec> =>
  fc.record({
    entropies: fc.uniqueArray(fc.nat(Math.max(0, entropies - 1)), {
      minLength: 1,
      maxLength: Math.max(1, entropies / 4),
    }),
    fromUs: fc.constantFrom(0, 0, 3, 15),
    toUs: fc.constantFrom(20, 60, 400),
  }, { requiredKeys: ['entropies'] });

/** Few entropies, so that states matter. */
const entropyStates: fc.Arbitrary<Partial<HostSpec>> = fc.constantFrom(1, 2, 4, 8, 128).chain((entropies) =>
  fc.record({
    entropyStates: fc.record({
      reserve: fc.constantFrom(0, 1, 3, 32),
      minActive: fc.constantFrom(1, Math.min(2, entropies), entropies),
      skip: fc.constantFrom('rotation', 'base-rtt'),
      inferredLoss: fc.constantFrom('assumed-bad', 'skip'),
      probes: fc.constantFrom(true, true, true, true, false),
      probeIntervalUs: fc.constantFrom(1, 3, 20, 100),
      probesToReturn: fc.constantFrom(1, 2, 3),
      markedProbe: fc.constantFrom('skip', 'good'),
      alwaysSkipMarks: fc.constantFrom(1, 2, 4),
      denied: fc.array(denial(entropies), { minLength: 1, maxLength: 3 }),
    }, { requiredKeys: ['probes'] }),
  }, { requiredKeys: [] }).map((states) => ({ ...states, pathSelection: 'entropy-states' as const, entropies }))
);

/** A link that loses packets silently, some of them or all, and that heals in most cases. */
const losses: fc.Arbitrary<Partial<LossSpec> | undefined> = fc.option(fc.record({
  share: fc.constantFrom(0.3, 1),
  fromUs: fc.constantFrom(0, 2, 10),
  toUs: fc.constantFrom(30, 100, 400),
  of: fc.constantFrom('data', 'all'),
}, { requiredKeys: ['share'] }), { nil: undefined });

/** Its first fault that loses packets, if it has one, is such a link. */
function withLosses(faults: readonly FaultSpec[], more: Partial<LossSpec> | undefined): FaultSpec[] {
  const first = faults.findIndex(({ kind }) => kind === 'loss');
  return faults.map((fault, i) => i === first && fault.kind === 'loss' ? { ...fault, ...more } : fault);
}

/** The same without a key. */
export function without<One extends object, Key extends keyof One>(one: One, key: Key): Omit<One, Key> {
  return Object.fromEntries(Object.entries(one).filter(([name]) => name !== key)) as Omit<One, Key>;
}

/** Hosts that discard packets for a while; rarely one that ends its connections. */
export const discards = (hosts: readonly string[]): fc.Arbitrary<FaultSpec[]> =>
  fc.array(fc.record({
    kind: fc.constant('receiver-discards'),
    host: fc.constantFrom(...hosts),
    reason: fc.constantFrom('no-bitmap', 'no-packet-buffer', 'no-resource', 'no-resource', 'unexpected-event'),
    fromUs: fc.constantFrom(0, 2, 5, 12),
    toUs: fc.constantFrom(13, 20, 60),
  }, { requiredKeys: ['kind', 'host', 'reason', 'toUs'] }), { maxLength: 3 });

/** Flows keep a separate transport now and then. */
function withoutTransports(workload: ScenarioSpec['workload'], keeps: boolean): ScenarioSpec['workload'] {
  if (keeps) return workload;
  return (workload as readonly WorkloadSpec[]).map((one) =>
    one.kind === 'flows' ? { ...one, flows: one.flows.map((flow) => without(flow, 'transport')) } : one
  );
}

/** Any bits of the UDP source port, more than any tier needs or fewer, that overlap or not. */
const bitField: fc.Arbitrary<BitFieldSpec> = fc.record({
  offset: fc.constantFrom(0, 0, 1, 2, 5, 12),
  width: fc.constantFrom(1, 1, 2, 3, 4),
});

/** Switches that read bits of the entropy, in some networks. */
const structured: fc.Arbitrary<SwitchSpec> = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, fc.record({
  loadBalancing: fc.constant('entropy-bits'),
  entropyBits: fc.record({ tiers: fc.array(bitField, { minLength: 4, maxLength: 4 }) }, { requiredKeys: [] }),
}));

/** A scenario with flows of MRC. */
export const mrcNetworks = (size: NetworkSize): fc.Arbitrary<ScenarioSpec> =>
  fc.record({
    spec: standardNetworks(size),
    trimming,
    hosts,
    selection: fc.oneof(pathSelection, entropyStates),
    drawnKeeps: fc.constantFrom(false, false, true),
    pfc: fc.constantFrom(false, false, true),
    losses,
    lastHop: fc.constantFrom(true, true, false),
    bits: structured,
    discarding: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, discards(['h0', 'h1', 'h2'])),
  }).map((drawn) => {
    const { spec, trimming: trims, hosts: own, selection, pfc, lastHop, bits } = drawn;
    const keeps = drawn.drawnKeeps && selection.pathSelection !== 'entropy-states';
    const others = without(spec.hosts ?? {}, 'reordering');
    return {
      ...spec,
      workload: withoutTransports(spec.workload, keeps),
      faults: [...withLosses(spec.faults ?? [], drawn.losses), ...drawn.discarding],
      switches: {
        ...spec.switches,
        ...bits,
        ecn: { ...asSettings(spec.switches?.ecn), lastHop },
        pfc,
        ...(trims === undefined ? {} : { trimming: trims }),
      },
      hosts: { ...others, ...selection, ...own, transport: 'mrc' },
      overrides: keeps ? spec.overrides ?? [] : (spec.overrides ?? []).map(({ host, ...rest }) => {
        if (host === undefined) return rest;
        return { ...rest, host: without(host, 'transport') };
      }),
    };
  });

/** Penalties of windows that begin, change and end. */
const penaltyChanges: fc.Arbitrary<readonly ChangeSpec[]> = fc.array(fc.record({
  gapUs: fc.constantFrom(0.5, 2, 9, 20, 40),
  penalty: fc.constantFrom(0, 0, 1, 32, 64, 127),
}), { maxLength: 5 }).map((all) => {
  let atUs = 0;
  return all.map(({ gapUs, penalty }) => ({ atUs: atUs += gapUs, set: { 'hosts.mrc.windowPenalty': penalty } }));
});

/** Ranges that change at drawn times, in order. */
const rangeChanges: fc.Arbitrary<readonly ChangeSpec[]> = fc.array(fc.record({
  gapUs: fc.constantFrom(0.5, 2, 5, 9, 20),
  units: fc.constantFrom(1, 1, 2, 3, 8),
}), { maxLength: 6 }).map((all) => {
  let atUs = 0;
  return all.map(({ gapUs, units }) => ({
    atUs: atUs += gapUs,
    set: { 'hosts.mrc.receiverRangePackets': units * 128 },
  }));
});

/** Probes once a microsecond would fill the links of flows whose packets are this short. */
function withoutStorms(selection: Partial<HostSpec>): Partial<HostSpec> {
  if (selection.entropyStates === undefined) return selection;
  return { ...selection, entropyStates: { ...selection.entropyStates, probeIntervalUs: 100 } };
}

/**
 * Flows of a few hundred short packets, whose receivers change their range. The paths are unequal: switches spray data over them, or senders choose
 * them by entropies, which SACKs have too, so that they overtake each other.
 */
export const changingRanges: fc.Arbitrary<ScenarioSpec> = fc.record({
  senders: fc.constantFrom(1, 2, 3),
  spines: fc.constantFrom(1, 2, 4),
  packets: fc.constantFrom(200, 400, 700),
  delayNs: fc.constantFrom(500, 5000),
  changes: rangeChanges,
  mrc: fc.record({
    dynamicRange: fc.constantFrom(true, true, true, false),
    receiverRangePackets: fc.constantFrom(128, 256, 1024),
    oorPolicy: fc.constantFrom('nack', 'drop'),
    sackBytes: fc.constantFrom(0, 16_384, 150_000),
    reorderUs: fc.constantFrom(0, 2, 20),
    timer: fc.constantFrom('per-packet', 'per-flow'),
    ...windows,
    windowProbes: fc.boolean(),
  }, { requiredKeys: ['dynamicRange', 'oorPolicy', 'timer'] }),
  reorderingWindowPackets: fc.constantFrom(64, 200, 500, 1024),
  selection: fc.oneof(pathSelection, entropyStates),
  sprays: fc.boolean(),
  longDelayNs: fc.constantFrom(500, 8000),
  lossShare: fc.constantFrom(0, 0, 0.02, 0.3),
  discarding: discards(['h3']),
  window: fc.constantFrom('none', 'nscc-mrc'),
}).map((
  {
    senders,
    spines,
    packets,
    delayNs,
    changes,
    mrc,
    reorderingWindowPackets,
    selection,
    sprays,
    longDelayNs,
    lossShare,
    discarding,
    window,
  },
) => ({
  name: 'ranges that change',
  durationUs: 600,
  topology: {
    kind: 'leaf-spine',
    leaves: 2,
    spines,
    hostsPerLeaf: 3,
    rateGbps: 100,
    delayNs,
    linkOverrides: [{ from: 'leaf1', to: 'spine0', delayNs: longDelayNs }],
  },
  workload: {
    kind: 'flows',
    flows: Array.from({ length: senders }, (_, i) => ({
      from: `h${i}`,
      to: 'h3',
      sizeBytes: packets * 256 - 100 * i,
      startUs: 3 * i,
    })),
  },
  algorithms: { only: { preset: window } },
  faults: [
    ...(lossShare === 0 ?
      [] :
      [{ kind: 'loss' as const, between: ['h3', 'leaf1'] as const, share: lossShare, toUs: 300 }]),
    ...discarding,
  ],
  switches: {
    pfc: false,
    ecn: false,
    ...(sprays ? { loadBalancing: 'round-robin' as const } : {}),
    trimming: { sizeBytes: 100, queueBytes: 20_000, lastHopQueueBytes: 30_000 },
  },
  hosts: {
    ...(sprays ? {} : withoutStorms(selection)),
    transport: 'mrc',
    mtuBytes: 256,
    reorderingWindowPackets,
    retransmitTimeoutUs: 100,
    mrc,
  },
  changes,
}));

/** Incasts of NSCC, which probe paths no more than shut windows. */
export const shutWindowNetworks: fc.Arbitrary<ScenarioSpec> = fc.record({
  senders: fc.constantFrom(2, 3, 5, 8),
  isStar: fc.boolean(),
  sizeBytes: fc.constantFrom(40_000, 90_000, 150_000),
  window: fc.constantFrom({}, { lastHopTrims: 'leave' }, { maxWindowBdps: 3 }, {
    maxWindowBdps: 3,
    initialWindowBytes: 9000,
  }),
  mrc: fc.record({
    sackBytes: fc.constantFrom(16_384, 60_000, 1e6, 1e6),
    reorderUs: fc.constantFrom(0, 2, 20),
    reorderPackets: fc.constantFrom(0, 2, 8),
    ackRequest: fc.constantFrom('idle', 'small-window'),
    windowRule: fc.constantFrom('below-window', 'packet-fits'),
    timer: fc.constantFrom('per-packet', 'per-flow'),
    ...windows,
  }),
  changes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, penaltyChanges),
  selection: fc.oneof(pathSelection, entropyStates),
  retryCount: fc.constantFrom(2, 7),
  lossShare: fc.constantFrom(0, 0.2, 0.4),
  trimmedQueueBytes: fc.constantFrom(4000, 100_000),
}).map(({ senders, isStar, sizeBytes, window, mrc, changes, selection, retryCount, lossShare, trimmedQueueBytes }) => ({
  name: 'a random incast',
  topology: isStar ?
    { kind: 'star', hosts: senders + 1, rateGbps: 100, delayNs: 500 } :
    { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 3, rateGbps: 100, delayNs: 500 },
  workload: { kind: 'incast', senders, sizeBytes },
  algorithms: { only: { preset: 'nscc-mrc', parameters: window } },
  faults: lossShare === 0 ?
    [] :
    [{ kind: 'loss', between: ['h0', isStar ? 's0' : 'leaf0'], share: lossShare, toUs: 300 }],
  switches: {
    pfc: false,
    trimming: { sizeBytes: 700, queueBytes: 9000, lastHopQueueBytes: 12_000, trimmedQueueBytes },
  },
  hosts: {
    ...selection,
    transport: 'mrc',
    mtuBytes: 1024,
    retryCount,
    retransmitTimeoutUs: 100,
    mrc: { ...mrc, windowProbes: true },
    ...('entropyStates' in selection ? { entropyStates: { ...selection.entropyStates, probes: false } } : {}),
  },
  changes,
}));
