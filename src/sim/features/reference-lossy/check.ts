/** Rejects settings of fidelity `reference-lossy` under other fidelities, which would ignore them. */
import { rejectForeign } from '../../scenario/scenario-error.js';
import type { Fidelity, ScenarioSpec } from '../../scenario/spec.js';

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireLossy({ hosts = {}, switches = {}, endCheckFromUs }: ScenarioSpec, fidelity: Fidelity): void {
  const { nakIntervalUs, backToZeroBytes } = hosts;
  const { conWeave, pauseTimeUs } = switches;
  rejectForeign([
    ['hosts.nakIntervalUs', nakIntervalUs],
    ['hosts.backToZeroBytes', backToZeroBytes],
    ['switches.conWeave', conWeave],
    ['switches.pauseTimeUs', pauseTimeUs],
    ['endCheckFromUs', endCheckFromUs],
  ], 'reference-lossy', fidelity);
}
