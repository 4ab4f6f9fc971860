/** Receiver credit (RCCC): flows and the pull pacers of ports; only in plans with `receiverCredit`. All zeros is the state before the first packet. */
import { defineRecord, free, i64, u16, u32, u8 } from './define-record.js';

/** CreditFlow.list: the pacer's list that contains the flow. */
export const CREDIT_LIST_NONE = 0;
export const CREDIT_LIST_ACTIVE = 1;
export const CREDIT_LIST_IDLE = 2;

/** A flow whose receiver grants credit. Targets and pull numbers are quanta of 256 bytes. */
export const CREDIT_FLOW = /* @__PURE__ */ defineRecord('CreditFlow', 40, {
  /** Receiver: the highest target that arrived. */
  target: i64,
  /** Receiver: credit granted so far. */
  granted: i64,
  /** Sender: when credit last arrived, or was missing for a whole timeout. */
  progressPs: i64,
  /** Neighbours in the list, as flow numbers + 1; 0: none. */
  next: u32,
  previous: u32,
  /** UDP source port of the latest data packet; 0: the flow's own. */
  sourcePort: u16,
  /** The list that it is in, CREDIT_LIST_*. */
  list: u8,
  free35: free(5),
});

/** The pull pacer of a host's port. Ends of lists are flow numbers + 1; 0: the list is empty. */
export const CREDIT_PACER = /* @__PURE__ */ defineRecord('CreditPacer', 20, {
  /** First and last flow whose sender requested more than was granted. */
  activeFirst: u32,
  activeLast: u32,
  /** First and last flow whose sender requested no more than was granted. */
  idleFirst: u32,
  idleLast: u32,
  /** 1: its next grant is scheduled. */
  isRunning: u32,
});
