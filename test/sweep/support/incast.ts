/** A scenario that runs in about a millisecond. */
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';

export const INCAST: ScenarioSpec = {
  name: 'incast',
  topology: { kind: 'star', hosts: 9 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 20_000 },
  algorithms: { a: { preset: 'dcqcn-sigcomm15' } },
};
