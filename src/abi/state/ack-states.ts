/**
 * States of the algorithms driven by ACKs: what each keeps per QP, where the QP's 64-byte record and the memory of its
 * hops hold it, and how the models store and load it. The kernel's side is in assembly/algorithms. HPCC and its kin:
 * hpcc.ts.
 */
import { CONTROLLER_REDUCED, DCTCP_STATE, CONTROLLER_FAST, CONTROLLER_LOST, NSCC_MORE, NSCC_STATE,
  CONTROLLER_SPECULATING, RCCC_STATE, SWIFT_STATE, TIMELY_STATE } from '../records/controllers.js';
import { HPCC_RECORD, type HpccState, HPCC_PINT_RECORD, type HpccPintState, HPCC_PP_RECORD,
  type HpccPpState } from './hpcc.js';
import { ROUND_TRIP_FIELDS, type StateRecord, type RateSenderState, type RoundTripMark, SENDER_FIELDS, type SenderState,
  readRecord, writeRecord, type RecordValues } from './state-record.js';

export interface DctcpState extends RoundTripMark, RateSenderState {
  /** Smoothed fraction of marked packets, 0..1. */
  alpha: number;
  /** Marked ACKs in the current batch. */
  markedAcks: number;
  /** Packets in the current batch. */
  batchPackets: number;
  /** Whether the rate was cut in this round trip. */
  reduced: boolean;
  /** CWR ends with an ACK beyond this sequence number. */
  reducedUntilSeq: number;
}

const DCTCP_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    alpha: ['f64', DCTCP_STATE.at.alpha],
    markedAcks: ['u32', DCTCP_STATE.at.markedAcks],
    // The record does not count the first packet of a batch.
    batchPackets: ['u32', DCTCP_STATE.at.furtherPackets, 1],
    reducedUntilSeq: ['u32', DCTCP_STATE.at.reducedUntilSeq],
    reduced: ['bit', DCTCP_STATE.at.flags, CONTROLLER_REDUCED],
  },
};

/** Bytes are payload, as acknowledgements count them. */
export interface NsccState extends SenderState {
  /** Congestion window, whole bytes. */
  windowBytes: number;
  /** Minimum measured round-trip time, picoseconds; before the first one, the network's. */
  baseRttPs: number;
  /** Smoothed queueing delay, whole picoseconds. */
  averageDelayPs: number;
  /** Maximum window. */
  maxWindowBytes: number;
  /** Bytes sent and not acknowledged; negative if ACKs report more than was sent. */
  inFlightBytes: number;
  /** Increase collected for the next fulfilment, which divides it by the window: bytes squared. */
  increase: number;
  /** Bytes acknowledged since the last fulfilment. */
  receivedBytes: number;
  /** Bytes acknowledged since the current quick-adapt period began. */
  achievedBytes: number;
  /** Bytes in flight at the last quick adapt: marks are ignored until these bytes are acknowledged. */
  toIgnoreBytes: number;
  /** Bytes acknowledged or trimmed since the last quick adapt. */
  ignoredBytes: number;
  /** End of the current quick-adapt period, picoseconds; 0: none has begun. */
  adaptEndPs: number;
  /** Time of the last multiplicative decrease, picoseconds. */
  lastDecreasePs: number;
  /** Time of the last timed fulfilment, picoseconds. */
  lastFulfilPs: number;
  /** Bytes acknowledged consecutively without queueing delay. */
  fastBytes: number;
  /** Window before the receiver's penalty; 0: none. */
  savedWindowBytes: number;
  /** Whether fast increase is active. */
  isFast: boolean;
  /** Whether a packet was lost since the last quick adapt. */
  hasLost: boolean;
}

const NSCC_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    baseRttPs: ['f64', NSCC_STATE.at.baseRttPs],
    averageDelayPs: ['f64', NSCC_STATE.at.averageDelayPs],
    isFast: ['bit', NSCC_STATE.at.flags, CONTROLLER_FAST],
    hasLost: ['bit', NSCC_STATE.at.flags, CONTROLLER_LOST],
  },
  behindHops: {
    maxWindowBytes: ['f64', NSCC_MORE.at.maxWindowBytes],
    inFlightBytes: ['f64', NSCC_MORE.at.inFlightBytes],
    increase: ['f64', NSCC_MORE.at.increase],
    receivedBytes: ['f64', NSCC_MORE.at.receivedBytes],
    achievedBytes: ['f64', NSCC_MORE.at.achievedBytes],
    toIgnoreBytes: ['f64', NSCC_MORE.at.toIgnoreBytes],
    ignoredBytes: ['f64', NSCC_MORE.at.ignoredBytes],
    adaptEndPs: ['f64', NSCC_MORE.at.adaptEndPs],
    lastDecreasePs: ['f64', NSCC_MORE.at.lastDecreasePs],
    lastFulfilPs: ['f64', NSCC_MORE.at.lastFulfilPs],
    fastBytes: ['f64', NSCC_MORE.at.fastBytes],
    savedWindowBytes: ['f64', NSCC_MORE.at.savedWindowBytes],
  },
};

