/**
 * Checks and compiles the verbs of flows. Only fidelity `standard` has them, and only SENDs need a posted receive.
 *
 * READs, and SENDs to receivers that are not ready, recover by go-back-N, as in RC. READ responses are not acknowledged
 * (IBTA vol. 1, 9.7.5.1.9), so algorithms that read ACKs, and windows, do not apply to them.
 */
import { WINDOW_MODE_NONE } from '../../../abi/records/network.js';
import { type AlgorithmParameters, ALGORITHMS, readsAcks } from '../../../config/algorithms/registry.js';
import { PS_PER_US } from '../../../units.js';
import { Aeth } from '../../../wire/roce/extended-headers.js';
import { READ_REQUEST_BYTES } from '../../compile/packet-sizes.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { ConnectionsPlan, VerbsPlan } from '../../plan.js';
import { DEFAULT_OPERATION } from '../../scenario/defaults.js';
import { rejectForeign, rejectScenario } from '../../scenario/scenario-error.js';
import type { Operation, Fidelity, OperationSpec, ScenarioSpec, WorkloadSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { WorkloadFlow } from '../../workload/workload-flows.js';
import { requireOwnQp } from '../connections/compile.js';
import { flowTransport, type TransportsPlan } from '../transports/plan.js';

/** Code of a WRITE in `VerbsPlan.of`. */
export const VERB_WRITE = 0;
/** Code of a SEND, whose receiver must have posted a receive. */
export const VERB_SEND = 1;
/** Code of a READ, which its receiver requests. */
export const VERB_READ = 2;
const VERBS: Readonly<Record<Operation, number>> = { write: VERB_WRITE, send: VERB_SEND, read: VERB_READ };
/** IBTA vol. 1, 9.7.5.2.8 and 11.2: an RNR retry counter of 7 is not decremented. */
const UNLIMITED_RETRIES = 7;

/** The keys of one flow or workload, including inherited ones. */
interface Given {
  readonly where: string;
  readonly own: OperationSpec;
  readonly inherited: OperationSpec;
}

/** @throws RoceError `invalid-scenario`, naming the setting. */
export function requireVerbs(spec: ScenarioSpec, fidelity: Fidelity): void {
  const given = givenBy(spec.workload);
  rejectForeign(settingsOf(spec, given), 'standard', fidelity);
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

/** All settings of verbs, by path. */
function settingsOf({ hosts = {}, overrides = [] }: ScenarioSpec,
  given: readonly Given[]): (readonly [string, unknown])[] {
  return [
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
}

/** Verbs of flows, indexed by flow; undefined for WRITEs. */
export type FlowVerbs = readonly (Pick<WorkloadFlow, 'operation' | 'readyPs'> | undefined)[];

/** The inputs of a verbs plan. */
export interface VerbContext {
  readonly flows: FlowPlans;
  readonly ofFlows: FlowVerbs;
  readonly parameterSets: readonly AlgorithmParameters[];
  readonly transports: TransportsPlan | undefined;
  readonly connections: ConnectionsPlan | undefined;
}

/** The plan of verbs; undefined if all flows are WRITEs. */
export function verbsPlan(valid: ValidScenario, context: VerbContext): VerbsPlan | undefined {
  const { flows, ofFlows } = context;
  if (ofFlows.length === 0) return undefined;
  const of = new Uint8Array(flows.length);
  const readyPs = new Float64Array(flows.length);
  ofFlows.forEach((verb, flow) => {
    if (verb?.operation === undefined) return;
    of[flow] = VERBS[verb.operation];
    if (verb.operation === 'send') readyPs[flow] = verb.readyPs ?? 0;
    if (verb.operation === 'read') requireRead(valid, context, flow);
    if (verb.operation === 'read' || readyPs[flow] > 0) {
      const what = verb.operation === 'read' ? 'operation read' : 'receiverReadyUs';
      requireGoBackN(context, flow, what);
      requireOwnQp(context.connections, flow, what);
    }
  });
  const { hosts, hostOverrides, network } = valid;
  const { rnrTimerCode, rnrRetryCount } = hosts;
  const codes = network.nodes.map((_, node) => hostOverrides[node]?.rnrTimerCode ?? rnrTimerCode);
  return {
    of,
    readyPs,
    rnrTimerCode: codes,
    rnrTimerPs: codes.map(rnrTimerPs),
    rnrRetryCount: network.nodes.map((_, node) => retriesOf(hostOverrides[node]?.rnrRetryCount ?? rnrRetryCount)),
    readRequestBytes: READ_REQUEST_BYTES,
  };
}

/** Converts IBTA's timer code to a time. */
function rnrTimerPs(code: number): number {
  return (Aeth.rnrTimerUs(Aeth.SYNDROME_RNR_NAK | code) ?? 0) * PS_PER_US;
}

function retriesOf(count: number): number | null {
  return count === UNLIMITED_RETRIES ? null : count;
}

function requireRead({ algorithms }: ValidScenario, { flows, parameterSets }: VerbContext, flow: number): void {
  const parameters = parameterSets[flows.parameterSet[flow]];
  if (readsAcks(parameters, ALGORITHMS)) {
    rejectScenario({
      what: 'operation read',
      problem: 'needs an algorithm that works without ACKs, as READ responses are not acknowledged',
      got: { flow, algorithm: parameters.algorithm },
      where: 'workload',
      hint: algorithms.length > 1 ? 'DCQCN is one: name its parameter set as algorithm' : 'DCQCN is one',
    });
  }
  if (flows.windowMode[flow] === WINDOW_MODE_NONE || flows.windowBytes[flow] === 0) return;
  rejectScenario({
    what: 'operation read',
    problem: 'has no window, as READ responses are not acknowledged',
    got: { flow, windowBytes: flows.windowBytes[flow] },
    where: 'workload',
    hint: "The algorithm's window is set by algorithms.<name>.window: 'none' fits",
  });
}

function requireGoBackN({ transports }: VerbContext, flow: number, what: string): void {
  const transport = flowTransport(transports, flow);
  if (transport === 'go-back-n') return;
  rejectScenario({
    what,
    problem: 'needs transport go-back-n, whose rules are those of IBTA for READs and RNR NAKs',
    got: { flow, transport },
    where: 'workload',
  });
}

/** Whether a flow is a READ. */
export function isRead({ verbs }: { readonly verbs?: VerbsPlan | undefined }, flow: number): boolean {
  return verbs?.of[flow] === VERB_READ;
}

/** The host whose timer covers lost packets of a flow: the requester of a READ, else the sender. */
export function timerHostOf(plan: {
  readonly verbs?: VerbsPlan | undefined;
  readonly flows: { readonly source: Uint32Array; readonly destination: Uint32Array };
}, flow: number): number {
  return isRead(plan, flow) ? plan.flows.destination[flow] : plan.flows.source[flow];
}
