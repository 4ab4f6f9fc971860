/** Verbs of the flows of fidelity `standard`, if any is not a WRITE. Part of a `NetworkPlan`. */

/** Verb of a flow in `VerbsPlan.of`. */
export const VERB_WRITE = 0;
/** Its receiver must have posted a receive. */
export const VERB_SEND = 1;
/** Its receiver requests it. */
export const VERB_READ = 2;

/** What flows are to RDMA, and how receivers that are not ready are handled. */
export interface VerbsPlan {
  /** By flow: VERB_*. */
  readonly of: Uint8Array;
  /** By flow: time from which its receiver has posted a receive, picoseconds; 0: from the start. */
  readonly readyPs: Float64Array;
  /** By node, as a receiver: IBTA's code of the wait that it states in RNR NAKs, and that wait, picoseconds. */
  readonly rnrTimerCode: readonly number[];
  /** That wait, by node, picoseconds. */
  readonly rnrTimerPs: readonly number[];
  /** By node, as a sender: waits after RNR NAKs until a flow fails; null: unlimited. */
  readonly rnrRetryCount: readonly (number | null)[];
  /** Length of a READ request. */
  readonly readRequestBytes: number;
}

/** Whether a flow is a READ. */
export function isRead({ verbs }: { readonly verbs?: VerbsPlan | undefined }, flow: number): boolean {
  return verbs?.of[flow] === VERB_READ;
}

/** The host whose timer covers lost packets of a flow: the requester of a READ, else the sender. */
export function timerHostOf(plan: {
  readonly verbs?: VerbsPlan | undefined;
  readonly flows: { readonly source: Uint32Array; readonly destination: Uint32Array };
}, flow: number): number {
  return isRead(plan, flow) ? plan.flows.destination[flow] : plan.flows.source[flow];
}
