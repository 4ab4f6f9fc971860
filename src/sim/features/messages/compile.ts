/**
 * Messages of jobs that share the records of flows (`record.messages: 'sums'`): the number of records is that of
 * concurrent messages, and results are sums instead of one per flow. Features that keep a flow's state after its end
 * are not supported. Messages that differ only in size and ports share a pattern.
 */
import type { FlowPlans } from '../../flow-plans.js';
import type { ConnectionsPlan, HazardPlan, NetworkPlan, ReceiverCreditPlan, TransportsPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { BalancingPlan } from '../balancing/plan.js';

/** Optional parts of a plan. */
interface Parts {
  readonly transports: TransportsPlan | undefined;
  readonly balancing: BalancingPlan | undefined;
  readonly hazards: HazardPlan | undefined;
  readonly flows: FlowPlans;
  readonly connections: ConnectionsPlan | undefined;
  readonly receiverCredit: ReceiverCreditPlan | undefined;
}

const OWN_RECORDS = "With record.messages 'each' every flow has its own record";

/**
 * Number of shared records; undefined if each flow has its own. @throws RoceError `invalid-scenario`, naming the unsupported
 * feature.
 */
export function messageRecords({ fidelity, record, switches, points, jobs, wan }: ValidScenario,
  { transports, balancing, hazards, flows, connections, receiverCredit }: Parts): Pick<NetworkPlan, 'messageRecords'> {
  if (record.messages === 'each' || flows.length === 0) return {};
  const ofJobs = jobs.reduce((sum, job) => sum + job.flows, 0);
  const troubles: readonly (readonly [isThere: boolean, where: string, name: string, hint?: string])[] = [
    [fidelity !== 'standard', 'fidelity', 'a fidelity other than standard'],
    [ofJobs < flows.length, 'workload', 'flows that are no messages of jobs'],
    [
      connections !== undefined,
      'workload.connections',
      'QPs that carry several messages',
      'Set it to per-message: each message then has a fresh QP, at line rate',
    ],
    [transports !== undefined, 'hosts', 'transports other than go-back-n, retryCount and lossReaction'],
    [balancing !== undefined && keepsFlows(balancing), 'switches.loadBalancing', 'flowlet, conga and detours'],
    [receiverCredit !== undefined, 'algorithms', 'receiver credit'],
    [hazards !== undefined, 'faults', 'PFC hazards'],
    [wan !== null, 'topology', 'tunnels of a WAN'],
    [switches.some((one) => one?.fastCnp === true), 'switches.fastCnp', 'Fast CNPs'],
    [points.some((point) => point !== null), 'switches.congestionPoint', 'custom congestion points'],
    [record.capture.length > 0, 'record.capture', 'captures'],
  ];
  for (const [isThere, where, name, hint = OWN_RECORDS] of troubles) {
    if (!isThere) continue;
    rejectScenario({
      what: "record.messages 'sums'",
      problem: `does not support ${name}`,
      got: 'sums',
      where,
      hint,
    });
  }
  return { messageRecords: record.messageRecords };
}

function keepsFlows({ rules, detours }: BalancingPlan): boolean {
  return detours.includes(true) || rules.some((rule) => rule === 'flowlet' || rule === 'conga');
}

export interface MessageLayout {
  /** Number of shared records. */
  readonly records: number;
  /** Pattern of each message. */
  readonly patternOf: Uint32Array;
  /** First message of each pattern. */
  readonly firstOf: readonly number[];
}

/** Lays out the messages; undefined if each flow has its own record. */
export function layOutMessages({ flows, jobs = [], messageRecords, nodes }: NetworkPlan): MessageLayout | undefined {
  if (messageRecords === undefined || flows.length === 0) return undefined;
  const patternOf = new Uint32Array(flows.length);
  const firstOf: number[] = [];
  for (const { firstFlow, flows: count } of jobs) {
    // Patterns of each pair of hosts. There are few, as only the paths in both directions differ.
    const known = new Map<number, number[]>();
    for (let message = firstFlow; message < firstFlow + count; message++) {
      const pair = flows.source[message] * nodes.length + flows.destination[message];
      const candidates = known.get(pair) ?? [];
      let pattern = candidates.find((one) => isEqual(flows, firstOf[one], message));
      if (pattern === undefined) {
        pattern = firstOf.push(message) - 1;
        known.set(pair, [...candidates, pattern]);
      }
      patternOf[message] = pattern;
    }
  }
  return { records: Math.min(messageRecords, flows.length), patternOf, firstOf };
}

/** Whether two messages between the same hosts have the same pattern. */
function isEqual(flows: FlowPlans, a: number, b: number): boolean {
  return flows.sourcePort[a] === flows.sourcePort[b] && flows.responsePort[a] === flows.responsePort[b] &&
    flows.windowBytes[a] === flows.windowBytes[b] && flows.parameterSet[a] === flows.parameterSet[b] &&
    Object.is(flows.pathTimeoutPs[a], flows.pathTimeoutPs[b]);
}
