/** Writes which flows are messages of one QP. */
import * as layout from '../../abi/connection-layout.js';
import { SIM_NONE } from '../../abi/sim-layout.js';
import { SIM_QP_MESSAGES, SIM_QP_STREAMS } from '../../abi/sim-regions.js';
import { messageCounts } from '../connections-plan.js';
import type { NetworkPlan } from '../plan.js';
import type { SimAbi } from './sim-abi.js';

export function writeConnections(abi: SimAbi, { connections }: NetworkPlan): void {
  if (connections === undefined) return;
  const words = new Uint32Array(abi.memory.buffer);
  const messagesAt = abi.simRegion(SIM_QP_MESSAGES) >>> 2;
  connections.leaderOf.forEach((leader, flow) => {
    words[messagesAt + (flow * layout.QP_MESSAGE_BYTES + layout.QP_MESSAGE_LEADER) / 4] = leader < 0 ?
      SIM_NONE :
      leader;
  });
  const streamsAt = abi.simRegion(SIM_QP_STREAMS) >>> 2;
  messageCounts(connections).forEach((count, leader) => {
    words[streamsAt + (leader * layout.QP_STREAM_BYTES + layout.QP_STREAM_LEFT) / 4] = count;
  });
}
