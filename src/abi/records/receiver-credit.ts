/** Receiver credit (RCCC): flows and the pull pacers of ports; only in plans with `receiverCredit`. All zeros is the state before the first packet. */
import { defineRecord, free, i64, u16, u32, u8 } from './define-record.js';

/** CreditFlow.list: the list of its pacer that it is in. */
export const CREDIT_LIST_NONE = 0;
export const CREDIT_LIST_ACTIVE = 1;
export const CREDIT_LIST_IDLE = 2;

/** A flow whose receiver grants credit. Targets and pull numbers are quanta of 256 bytes. */
export const CREDIT_FLOW = /* @__PURE__ */ defineRecord('CreditFlow', 40, {
  /** Receiver: the highest target that has arrived. */
  target: i64,
  /** Receiver: what it has granted so far. */
  granted: i64,
  /** Sender: when credit arrived, or was missing for the duration of a timeout. */
  progressPs: i64,
  /** Neighbours in the list, as numbers of flows + 1; 0: none. */
  next: u32,
  previous: u32,
  /** UDP source port of the data packet that arrived last; 0: that of the flow. */
  sourcePort: u16,
  /** CREDIT_LIST_*. */
  list: u8,
  free35: free(5),
});

/** The pull pacer of a host's port. Ends of lists are numbers of flows + 1; 0: the list is empty. */
export const CREDIT_PACER = /* @__PURE__ */ defineRecord('CreditPacer', 20, {
  /** Flows whose senders asked for more than was granted. */
  activeFirst: u32,
  activeLast: u32,
  /** Others. */
  idleFirst: u32,
  idleLast: u32,
  /** 1: its next turn is in the event queue. */
  isRunning: u32,
});
