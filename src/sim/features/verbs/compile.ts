/**
 * Compiles and checks the verbs of flows. READs, and SENDs to receivers that are not ready, recover by go-back-N, as in RC.
 * READ responses are not acknowledged (IBTA vol. 1, 9.7.5.1.9), so algorithms that read ACKs, and windows, do not apply to
 * them.
 */
import { type AlgorithmParameters, ALGORITHMS, readsAcks } from '../../../config/algorithms/registry.js';
import { PS_PER_US } from '../../../unit-sizes.js';
import { Aeth } from '../../../wire/roce/aeth.js';
import type { ConnectionsPlan } from '../connections/plan.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { TransportsPlan } from '../transports/plan.js';
import { VERB_READ, VERB_SEND, VERB_WRITE, type VerbsPlan } from './plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { Operation } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { type WorkloadFlow } from '../../workload/workload-flow.js';
import { READ_REQUEST_BYTES } from '../../compile/packet-sizes.js';
import { WINDOW_MODE_NONE } from '../../../abi/records/network.js';

const VERBS: Readonly<Record<Operation, number>> = { write: VERB_WRITE, send: VERB_SEND, read: VERB_READ };
/** IBTA vol. 1, 9.7.5.2.8 and 11.2: an RNR retry counter of 7 is not decremented. */
const UNLIMITED_RETRIES = 7;

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
      requireGoBackN(context, flow, verb.operation);
      requireOwnQp(context, flow, verb.operation);
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

function requireOwnQp({ connections }: VerbContext, flow: number, operation: Operation): void {
  if (connections === undefined || connections.leaderOf[flow] < 0) return;
  rejectScenario({
    what: operation === 'read' ? 'operation read' : 'receiverReadyUs',
    problem: 'needs a QP for each message',
    got: { flow },
    where: 'workload',
    hint: "connections 'per-message' gives each flow its own QP",
  });
}

function requireGoBackN({ transports }: VerbContext, flow: number, operation: Operation): void {
  const transport = transports?.kinds[transports.kindOf[flow]].transport ?? 'go-back-n';
  if (transport === 'go-back-n') return;
  rejectScenario({
    what: operation === 'read' ? 'operation read' : 'receiverReadyUs',
    problem: 'needs transport go-back-n, whose rules are those of IBTA for READs and RNR NAKs',
    got: { flow, transport },
    where: 'workload',
  });
}
