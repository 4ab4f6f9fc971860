/** A scenario and an engine have the same default for the same setting. */
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

it('a scenario has the default Fast CNP rate limits of a congestion point', () => {
  const { flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited } = congestionPointDefaults;
  expect(PLAN.fastCnp).toMatchObject({ flowRatePerSecond, flowBurst, portRatePerSecond, portBurst, markWhenLimited });
});

it('a scenario has the default CNP interval and duplicate window of an engine', () => {
  expect(PLAN.rules.cnpIntervalPs).toBe(DEFAULT_NOTIFICATION_POINT.minTimeBetweenCnpsPs);
  expect(PLAN.fastCnp.duplicateWindowPs).toBe(DEFAULT_FAST_CNP.duplicateWindowPs);
});
