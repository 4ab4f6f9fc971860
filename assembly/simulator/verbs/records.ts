/** State of flows with verbs other than a plain RDMA WRITE; offsets that the host knows: src/abi/verb-layout.ts. */
import { VERB_BYTES, VERB_REQUEST, VERB_REQUESTS, VERB_RNR_NAKS, VERB_RNR_RETRY_LIMIT, VERB_RNR_TIMER,
  VERB_RNR_WAITED } from '../../../src/abi/verb-layout';

@unmanaged
export class FlowVerb {
  /** SEND: its receiver has posted a receive from this time on. */
  readyPs: f64;
  /** Wait after an RNR NAK, as the receiver's timer code states it. */
  rnrTimerPs: f64;
  /** SIM_NONE: no limit. */
  rnrRetryLimit: u32;
  /** READ: length of a request. */
  requestBytes: u32;
  // Counters.
  requests: u32;
  rnrNaks: u32;
  rnrWaitedPs: f64;
  // Requester of a READ.
  /** When it last sent a request or accepted a response. */
  progressPs: i64;
  // Responder of a READ.
  /** 1: its first request has arrived. */
  responding: u32;
  // Receiver of a SEND.
  /** 1: it has sent an RNR NAK, and the rejected packet has not arrived again. */
  rejecting: u32;
  // Sender of a SEND.
  rnrRetries: u32;
  free60: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkVerbLayouts(): void {
  if (offsetof<FlowVerb>() != VERB_BYTES) ERROR('FlowVerb');
  if (offsetof<FlowVerb>('rnrTimerPs') != VERB_RNR_TIMER) ERROR('FlowVerb.rnrTimerPs');
  if (offsetof<FlowVerb>('rnrRetryLimit') != VERB_RNR_RETRY_LIMIT) ERROR('FlowVerb.rnrRetryLimit');
  if (offsetof<FlowVerb>('requestBytes') != VERB_REQUEST) ERROR('FlowVerb.requestBytes');
  if (offsetof<FlowVerb>('requests') != VERB_REQUESTS) ERROR('FlowVerb.requests');
  if (offsetof<FlowVerb>('rnrNaks') != VERB_RNR_NAKS) ERROR('FlowVerb.rnrNaks');
  if (offsetof<FlowVerb>('rnrWaitedPs') != VERB_RNR_WAITED) ERROR('FlowVerb.rnrWaitedPs');
}
