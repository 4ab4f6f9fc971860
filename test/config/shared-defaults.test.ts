/** One default for one quantity, whether a scenario sets it or the user of the engine. */
import { expect, it } from 'vitest';
import { congestionPointDefaults } from '../../src/config/congestion-point.js';
import { DEFAULT_FAST_CNP } from '../../src/config/fast-cnp.js';
import { DEFAULT_NOTIFICATION_POINT } from '../../src/config/notification-point.js';
import { compileScenario, validateScenario } from '../../src/sim/index.js';

const PLAN = compileScenario(validateScenario({
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 1000 },
  switches: { fastCnp: { enabled: true } },
})).plan;

it('has the limits of Fast CNPs of a congestion point in scenarios', () => {
  const { flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited } = congestionPointDefaults;
  expect(PLAN.fastCnp).toMatchObject({ flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited });
});

it('has the times of notifications of an engine in scenarios', () => {
  expect(PLAN.rules.cnpIntervalPs).toBe(DEFAULT_NOTIFICATION_POINT.minTimeBetweenCnpsPs);
  expect(PLAN.fastCnp.duplicateWindowPs).toBe(DEFAULT_FAST_CNP.duplicateWindowPs);
});
