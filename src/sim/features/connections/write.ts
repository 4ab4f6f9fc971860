/** Writes which flows are messages of one QP. */
import { QP_MESSAGE, QP_STREAM } from '../../../abi/records/connections.js';
import { writeFields } from '../../../abi/records/fields.js';
import { SIM_NONE } from '../../../abi/sim-codes.js';
import { SIM_QP_MESSAGES, SIM_QP_STREAMS } from '../../../abi/sim-regions.js';
import { messageCounts } from './plan.js';
import type { NetworkPlan } from '../../plan.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { KernelPart } from '../../kernel/kernel-part.js';

export const CONNECTIONS_MEMORY: KernelPart = {
  capacity: ({ connections }) => ({ connections: connections !== undefined }),
  rules: ({ connections }) => ({ idleRestartPs: connections?.idleRestartPs ?? Infinity }),
  write: writeConnections,
};

function writeConnections(abi: SimAbi, { connections }: NetworkPlan): void {
  if (connections === undefined) return;
  const view = new DataView(abi.memory.buffer);
  connections.leaderOf.forEach((leader, flow) => {
    const at = recordAt(abi, SIM_QP_MESSAGES, QP_MESSAGE, flow);
    writeFields(view, at, QP_MESSAGE, { leader: leader < 0 ? SIM_NONE : leader });
  });
  messageCounts(connections).forEach((left, leader) => {
    writeFields(view, recordAt(abi, SIM_QP_STREAMS, QP_STREAM, leader), QP_STREAM, { left });
  });
}
