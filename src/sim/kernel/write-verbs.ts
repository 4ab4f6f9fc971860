/** Writes the verbs of flows into the kernel's memory, and reads their counters. */
import * as layout from '../../abi/sim-layout.js';
import { SIM_FLOWS, SIM_VERBS } from '../../abi/sim-regions.js';
import * as verb from '../../abi/verb-layout.js';
import type { NetworkPlan } from '../plan.js';
import { VERB_READ } from '../verbs-plan.js';
import type { SimAbi } from './sim-abi.js';

export function verbCapacity({ verbs }: NetworkPlan): number {
  return verbs === undefined ? 0 : 1;
}

/** Flags of flows are those of transports and these. */
export function writeVerbs(abi: SimAbi, { verbs, flows }: NetworkPlan): void {
  if (verbs === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const [records, first] = [abi.simRegion(SIM_VERBS) >>> 0, abi.simRegion(SIM_FLOWS) >>> 0];
  for (let flow = 0; flow < flows.length; flow++) {
    const at = records + flow * verb.VERB_BYTES;
    const readyPs = verbs.readyPs[flow];
    const isReading = verbs.of[flow] === VERB_READ;
    view.setFloat64(at + verb.VERB_READY, readyPs, true);
    view.setFloat64(at + verb.VERB_RNR_TIMER, verbs.rnrTimerPs[flows.destination[flow]], true);
    view.setUint32(at + verb.VERB_RNR_RETRY_LIMIT, verbs.rnrRetryCount[flows.source[flow]] ?? layout.SIM_NONE, true);
    view.setUint32(at + verb.VERB_REQUEST, verbs.readRequestBytes, true);
    const flags = first + flow * layout.FLOW_BYTES + layout.FLOW_FLAGS;
    const added = (isReading ? layout.FLOW_READ : 0) | (readyPs > 0 ? layout.FLOW_NOT_READY : 0);
    view.setUint32(flags, view.getUint32(flags, true) | added, true);
  }
}

/** Counters of a flow's verb. */
export interface VerbFigures {
  /** READ requests sent. */
  readonly readRequests: number;
  /** RNR NAKs that the sender received. */
  readonly rnrNaks: number;
  /** Total time of the waits after them, picoseconds. */
  readonly rnrWaitPs: number;
}

const NONE: VerbFigures = { readRequests: 0, rnrNaks: 0, rnrWaitPs: 0 };

export function readVerb(abi: SimAbi, { verbs }: NetworkPlan, flow: number): VerbFigures {
  if (verbs === undefined) return NONE;
  const view = new DataView(abi.memory.buffer);
  const at = (abi.simRegion(SIM_VERBS) >>> 0) + flow * verb.VERB_BYTES;
  return {
    readRequests: view.getUint32(at + verb.VERB_REQUESTS, true),
    rnrNaks: view.getUint32(at + verb.VERB_RNR_NAKS, true),
    rnrWaitPs: view.getFloat64(at + verb.VERB_RNR_WAITED, true),
  };
}