export interface RcccState extends SenderState {
  /** Credit, bytes on the wire; negative if the last packet exceeded it. */
  creditBytes: number;
  /** The highest pull number received, quanta of 256 bytes. */
  pullNumber: number;
  /** Whether the sender has received no credit yet and uses speculative credit. */
  isSpeculating: boolean;
}

const RCCC_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    creditBytes: ['f64', RCCC_STATE.at.creditBytes],
    pullNumber: ['f64', RCCC_STATE.at.pullNumber],
    isSpeculating: ['bit', RCCC_STATE.at.flags, CONTROLLER_SPECULATING],
  },
};

export interface SwiftState extends SenderState {
  /** Congestion window, packets. */
  cwnd: number;
  /** Last round-trip time, picoseconds. */
  rttPs: number;
  /** When the window was last decreased, picoseconds; -Infinity = never. */
  lastDecreasePs: number;
  /** Number of consecutive retransmission timeouts. */
  timeouts: number;
}

const SWIFT_RECORD: StateRecord = {
  fields: {
    ...SENDER_FIELDS,
    cwnd: ['f64', SWIFT_STATE.at.cwnd],
    rttPs: ['f64', SWIFT_STATE.at.rttPs],
    timeouts: ['u32', SWIFT_STATE.at.timeouts],
    lastDecreasePs: ['f64', SWIFT_STATE.at.lastDecreasePs],
  },
};

export interface TimelyState extends RoundTripMark, RateSenderState {
  /** d, smoothed difference of round-trip times, nanoseconds. */
  rttDiffNs: number;
  /** Round-trip time of the last completion event, nanoseconds. */
  lastRttNs: number;
  /** Number of consecutive increases; at most 65535. */
  incStage: number;
}

const TIMELY_RECORD: StateRecord = {
  fields: {
    ...ROUND_TRIP_FIELDS,
    rttDiffNs: ['f64', TIMELY_STATE.at.rttDiffNs],
    lastRttNs: ['f64', TIMELY_STATE.at.lastRttNs],
    incStage: ['u16', TIMELY_STATE.at.incStage],
  },
};

/** States of the ACK-driven algorithms. */
export interface AckStates {
  hpcc: HpccState;
  'hpcc-pint': HpccPintState;
  timely: TimelyState;
  dctcp: DctcpState;
  swift: SwiftState;
  'hpcc-pp': HpccPpState;
  nscc: NsccState;
  rccc: RcccState;
}

export const STATE_RECORDS: Readonly<Record<keyof AckStates, StateRecord>> = {
  hpcc: HPCC_RECORD,
  'hpcc-pint': HPCC_PINT_RECORD,
  timely: TIMELY_RECORD,
  dctcp: DCTCP_RECORD,
  swift: SWIFT_RECORD,
  'hpcc-pp': HPCC_PP_RECORD,
  nscc: NSCC_RECORD,
  rccc: RCCC_RECORD,
};

type AlgorithmName = keyof AckStates;

/** Writes a model's state to its record. */
export function saveRecord(view: DataView, at: number, algorithm: AlgorithmName, values: object): void {
  writeRecord(view, at, STATE_RECORDS[algorithm].fields, values);
}

/** Reads a record into the names of the model's state. */
export function loadRecord(view: DataView, at: number, algorithm: AlgorithmName): RecordValues {
  return readRecord(view, at, STATE_RECORDS[algorithm].fields);
}

/** Writes the hops of a state, used or not, and the fields stored with them. */
export function saveHops(view: DataView, at: number, algorithm: AlgorithmName, values: object,
  hops: readonly object[]): void {
  const { hops: recordsOf, behindHops = {} } = STATE_RECORDS[algorithm];
  for (const { layout, from, bytes } of recordsOf?.(hops.length) ?? []) {
    hops.forEach((hop, index) => {
      writeRecord(view, at + from + index * bytes, layout, hop);
    });
  }
  writeRecord(view, at, behindHops, values);
}

/** Inverse of `saveHops`: returns fields of a state. `count`: maximum number of hops. */
export function loadHops(view: DataView, at: number, algorithm: AlgorithmName, count: number): object {
  const { hops: recordsOf, behindHops = {} } = STATE_RECORDS[algorithm];
  const columns = recordsOf?.(count) ?? [];
  const hopOf = (index: number): object =>
    Object.assign({}, ...columns.map(({ layout, from, bytes }) =>
      readRecord(view, at + from + index * bytes, layout)
    )) as object;
  const hops = recordsOf && { hops: Array.from({ length: count }, (_, index) => hopOf(index)) };
  return { ...readRecord(view, at, behindHops), ...hops };
}
