/** A small incast under DCQCN, for tests of environments. */
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';

export const GYM_INCAST: ScenarioSpec = {
  name: 'four hosts send to one',
  topology: { kind: 'star', hosts: 5, rateGbps: 100, delayNs: 1000 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 400_000 },
  algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
  switches: { ecn: { kminKB: 20, kmaxKB: 100, pmax: 0.2 } },
};
