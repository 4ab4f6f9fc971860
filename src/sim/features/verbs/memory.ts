/** Writes the verbs of flows into the kernel's memory, and reads their counters. */
import { readFields, writeFields } from '../../../abi/records/define-record.js';
import { SIM_FLOW } from '../../../abi/records/network.js';
import { FLOW_VERB } from '../../../abi/records/flows.js';
import * as layout from '../../../abi/sim-codes.js';
import { SIM_FLOWS, SIM_VERBS } from '../../../abi/sim-codes.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';
import { isRead } from './compile.js';

export const VERBS_MEMORY: KernelPart = {
  capacity: ({ verbs }) => ({ verbs: verbs !== undefined }),
  write: writeVerbs,
};

/** Writes the verbs. Their flags are added to those that transports have set. */
function writeVerbs(abi: SimAbi, { verbs, flows }: NetworkPlan): void {
  if (verbs === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const first = abi.simRegion(SIM_FLOWS) >>> 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const readyPs = verbs.readyPs[flow];
    writeFields(view, recordAt(abi, SIM_VERBS, FLOW_VERB, flow), FLOW_VERB, {
      readyPs,
      rnrTimerPs: verbs.rnrTimerPs[flows.destination[flow]],
      rnrRetryLimit: verbs.rnrRetryCount[flows.source[flow]] ?? layout.SIM_NONE,
      requestBytes: verbs.readRequestBytes,
    });
    const flags = first + flow * SIM_FLOW.bytes + SIM_FLOW.at.flags;
    const added = (isRead({ verbs }, flow) ? layout.FLOW_READ : 0) | (readyPs > 0 ? layout.FLOW_NOT_READY : 0);
    view.setUint32(flags, view.getUint32(flags, true) | added, true);
  }
}

/** Counters of a flow's verb. */
export interface VerbFigures {
  /** READ requests sent. */
  readonly readRequests: number;
  /** RNR NAKs that the sender received. */
  readonly rnrNaks: number;
  /** Total time of the waits after RNR NAKs, picoseconds. */
  readonly rnrWaitPs: number;
}

const NONE: VerbFigures = { readRequests: 0, rnrNaks: 0, rnrWaitPs: 0 };

export function readVerb(abi: SimAbi, { verbs }: NetworkPlan, flow: number): VerbFigures {
  if (verbs === undefined) return NONE;
  const at = recordAt(abi, SIM_VERBS, FLOW_VERB, flow);
  const { requests, rnrNaks, rnrWaitedPs } = readFields(new DataView(abi.memory.buffer), at, FLOW_VERB, [
    'requests',
    'rnrNaks',
    'rnrWaitedPs',
  ]);
  return { readRequests: requests, rnrNaks, rnrWaitPs: rnrWaitedPs };
}
