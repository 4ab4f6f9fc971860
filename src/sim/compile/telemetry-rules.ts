/** The telemetry that packets carry: the kind that the parameter sets read, one for the whole network. */
import { factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { Rules } from '../plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { KernelFidelity } from '../scenario/setting-words.js';

/** @throws RoceError `invalid-scenario` when parameter sets read different kinds. */
export function telemetryRules(parameterSets: readonly AlgorithmParameters[],
  fidelity: KernelFidelity): Pick<Rules, 'telemetry' | 'intMultiplier'> {
  const readers = parameterSets.flatMap((parameterSet) => factsOf(parameterSet).telemetry?.(parameterSet) ?? []);
  if (readers.length === 0) return { telemetry: 'none', intMultiplier: 1 };
  const where = 'algorithms';
  const [{ records, intMultiplier }] = readers;
  if (fidelity !== 'standard' && readers.some((reader) => reader.records !== 'int64')) {
    const hint = 'Presets such as hpcc-ns3 read it';
    rejectScenario({ what: 'telemetry under fidelity reference', got: 'exact', allowed: ['int64'], where, hint });
  }
  const odd = readers.find((reader) => reader.records !== records || reader.intMultiplier !== intMultiplier);
  if (odd !== undefined) {
    const got = { records: [records, odd.records], intMultiplier: [intMultiplier, odd.intMultiplier] };
    rejectScenario({ what: 'all algorithms', problem: 'must read the same telemetry', got, where });
  }
  return { telemetry: records, intMultiplier };
}
