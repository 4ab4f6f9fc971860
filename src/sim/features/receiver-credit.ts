/** Receiver credit: which flows may use it, the size of its packets, and its part of the kernel's memory. */
import { READS_CREDIT } from '../../abi/algorithms.js';
import { factsOf, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { CREDIT_BYTES } from '../compile/packet-sizes.js';
import type { FlowPlans } from '../flow-plans.js';
import type { KernelPart } from '../kernel/kernel-part.js';
import type { ConnectionsPlan, ReceiverCreditPlan } from '../plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { Transport } from '../scenario/spec.js';
import { requireOwnQp } from './connections/compile.js';
import { flowTransport, type TransportsPlan } from './transports/plan.js';

/** Transports whose senders know how many bytes they will retransmit. */
const TRANSPORTS: readonly Transport[] = ['go-back-n', 'tolerant', 'mrc'];

/** The inputs of receiver credit. */
export interface ReceiverCreditContext {
  readonly flows: FlowPlans;
  readonly connections: ConnectionsPlan | undefined;
  readonly transports: TransportsPlan | undefined;
  readonly parameterSets: readonly AlgorithmParameters[];
}

/**
 * The plan of receiver credit; undefined if no receiver grants credit.
 *
 * @throws RoceError `invalid-scenario` for a flow whose receiver can't grant the credit that its algorithm reads.
 */
export function receiverCreditPlan(fidelity: KernelFidelity, context: ReceiverCreditContext): ReceiverCreditPlan
  | undefined {
  const { flows, parameterSets } = context;
  const readsCredit = parameterSets.map((parameters) => (factsOf(parameters).traits & READS_CREDIT) !== 0);
  if (!readsCredit.includes(true)) return undefined;
  for (let flow = 0; flow < flows.length; flow++)
    if (readsCredit[flows.parameterSet[flow]]) requireCredit(fidelity, context, flow);
  return { packetBytes: CREDIT_BYTES };
}

function requireCredit(fidelity: KernelFidelity,
  { flows, connections, transports, parameterSets }: ReceiverCreditContext, flow: number): void {
  const what = factsOf(parameterSets[flows.parameterSet[flow]]).title;
  if (fidelity !== 'standard')
    rejectScenario({
      what,
      problem: 'needs fidelity standard, whose receivers grant credit',
      got: fidelity,
      where: 'fidelity',
    });
  const transport = flowTransport(transports, flow);
  if (!TRANSPORTS.includes(transport)) {
    rejectScenario({
      what,
      problem: `needs one of these transports: ${TRANSPORTS.join(', ')}`,
      got: { flow, transport },
      where: 'hosts.transport',
    });
  }
  requireOwnQp(connections, flow, what);
}

export const RECEIVER_CREDIT_MEMORY: KernelPart = {
  capacity: ({ receiverCredit }) => ({ receiverCredit: receiverCredit !== undefined }),
  rules: ({ receiverCredit }) => ({ creditPacketBytes: receiverCredit?.packetBytes ?? 0 }),
};
