/** The records of verbs in memory: one per flow, or none if all flows are plain RDMA WRITEs. */
import { VERB_BYTES } from '../../../src/abi/verb-layout';
import { SIM_VERBS } from '../../../src/abi/sim-regions';
import { allocate } from '../../memory/map';
import { flowCount, simCapacity } from '../network';
import { publish } from '../regions';
import { FlowVerb } from './records';
import { SIM_CAPACITY_VERBS } from '../../records/sim-capacity';

/** Whether flows have these records. */
export let hasVerbs: bool = false;
let verbs: usize = 0;

export function allocateVerbs(): void {
  hasVerbs = simCapacity(SIM_CAPACITY_VERBS) != 0;
  verbs = hasVerbs ? publish(SIM_VERBS, allocate(<usize>flowCount * VERB_BYTES)) : 0;
}

@inline export function verbOf(flow: u32): FlowVerb {
  return changetype<FlowVerb>(verbs + <usize>flow * VERB_BYTES);
}
