/** The records of verbs: one per flow, or none if all flows are plain RDMA WRITEs. */
import { SIM_VERBS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, simCapacity } from '../network';
import { publish } from '../regions';
import { SIM_CAPACITY_VERBS } from '../../records/sim-run';
import { FLOW_VERB_BYTES, FlowVerb } from '../../records/flows';

/** Whether flows have these records. */
export let hasVerbs: bool = false;
let verbs: usize = 0;

export function allocateVerbs(): void {
  hasVerbs = simCapacity(SIM_CAPACITY_VERBS) != 0;
  verbs = hasVerbs ? publish(SIM_VERBS, allocate(<usize>flowCount * FLOW_VERB_BYTES)) : 0;
}

@inline export function verbOf(flow: u32): FlowVerb {
  return changetype<FlowVerb>(verbs + <usize>flow * FLOW_VERB_BYTES);
}
