/** Settings that fidelity `reference-lossy` alone has, refused under the others, where they would be passed over. */
import { refuseScenario } from './scenario-error.js';
import type { Fidelity, ScenarioSpec } from './spec.js';

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireLossy({ hosts = {}, switches = {}, faults = [], endCheckFromUs }: ScenarioSpec,
  fidelity: Fidelity): void {
  if (fidelity === 'reference-lossy') return;
  const { transport, irn, nakIntervalUs, backToZeroBytes } = hosts;
  const { conWeave, pauseTimeUs } = switches;
  const drop = faults.findIndex(({ kind }) => kind === 'drop');
  const given: readonly (readonly [string, unknown])[] = [
    ['hosts.transport', transport],
    ['hosts.irn', irn],
    ['hosts.nakIntervalUs', nakIntervalUs],
    ['hosts.backToZeroBytes', backToZeroBytes],
    ['switches.conWeave', conWeave],
    ['switches.pauseTimeUs', pauseTimeUs],
    ['endCheckFromUs', endCheckFromUs],
    [`faults[${drop}]`, drop < 0 ? undefined : faults[drop]],
  ];
  for (const [where, got] of given) {
    if (got === undefined) continue;
    refuseScenario({
      what: where,
      problem: `is a setting of fidelity reference-lossy, and the fidelity is ${fidelity}`,
      got,
      where,
    });
  }
}
