/**
 * Counts consecutive retries of a flow: timeouts, and NAKs (except under IRN) or NACKs (MRC), without newly acknowledged bytes in between. Beyond
 * the limit the flow fails, and its QP stops sending.
 *
 * Source: IBTA vol. 1, 9.9.2.1.1 and 11.2 (retry counter of RC, reloaded by an acknowledgement that makes progress).
 */
import { FLOW_DONE, FLOW_FAILED, FLOW_MRC, FLOW_REMOTE_ERROR, SIM_NONE } from '../../../src/abi/sim-codes';
import { failMessages } from '../connections/fail';
import { nowPs } from '../event-queue';
import { operationDone as partDone } from '../halt';
import { total } from '../network';
import { TOTAL_FLOWS_FAILED } from '../../records/sim-run';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Counts a retry; returns whether another one is allowed, and fails the flow if not. */
export function mayRetry(flow: SimFlow, own: FlowTransport): bool {
  return mayRetryFrom(flow, own, flow.flags & FLOW_MRC ? flow.sndUna + own.sackedBytes : flow.sndUna);
}

/** Like `mayRetry`, for a flow of which `progress` bytes have been acknowledged or received. */
export function mayRetryFrom(flow: SimFlow, own: FlowTransport, progress: i64): bool {
  if (own.retryLimit == SIM_NONE) return true;
  if (own.retryUna != progress) {
    own.retryUna = progress;
    own.retries = 0;
  }
  if (own.retries++ < own.retryLimit) return true;
  fail(flow);
  return false;
}

/** The flow fails because its receiver reported an error, after which no retry is allowed. */
export function failRemotely(flow: SimFlow): void {
  flow.flags |= FLOW_REMOTE_ERROR;
  fail(flow);
}

/** The flow fails: its QP sends nothing more. */
export function fail(flow: SimFlow): void {
  flow.flags |= FLOW_DONE | FLOW_FAILED;
  flow.finishPs = <f64>nowPs;
  flow.sndNxt = flow.size;
  if (flow.flags & FLOW_CONNECTION) return failMessages(flow.qp);
  total(TOTAL_FLOWS_FAILED, 1);
  partDone();
}
