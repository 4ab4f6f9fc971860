/** What controllers keep in the 64 bytes of a QP; DCQCN's are QpState (src/abi/layout.ts), of which rate, last event and next send are the same. */
import { defineRecord, f64, free, overlayRecord, u16, u32, u8 } from './define-record.js';

/** Flags: an ACK has set a starting point. */
export const CONTROLLER_STARTED = 1;
/** Flags: the rate has been cut in this round trip (DCTCP). */
export const CONTROLLER_REDUCED = 2;
/** Flags: fast increase is active (NSCC). */
export const CONTROLLER_FAST = 4;
/** Flags: a packet was lost since the last quick adapt (NSCC). */
export const CONTROLLER_LOST = 8;
/** Flags: the sender has heard nothing yet, its credit is speculative (RCCC). */
export const CONTROLLER_SPECULATING = 16;

/** What all controllers but DCQCN have. */
export const CONTROLLER = /* @__PURE__ */ defineRecord('ControllerState', 64, {
  /** R. */
  rateBps: f64,
  own8: free(16),
  /** The window in use, bytes; 0: none. */
  windowBytes: f64,
  own32: free(4),
  /** Steps in a row, saturating where the algorithm counts on. */
  stage: u16,
  hopCount: u8,
  /** CONTROLLER_STARTED, CONTROLLER_REDUCED, CONTROLLER_FAST, CONTROLLER_LOST, CONTROLLER_SPECULATING. */
  flags: u8,
  /** Time of the last event. */
  lastEventPs: f64,
  /** The next packet may leave from here on; 0: at once. */
  nextSendPs: f64,
  /** Length of the last packet sent, bytes. */
  lastLenBytes: u32,
  /** Everything before this sequence number was sent when the running round trip began. */
  lastUpdateSeq: u32,
});

/** HPCC, HPCC-PINT and HPCC++. */
export const HPCC_STATE = /* @__PURE__ */ overlayRecord('Hpcc', CONTROLLER, {
  own8: {
    /** R_c (bits per second) or W_c (bytes), as `primary` says. */
    committed: f64,
    /** u, the smoothed utilisation of the busiest hop; HPCC-PINT keeps none. */
    utilization: f64,
  },
  own32: {
    /** Identity of the last path taken as a new start; 0 if none was given. */
    pathId: u32,
  },
  stage: {
    /** Additive steps in a row, at most maxStage. */
    incStage: u16,
  },
});

/** TIMELY. */
export const TIMELY_STATE = /* @__PURE__ */ overlayRecord('Timely', CONTROLLER, {
  own8: {
    /** d, nanoseconds. */
    rttDiffNs: f64,
    /** Round-trip time of the last completion event, nanoseconds. */
    lastRttNs: f64,
  },
  stage: {
    /** Increases in a row, saturating. */
    incStage: u16,
  },
});

/** DCTCP. */
export const DCTCP_STATE = /* @__PURE__ */ overlayRecord('Dctcp', CONTROLLER, {
  own8: {
    /** Smoothed part of marked packets, 0..1. */
    alpha: f64,
    /** Marked ACKs in the running batch, saturating. */
    markedAcks: u32,
    /** Packets in the running batch besides the first, so that 2^32 fit; means nothing before the first batch. */
    furtherPackets: u32,
  },
  own32: {
    /** CWR ends with an ACK beyond this. */
    reducedUntilSeq: u32,
  },
});

/** Swift. Its window is at least one packet: a smaller one is kept by pacing. */
export const SWIFT_STATE = /* @__PURE__ */ overlayRecord('Swift', CONTROLLER, {
  own8: {
    /** Congestion window, packets. */
    cwnd: f64,
    /** Last round-trip time, picoseconds. */
    rttPs: f64,
  },
  own32: {
    /** Retransmission timeouts in a row, up to timeoutsToReset. */
    timeouts: u32,
  },
  lastLenBytes: {
    /** When the window last fell, picoseconds; -Infinity = never. */
    lastDecreasePs: f64,
  },
});

/** NSCC: its window is `windowBytes`, whole bytes. */
export const NSCC_STATE = /* @__PURE__ */ overlayRecord('Nscc', CONTROLLER, {
  own8: {
    /** The least round trip measured; before the first one the network's. */
    baseRttPs: f64,
    /** Smoothed queueing delay, whole picoseconds. */
    averageDelayPs: f64,
  },
});

/** What NSCC keeps of a QP besides, behind its record. Bytes are payload, as acknowledgements count them. */
export const NSCC_MORE = /* @__PURE__ */ defineRecord('NsccMore', 96, {
  /** Largest window, of the base round trip. */
  maxWindowBytes: f64,
  /** Sent and not acknowledged; less than 0 where ACKs report more than was sent. */
  inFlightBytes: f64,
  /** Bytes squared that the next fulfilment divides by the window. */
  increase: f64,
  /** Acknowledged since the last fulfilment. */
  receivedBytes: f64,
  /** Acknowledged since the running period of quick adapt began. */
  achievedBytes: f64,
  /** Bytes that were in flight at the last quick adapt: until they are acknowledged, marks don't count. */
  toIgnoreBytes: f64,
  /** Acknowledged or trimmed since. */
  ignoredBytes: f64,
  /** End of the running period of quick adapt; 0: none has begun. */
  adaptEndPs: f64,
  /** Last multiplicative decrease. */
  lastDecreasePs: f64,
  /** Last fulfilment by time. */
  lastFulfilPs: f64,
  /** Acknowledged in a row without queueing delay. */
  fastBytes: f64,
  free88: free(8),
});

/** RCCC: it has no window. */
export const RCCC_STATE = /* @__PURE__ */ overlayRecord('Rccc', CONTROLLER, {
  own8: {
    /** Credit, bytes on the wire; below 0 by what the last packet took beyond it. */
    creditBytes: f64,
    /** The highest pull number received, quanta of 256 bytes. */
    pullNumber: f64,
  },
});
