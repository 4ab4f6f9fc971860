/** Random networks whose links lose all packets silently for a while, under senders of MRC that probe the entropies they assume bad. */
import fc from 'fast-check';
import type { FaultSpec, ScenarioSpec } from '../../../src/sim/scenario/spec.js';

const topology = fc.record({
  kind: fc.constant('leaf-spine' as const),
  leaves: fc.constant(2),
  spines: fc.constantFrom(2, 3),
  hostsPerLeaf: fc.constantFrom(1, 2),
  planes: fc.constantFrom(1, 1, 2),
  rateGbps: fc.constantFrom(25, 100),
  delayNs: fc.constantFrom(100, 2000),
});

/** Of the links from the leaves to the first spines. */
const loss = fc.record({
  leaf: fc.constantFrom(0, 0, 1),
  spine: fc.constantFrom(0, 1),
  share: fc.constantFrom(1, 1, 0.5),
  of: fc.constantFrom('data', 'data', 'all'),
  fromUs: fc.constantFrom(0, 3),
  lastsUs: fc.integer({ min: 20, max: 200 }),
});

const entropyStates = fc.record({
  reserve: fc.constantFrom(0, 1, 4),
  minActive: fc.constantFrom(1, 2),
  skip: fc.constantFrom('rotation', 'base-rtt'),
  inferredLoss: fc.constantFrom('assumed-bad', 'skip'),
  probes: fc.constant(true),
  probeIntervalUs: fc.constantFrom(5, 17, 40),
  probesToReturn: fc.constantFrom(1, 2, 3),
  markedProbe: fc.constantFrom('skip', 'good'),
}, { requiredKeys: ['reserve', 'probes'] });

export const probeNetworks: fc.Arbitrary<ScenarioSpec> = fc.record({
  of: topology,
  seed: fc.nat(1_000_000),
  losses: fc.array(loss, { minLength: 1, maxLength: 2 }),
  flows: fc.array(fc.record({
    from: fc.nat(3),
    step: fc.integer({ min: 1, max: 3 }),
    sizeBytes: fc.integer({ min: 50_000, max: 600_000 }),
    startUs: fc.integer({ min: 0, max: 20 }),
  }), { minLength: 1, maxLength: 3 }),
  connections: fc.constantFrom('per-message', 'per-message', 'per-pair'),
  entropies: fc.constantFrom(2, 4, 16),
  states: entropyStates,
  timer: fc.constantFrom('per-packet', 'per-flow'),
  reorderUs: fc.constantFrom(0, 5),
  trimming: fc.boolean(),
  retransmitTimeoutUs: fc.constantFrom(20, 60),
}).map(({ of, seed, losses, flows, connections, entropies, states, timer, reorderUs, trimming, ...hosts }) => {
  const [prefix, count] = [of.planes > 1 ? 'p0.' : '', 2 * of.hostsPerLeaf];
  return {
    name: 'random loss',
    seed,
    durationUs: 3000,
    topology: of,
    algorithms: { only: { preset: 'none' } },
    workload: {
      kind: 'flows',
      connections,
      flows: flows.map(({ from, step, ...flow }) => ({
        from: `h${from % count}`,
        to: `h${((from % count) + 1 + (step % (count - 1))) % count}`,
        ...flow,
      })),
    },
    switches: { pfc: false, trimming, ecn: { kminKB: 2, kmaxKB: 8, pmax: 0.5 } },
    hosts: {
      transport: 'mrc',
      pathSelection: 'entropy-states',
      entropies,
      entropyStates: { ...states, minActive: Math.min(entropies, states.minActive ?? 1) },
      mrc: { timer, reorderUs },
      ...hosts,
    },
    faults: losses.map(({ leaf, spine, fromUs, lastsUs, ...loss }): FaultSpec => ({
      kind: 'loss',
      between: [`${prefix}leaf${leaf}`, `${prefix}spine${spine}`],
      fromUs,
      toUs: fromUs + lastsUs,
      ...loss,
    })),
  };
});
