/** Checks of verbs: only fidelity `standard` has them, and only SENDs need a posted receive. */
import { DEFAULT_OPERATION } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { Fidelity, OperationSpec, ScenarioSpec, WorkloadSpec } from '../../scenario/spec.js';

/** The keys of one flow or workload, including inherited ones. */
interface Given {
  readonly where: string;
  readonly own: OperationSpec;
  readonly inherited: OperationSpec;
}

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireVerbs(spec: ScenarioSpec, fidelity: Fidelity): void {
  const given = givenBy(spec.workload);
  if (fidelity !== 'standard') rejectAll(spec, given, fidelity);
  for (const { where, own, inherited } of given) {
    const { operation = DEFAULT_OPERATION } = { ...inherited, ...own };
    const { receiverReadyUs } = own;
    if (receiverReadyUs === undefined || operation === 'send') continue;
    rejectScenario({
      what: 'receiverReadyUs',
      problem: `is a setting of operation send, and the operation is ${operation}`,
      got: receiverReadyUs,
      where: `${where}.receiverReadyUs`,
      hint: 'Only a SEND needs a receive posted by its receiver',
    });
  }
}

function givenBy(workload: ScenarioSpec['workload']): Given[] {
  const isList = Array.isArray(workload);
  return ((isList ? workload : [workload]) as readonly WorkloadSpec[]).flatMap((one, i): Given[] => {
    const where = isList ? `workload[${i}]` : 'workload';
    const common = operationOf(one);
    if (one.kind !== 'flows') return [{ where, own: common, inherited: {} }];
    const flows = one.flows.map((flow, j) => ({
      where: `${where}.flows[${j}]`,
      own: operationOf(flow),
      inherited: common,
    }));
    return [{ where, own: common, inherited: {} }, ...flows];
  });
}

function operationOf(one: object): OperationSpec {
  const { operation, receiverReadyUs } = one as OperationSpec;
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(receiverReadyUs === undefined ? {} : { receiverReadyUs }),
  };
}

function rejectAll({ hosts = {}, overrides = [] }: ScenarioSpec, given: readonly Given[], fidelity: Fidelity): void {
  const settings: readonly (readonly [string, unknown])[] = [
    ['hosts.rnrTimerCode', hosts.rnrTimerCode],
    ['hosts.rnrRetryCount', hosts.rnrRetryCount],
    ...overrides.flatMap(({ host = {} }, i) => [
      [`overrides[${i}].host.rnrTimerCode`, host.rnrTimerCode] as const,
      [`overrides[${i}].host.rnrRetryCount`, host.rnrRetryCount] as const,
    ]),
    ...given.flatMap(({ where, own }) => [
      [`${where}.operation`, own.operation] as const,
      [`${where}.receiverReadyUs`, own.receiverReadyUs] as const,
    ]),
  ];
  for (const [where, got] of settings) {
    if (got === undefined) continue;
    const problem = `is a setting of fidelity standard, and the fidelity is ${fidelity}`;
    rejectScenario({ what: where, problem, got, where });
  }
}
