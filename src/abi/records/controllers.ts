/**
 * State of controllers in a QP's 64 bytes. DCQCN uses QpState (src/abi/layout.ts), which has rate, last event and next
 * send at the same offsets.
 */
import { defineRecord, f64, free, overlayRecord, u16, u32, u8 } from './define-record.js';

/** Flags: an ACK has set a starting point. */
export const CONTROLLER_STARTED = 1;
/** Flags: the rate has been cut in this round trip (DCTCP). */
export const CONTROLLER_REDUCED = 2;
/** Flags: fast increase is active (NSCC). */
export const CONTROLLER_FAST = 4;
/** Flags: a packet was lost since the last quick adapt (NSCC). */
export const CONTROLLER_LOST = 8;
/** Flags: the sender has received no credit yet and uses speculative credit (RCCC). */
export const CONTROLLER_SPECULATING = 16;

/** Common to all controllers but DCQCN. */
export const CONTROLLER = /* @__PURE__ */ defineRecord('ControllerState', 64, {
  /** R, the current rate. */
  rateBps: f64,
  own8: free(16),
  /** The window in use, bytes; 0: none. */
  windowBytes: f64,
  own32: free(4),
  /** Number of consecutive steps; saturates if the algorithm counts without limit. */
  stage: u16,
  hopCount: u8,
  /** CONTROLLER_* flags. */
  flags: u8,
  /** Time of the last event. */
  lastEventPs: f64,
  /** Earliest time of the next packet; 0: immediately. */
  nextSendPs: f64,
  /** Length of the last packet sent, bytes. */
  lastLenBytes: u32,
  /** Sequence number that begins the current round trip: everything before it had already been sent. */
  lastUpdateSeq: u32,
});

/** HPCC, HPCC-PINT and HPCC++. */
export const HPCC_STATE = /* @__PURE__ */ overlayRecord('Hpcc', CONTROLLER, {
  own8: {
    /** R_c (bits per second) or W_c (bytes), depending on `primary`. */
    committed: f64,
    /** u, the smoothed utilisation of the busiest hop; not used by HPCC-PINT. */
    utilization: f64,
  },
  own32: {
    /** Identity of the path from which the hops were last restarted; 0 if unknown. */
    pathId: u32,
  },
  stage: {
    /** Number of consecutive additive steps, at most maxStage. */
    incStage: u16,
  },
});

/** State of TIMELY. */
export const TIMELY_STATE = /* @__PURE__ */ overlayRecord('Timely', CONTROLLER, {
  own8: {
    /** d, the smoothed RTT difference, nanoseconds. */
    rttDiffNs: f64,
    /** Round-trip time of the last completion event, nanoseconds. */
    lastRttNs: f64,
  },
  stage: {
    /** Number of consecutive increases, saturating. */
    incStage: u16,
  },
});

/** State of DCTCP. */
export const DCTCP_STATE = /* @__PURE__ */ overlayRecord('Dctcp', CONTROLLER, {
  own8: {
    /** Smoothed fraction of marked packets, 0..1. */
    alpha: f64,
    /** Marked ACKs in the current batch, saturating. */
    markedAcks: u32,
    /** Packets in the current batch minus one, so that 2^32 fit; meaningless before the first batch. */
    furtherPackets: u32,
  },
  own32: {
    /** CWR ends with an ACK beyond this sequence number. */
    reducedUntilSeq: u32,
  },
});

/** Swift. Its window field is at least one packet; smaller windows are enforced by pacing. */
export const SWIFT_STATE = /* @__PURE__ */ overlayRecord('Swift', CONTROLLER, {
  own8: {
    /** Congestion window, packets. */
    cwnd: f64,
    /** Last round-trip time, picoseconds. */
    rttPs: f64,
  },
  own32: {
    /** Number of consecutive retransmission timeouts, up to timeoutsToReset. */
    timeouts: u32,
  },
  lastLenBytes: {
    /** When the window was last decreased, picoseconds; -Infinity = never. */
    lastDecreasePs: f64,
  },
});

/** NSCC: its window is `windowBytes`, whole bytes. */
export const NSCC_STATE = /* @__PURE__ */ overlayRecord('Nscc', CONTROLLER, {
  own8: {
    /** Minimum measured round-trip time; before the first one, the network's. */
    baseRttPs: f64,
    /** Smoothed queueing delay, whole picoseconds. */
    averageDelayPs: f64,
  },
});

/** Additional state of NSCC, after the QP's record. Bytes are payload, as acknowledgements count them. */
export const NSCC_MORE = /* @__PURE__ */ defineRecord('NsccMore', 96, {
  /** Maximum window, for the base round-trip time. */
  maxWindowBytes: f64,
  /** Bytes sent and not acknowledged; negative if ACKs report more than was sent. */
  inFlightBytes: f64,
  /** Increase collected for the next fulfilment, which divides it by the window: bytes squared. */
  increase: f64,
  /** Bytes acknowledged since the last fulfilment. */
  receivedBytes: f64,
  /** Bytes acknowledged since the current quick-adapt period began. */
  achievedBytes: f64,
  /** Bytes in flight at the last quick adapt: marks are ignored until these bytes are acknowledged. */
  toIgnoreBytes: f64,
  /** Bytes acknowledged or trimmed since the last quick adapt. */
  ignoredBytes: f64,
  /** End of the current quick-adapt period; 0: none has begun. */
  adaptEndPs: f64,
  /** Time of the last multiplicative decrease. */
  lastDecreasePs: f64,
  /** Time of the last timed fulfilment. */
  lastFulfilPs: f64,
  /** Bytes acknowledged consecutively without queueing delay. */
  fastBytes: f64,
  /** Window before the receiver's penalty; 0: none. */
  savedWindowBytes: f64,
});

/** RCCC, which has no window. */
export const RCCC_STATE = /* @__PURE__ */ overlayRecord('Rccc', CONTROLLER, {
  own8: {
    /** Credit, bytes on the wire; negative if the last packet exceeded it. */
    creditBytes: f64,
    /** The highest pull number received, quanta of 256 bytes. */
    pullNumber: f64,
  },
});
