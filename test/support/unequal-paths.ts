/** Small networks whose paths differ, for balancers that spray packets over them. */
import fc from 'fast-check';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

/** Two switches, and between them paths whose rates and delays differ by far. */
export const unequalPaths = ({ maxBytes }: { readonly maxBytes: number }): fc.Arbitrary<ScenarioSpec> =>
  fc.record({
    paths: fc.array(
      fc.record({ rateGbps: fc.constantFrom(25, 100, 400), delayNs: fc.constantFrom(100, 5000, 100_000) }),
      { minLength: 2, maxLength: 4 },
    ),
    hosts: fc.integer({ min: 1, max: 3 }),
    sizeBytes: fc.integer({ min: 1, max: maxBytes }),
    mtuBytes: fc.constantFrom(256, 1024, 4096),
    pfc: fc.boolean(),
    /** Small enough for pauses. */
    bufferBytes: fc.constantFrom(4_000_000, 32_000_000),
    isIncast: fc.boolean(),
    preset: fc.constantFrom('none', 'dcqcn-sigcomm15', 'swift-sigcomm20', 'hpcc-sigcomm19'),
  }).map(({ paths, hosts, sizeBytes, mtuBytes, pfc, bufferBytes, isIncast, preset }): ScenarioSpec => {
    const pairs = Array.from({ length: hosts }, (_, i) => [`a${i}`, `b${i}`] as const);
    return {
      name: 'unequal paths',
      durationUs: 20_000,
      topology: {
        kind: 'edges',
        nodes: [
          ...['left', 'right', ...paths.map((_, i) => `m${i}`)].map((name) => ({ name, kind: 'switch' as const })),
          ...pairs.flat().map((name) => ({ name, kind: 'host' as const })),
        ],
        links: [
          ...pairs.flatMap(([a, b]) => [{ from: a, to: 'left' }, { from: b, to: 'right' }]),
          ...paths.flatMap((path, i) => ['left', 'right'].map((from) => ({ from, to: `m${i}`, ...path }))),
        ],
      },
      workload: { kind: 'flows', flows: pairs.map(([from, to]) => ({ from, to: isIncast ? 'b0' : to, sizeBytes })) },
      algorithms: { only: { preset } },
      switches: { pfc, bufferBytes },
      hosts: { mtuBytes },
    };
  });
