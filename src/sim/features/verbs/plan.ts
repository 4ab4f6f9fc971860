/** Verbs of the flows of fidelity `standard`, if any is not a WRITE. Part of a `NetworkPlan`. */

/** Code of a WRITE in `VerbsPlan.of`. */
export const VERB_WRITE = 0;
/** Code of a SEND, whose receiver must have posted a receive. */
export const VERB_SEND = 1;
/** Code of a READ, which its receiver requests. */
export const VERB_READ = 2;

/** The verbs of flows, and how receivers that are not ready are handled. */
export interface VerbsPlan {
  /** VERB_* of each flow. */
  readonly of: Uint8Array;
  /** Time from which each flow's receiver has posted a receive, picoseconds; 0: from the start. */
  readonly readyPs: Float64Array;
  /** IBTA's timer code that each node sends in RNR NAKs. */
  readonly rnrTimerCode: readonly number[];
  /** The wait that this code means, indexed by node, picoseconds. */
  readonly rnrTimerPs: readonly number[];
  /** Number of waits after RNR NAKs before a flow from each node fails; null: unlimited. */
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
