/**
 * Messages of jobs that share the records of flows (`record.messages: 'sums'`): the number of records is that of concurrent
 * messages, and results are sums instead of one per flow. Features that keep a flow's state after its end are not supported.
 */
import type { BalancingPlan } from '../balancing/plan.js';
import type { ConnectionsPlan } from '../connections/plan.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { HazardPlan, NetworkPlan, ReceiverCreditPlan, TransportsPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';

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
