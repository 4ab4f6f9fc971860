/** Rejects settings of fidelity `reference-lossy` under other fidelities, which would ignore them. */
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { Fidelity, ScenarioSpec } from '../../scenario/spec.js';

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireLossy({ hosts = {}, switches = {}, endCheckFromUs }: ScenarioSpec, fidelity: Fidelity): void {
  if (fidelity === 'reference-lossy') return;
  const { nakIntervalUs, backToZeroBytes } = hosts;
  const { conWeave, pauseTimeUs } = switches;
  const given: readonly (readonly [string, unknown])[] = [
    ['hosts.nakIntervalUs', nakIntervalUs],
    ['hosts.backToZeroBytes', backToZeroBytes],
    ['switches.conWeave', conWeave],
    ['switches.pauseTimeUs', pauseTimeUs],
    ['endCheckFromUs', endCheckFromUs],
  ];
  for (const [where, got] of given) {
    if (got === undefined) continue;
    rejectScenario({
      what: where,
      problem: `is a setting of fidelity reference-lossy, and the fidelity is ${fidelity}`,
      got,
      where,
    });
  }
}
