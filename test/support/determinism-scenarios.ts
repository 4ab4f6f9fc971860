/** Runs that must be the same everywhere: the example incasts, one with everything random that a network has, and one of MRC. */
import { readFileSync } from 'node:fs';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const EXAMPLES = new URL('../../examples/scenarios/', import.meta.url);

/** Poisson arrivals, marks on a ramp, losses and wrong ICRCs, a link that goes down; DCQCN and HPCC side by side. */
export const RANDOM_SCENARIO: ScenarioSpec = {
  name: 'Poisson arrivals over a lossy leaf-spine network',
  seed: 5,
  topology: { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 4 },
  workload: [
    { kind: 'poisson', load: 0.6, sizes: 'FB_Hadoop', flows: 150, algorithm: 'dcqcn' },
    { kind: 'permutation', sizeBytes: 300_000, algorithm: 'hpcc' },
  ],
  algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' }, hpcc: { preset: 'hpcc-sigcomm19' } },
  switches: { ecn: { kminKB: 5, kmaxKB: 200, pmax: 0.3 }, fastCnp: { enabled: true } },
  overrides: [{ nodes: ['spine1'], switch: { fastCnp: { enabled: false } } }],
  faults: [
    { kind: 'loss', between: ['leaf0', 'spine0'], share: 0.01 },
    { kind: 'corruption', between: ['leaf1', 'spine1'], share: 0.005 },
    { kind: 'link-down', between: ['leaf2', 'spine0'], fromUs: 40, toUs: 90 },
  ],
};

/** Four planes, one of which fails for a while; marks on a ramp, trimmed packets, silent losses, and probes of the entropies that they cost. */
export const MRC_SCENARIO: ScenarioSpec = {
  name: 'MRC over four planes with silent losses',
  seed: 5,
  topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 4, planes: 4, rateGbps: 100 },
  workload: [{ kind: 'permutation', sizeBytes: 300_000 }, { kind: 'incast', senders: 5, sizeBytes: 100_000 }],
  algorithms: { nscc: { preset: 'nscc-mrc' } },
  hosts: {
    transport: 'mrc',
    pathSelection: 'entropy-states',
    entropies: 32,
    entropyStates: { probes: true, probeIntervalUs: 10, alwaysSkipMarks: 4 },
    retransmitTimeoutUs: 50,
  },
  switches: {
    pfc: false,
    ecn: { kminKB: 10, kmaxKB: 60, pmax: 0.5 },
    trimming: { queueBytes: 40_000, lastHopQueueBytes: 30_000 },
  },
  faults: [
    { kind: 'loss', between: ['p1.leaf0', 'p1.spine0'], share: 0.3, of: 'data', toUs: 60 },
    { kind: 'plane-down', plane: 2, fromUs: 10, toUs: 60 },
  ],
};

/** @param folder of the files; default: those of this repository. */
export function exampleIncasts(folder: URL = EXAMPLES): readonly ScenarioSpec[] {
  return ['incast-16', 'incast-16-fast-cnp', 'incast-16-hpcc'].map((name) =>
    JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as ScenarioSpec
  );
}
