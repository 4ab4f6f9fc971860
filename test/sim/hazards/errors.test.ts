/** Invalid hazards: each is rejected with its path. */
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../../src/errors.js';
import { compileScenario } from '../../../src/sim/compile/compile-scenario.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { validateScenario } from '../../../src/sim/scenario/validate.js';

const STAR: ScenarioSpec = {
  name: 'star',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'permutation', sizeBytes: 1000 },
};
const STORM = { kind: 'pause-storm', host: 'h0', fromUs: 1 } as const;
const SLOW = { kind: 'slow-receiver', host: 'h0', rateGbps: 1 } as const;

const CASES: readonly (readonly [string, object, string])[] = [
  ['a storm of a switch', { faults: [{ ...STORM, host: 's0' }] }, 'faults[0].host'],
  ['two storms of a host', { faults: [STORM, STORM] }, 'faults[1].host'],
  ['a storm of class 0', { faults: [{ ...STORM, trafficClasses: [0] }] }, 'faults[0].trafficClasses[0]'],
  ['a storm of no time', { faults: [{ ...STORM, lastsUs: 0 }] }, 'faults[0].lastsUs'],
  ['xoff beyond the buffer', { faults: [{ ...SLOW, bufferBytes: 1000, xoffBytes: 2000 }] }, 'faults[0].xoffBytes'],
  ['xon not below xoff', { faults: [{ ...SLOW, xoffBytes: 2000, xonBytes: 2000 }] }, 'faults[0].xonBytes'],
  ['a buffer without room behind a pause', { faults: [{ ...SLOW, bufferBytes: 1000 }] }, 'faults[0].bufferBytes'],
  ['bit errors without a chance', { faults: [{ kind: 'bit-errors', between: ['h0', 's0'] }] }, 'faults[0]'],
  [
    'bit errors of no link',
    { faults: [{ kind: 'bit-errors', between: ['h0', 'h1'], perBit: 0 }] },
    'faults[0].between',
  ],
  ['a storm under reference', { fidelity: 'reference', faults: [STORM] }, 'faults[0]'],
  ['a watchdog under reference', { fidelity: 'reference', switches: { watchdog: {} } }, 'switches.watchdog'],
  ['a watchdog that never polls', { switches: { watchdog: { pollUs: 0 } } }, 'switches.watchdog.pollUs'],
];

describe('Invalid hazards are rejected', () => {
  it.each(CASES)('%s', (_, more, where) => {
    const compile = (): unknown => compileScenario(validateScenario({ ...STAR, ...more }));
    expect(compile).toThrow(RoceError);
    try {
      compile();
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid-scenario', where });
    }
  });
});
