/** Writes receiver credit into the kernel's memory. */
import type { RuleValues } from '../../../abi/records/sim-rules.js';
import type { NetworkPlan } from '../../plan.js';

export function creditCapacity({ receiverCredit }: NetworkPlan): number {
  return receiverCredit === undefined ? 0 : 1;
}

export function creditRules({ receiverCredit }: NetworkPlan): Pick<RuleValues, 'creditPacketBytes'> {
  return { creditPacketBytes: receiverCredit?.packetBytes ?? 0 };
}
