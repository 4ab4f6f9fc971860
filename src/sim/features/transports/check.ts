/** Rejects transport settings that a fidelity would ignore. */
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { Fidelity, HostOverrideSpec, ScenarioSpec, WorkloadSpec } from '../../scenario/spec.js';

/** Path of a setting, its value, and the fidelities that have it; default: only `standard`. */
type Given = readonly [where: string, got: unknown, fidelities?: readonly Fidelity[]];

const STANDARD: readonly Fidelity[] = ['standard'];
const WITH_LOSSES: readonly Fidelity[] = ['standard', 'reference-lossy'];

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireTransports(spec: ScenarioSpec, fidelity: Fidelity): void {
  if (fidelity === 'standard') return;
  for (const [where, got, fidelities = STANDARD] of givenBy(spec)) {
    if (got === undefined || fidelities.includes(fidelity)) continue;
    const those = fidelities.length === 1 ? `fidelity ${fidelities[0]}` : `fidelities ${fidelities.join(' and ')}`;
    rejectScenario({ what: where, problem: `is a setting of ${those}, and the fidelity is ${fidelity}`, got, where });
  }
}

function givenBy({ hosts = {}, overrides = [], faults = [], workload }: ScenarioSpec): Given[] {
  const { transport, irn, idleRestartUs } = hosts;
  return [
    ['hosts.reordering', hosts.reordering],
    ['hosts.tolerant', hosts.tolerant],
    ['hosts.mrc', hosts.mrc],
    ['hosts.transport', transport, transport === 'go-back-n' || transport === 'irn' ? WITH_LOSSES : STANDARD],
    ['hosts.irn', irn, WITH_LOSSES],
    ['hosts.irn.fewPackets', irn?.fewPackets],
    ['hosts.idleRestartUs', idleRestartUs],
    ...ofHost(hosts, 'hosts'),
    ...overrides.flatMap(({ host = {} }, i): Given[] => {
      const where = `overrides[${i}].host`;
      return [[`${where}.reordering`, host.reordering], [`${where}.transport`, host.transport], ...ofHost(host, where)];
    }),
    ...faults.flatMap((fault, i): Given[] =>
      fault.kind === 'drop' ? [[`faults[${i}]`, fault, WITH_LOSSES], [`faults[${i}].of`, fault.of]] : []
    ),
    ...ofWorkloads(workload),
  ];
}

function ofHost({ timeout, retryCount, reorderingWindowPackets, lossReaction }: HostOverrideSpec,
  where: string): Given[] {
  return Object.entries({ timeout, retryCount, reorderingWindowPackets, lossReaction }).map(([key, got]) => [
    `${where}.${key}`,
    got,
  ]);
}

function ofWorkloads(workload: ScenarioSpec['workload']): Given[] {
  const isList = Array.isArray(workload);
  return ((isList ? workload : [workload]) as readonly WorkloadSpec[]).flatMap((one, i): Given[] => {
    const where = isList ? `workload[${i}]` : 'workload';
    const flows = one.kind === 'flows' ? one.flows : [];
    return [
      [`${where}.transport`, one.transport],
      [`${where}.connections`, one.connections === 'per-message' ? undefined : one.connections],
      ...flows.flatMap(({ transport, qp }, j): Given[] => [
        [`${where}.flows[${j}].transport`, transport],
        [`${where}.flows[${j}].qp`, qp],
      ]),
    ];
  });
}
