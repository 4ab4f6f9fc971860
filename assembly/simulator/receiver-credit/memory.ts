/** The records of receiver credit: one per flow and one per port, or none if no receiver grants credit. */
import { FLOW_MRC, FLOW_TOLERANT } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, indexOfPort, portCount, rule, simCapacity } from '../network';
import { CREDIT_FLOW_BYTES, CREDIT_PACER_BYTES, CreditFlow, CreditPacer } from '../../records/flows';
import { SIM_CAPACITY_RECEIVER_CREDIT, RULE_CREDIT_PACKET_BYTES } from '../../records/sim-run';
import { SimPort } from '../../records/network';

/** Flows whose transport retransmits single packets. */
export const FLOW_BY_PACKET: u32 = FLOW_TOLERANT | FLOW_MRC;

/** Whether any flow's receiver grants credit. */
export let crediting: bool = false;
/** Length of a credit packet. */
export let creditPacketBytes: u32 = 0;
let flows: usize = 0;
let pacers: usize = 0;

export function allocateCredit(): void {
  crediting = simCapacity(SIM_CAPACITY_RECEIVER_CREDIT) != 0;
  if (!crediting) return;
  flows = allocate(<usize>flowCount * CREDIT_FLOW_BYTES);
  pacers = allocate(<usize>portCount * CREDIT_PACER_BYTES);
}

export function beginCredit(): void {
  creditPacketBytes = <u32>rule(RULE_CREDIT_PACKET_BYTES);
}

@inline export function creditOf(flow: u32): CreditFlow {
  return changetype<CreditFlow>(flows + <usize>flow * CREDIT_FLOW_BYTES);
}

@inline export function pacerOf(port: SimPort): CreditPacer {
  return changetype<CreditPacer>(pacers + <usize>indexOfPort(port) * CREDIT_PACER_BYTES);
}
