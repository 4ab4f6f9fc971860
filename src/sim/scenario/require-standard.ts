/** Rejects settings of fidelity `standard` under other fidelities, which would ignore them. */
import { rejectScenario } from './scenario-error.js';
import { HAZARD_KINDS } from '../features/hazards/kinds.js';
import type { Fidelity, ScenarioSpec } from './spec.js';

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireStandard(
  { topology, discovery, network, changes, switches = {}, faults = [], overrides = [], record = {} }: ScenarioSpec,
  fidelity: Fidelity,
): void {
  if (fidelity === 'standard') return;
  const down = faults.findIndex(({ kind }) =>
    ['switch-down', 'plane-down', 'usid-withdrawn', 'receiver-discards'].includes(kind)
  );
  const hazard = faults.findIndex(({ kind }) => HAZARD_KINDS.some((one) => one === kind));
  const given: readonly (readonly [string, unknown])[] = [
    ['network', network],
    ['discovery', discovery],
    ['changes', changes],
    ['switches.watchdog', switches.watchdog],
    ['switches.buffer', switches.buffer],
    ['switches.trimming', switches.trimming],
    ...overrides.map(({ switch: own }, i) => [`overrides[${i}].switch.watchdog`, own?.watchdog] as const),
    ['record.victims', record.victims],
    [`faults[${down}]`, down < 0 ? undefined : faults[down]],
    ['topology.planes', 'planes' in topology ? topology.planes : undefined],
    [`faults[${hazard}]`, hazard < 0 ? undefined : faults[hazard]],
  ];
  for (const [where, got] of given) {
    if (got === undefined) continue;
    rejectScenario({
      what: where,
      problem: `is a setting of fidelity standard, and the fidelity is ${fidelity}`,
      got,
      where,
    });
  }
}
