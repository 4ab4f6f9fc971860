/** Receiver credit: flows that may have it, and its packets. */
import { READS_CREDIT } from '../../abi/algorithms.js';
import { factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { ConnectionsPlan } from '../connections-plan.js';
import type { FlowPlans } from '../flow-plans.js';
import type { ReceiverCreditPlan } from '../receiver-credit-plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { Fidelity, Transport } from '../scenario/spec.js';
import type { ValidAlgorithm } from '../scenario/valid-scenario.js';
import { CREDIT_BYTES } from './packet-sizes.js';
import { factsOfScenario } from './parameter-sets.js';

/** Those whose senders know how many bytes they will retransmit. */
const TRANSPORTS: readonly Transport[] = ['go-back-n', 'tolerant', 'mrc'];

/** @throws RoceError `invalid-scenario` for a flow whose receiver can't grant the credit that its algorithm reads. */
export function requireCredit(algorithm: ValidAlgorithm, fidelity: Fidelity, transport: Transport): void {
  const { title, traits } = factsOfScenario(algorithm);
  if ((traits & READS_CREDIT) === 0) return;
  const where = `algorithms.${algorithm.name}.preset`;
  const what = `${title}, algorithm ${algorithm.name}`;
  if (fidelity !== 'standard')
    rejectScenario({ what, problem: 'needs fidelity standard', got: fidelity, where, hint: 'Other receivers grant no credit' });
  if (TRANSPORTS.includes(transport)) return;
  rejectScenario({
    what,
    problem: `needs one of these transports: ${TRANSPORTS.join(', ')}`,
    got: transport,
    where,
    hint: 'Set hosts.transport, or the transport of the flows',
  });
}

/** The inputs of receiver credit. */
export interface ReceiverCreditContext {
  readonly flows: FlowPlans;
  readonly connections: ConnectionsPlan | undefined;
  readonly parameterSets: readonly AlgorithmParameters[];
}

/** Undefined: no receiver grants credit. @throws RoceError `invalid-scenario` for QPs with several messages. */
export function receiverCreditPlan(
  { flows, connections, parameterSets }: ReceiverCreditContext,
): ReceiverCreditPlan | undefined {
  const readsCredit = parameterSets.map((parameters) => (factsOf(parameters).traits & READS_CREDIT) !== 0);
  if (!readsCredit.includes(true)) return undefined;
  for (let flow = 0; flow < flows.length; flow++) {
    if (!readsCredit[flows.parameterSet[flow]] || (connections?.leaderOf[flow] ?? -1) < 0) continue;
    rejectScenario({
      what: factsOf(parameterSets[flows.parameterSet[flow]]).title,
      problem: 'goes only with QPs of one message',
      got: { flow },
      where: 'workload',
      hint: "connections 'per-message' gives each flow its own QP",
    });
  }
  return { packetBytes: CREDIT_BYTES };
}
