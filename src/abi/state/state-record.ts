/** What the states of ACK-driven algorithms have in common, and its place in a QP's record. */
import * as layout from '../ack-layout.js';
import { QP_LAST_EVENT, QP_NEXT_SEND, QP_RATE } from '../layout.js';
import type { Place, RecordLayout } from '../record.js';

/** The records of one kind that a QP keeps of its hops. */
export interface HopRecords {
  readonly layout: RecordLayout;
  /** Of the first one, behind the QP's room for hops. */
  readonly from: number;
  /** From one hop to the next. */
  readonly bytes: number;
}

/** Where the state of an ACK-driven algorithm is stored. */
export interface StateRecord {
  /** In the QP's 64 bytes. */
  readonly fields: RecordLayout;
  /** Of the hops, when that many fit. */
  readonly hops?: (room: number) => readonly HopRecords[];
  /** Further fields, in the room for hops. */
  readonly behindHops?: RecordLayout;
}

/** What every algorithm keeps. */
export const SENDER_FIELDS = {
  rateBps: ['f64', QP_RATE],
  windowBytes: ['f64', layout.CONTROLLER_WINDOW],
  lastEventPs: ['f64', QP_LAST_EVENT],
  nextSendPs: ['f64', QP_NEXT_SEND],
} as const;

/** What those keep, too, that count round trips by sequence numbers. */
export const ROUND_TRIP_FIELDS = {
  ...SENDER_FIELDS,
  lastLenBytes: ['u32', layout.CONTROLLER_LAST_LENGTH],
  lastUpdateSeq: ['u32', layout.CONTROLLER_LAST_UPDATE_SEQ],
  started: ['bit', layout.CONTROLLER_FLAGS, layout.CONTROLLER_STARTED],
} as const;

/** Steps in a row. */
export const STAGE: Place = ['u16', layout.CONTROLLER_STAGE];

/** Bytes of the record that are an algorithm's own. */
export const OWN_8 = 8;
export const OWN_16 = 16;
export const OWN_20 = 20;
export const OWN_32 = 32;

/** What the state of every sender has. */
export interface SenderState {
  /** Time of the last event, picoseconds. */
  lastEventPs: number;
  /** The next packet may leave at this time, picoseconds; 0 = at once. */
  nextSendPs: number;
}

/** The part of a QP's state that spaces its packets. */
export interface SendPace {
  /** The next packet may leave at this time, picoseconds; 0 = at once. */
  nextSendPs: number;
  /** Length of the last packet sent, bytes; 0 = none yet. */
  lastLenBytes: number;
}

/** State of a sender that is controlled by its rate. */
export interface RateSenderState extends SenderState, SendPace {
  /** R, bits per second. */
  rateBps: number;
}

/**
 * The point up to which everything was sent when the running round trip began: an ACK beyond it begins the next.
 *
 * `started` says whether some ACK has set it. Under 'u32' a value of 0 means that none has, as in the reference; so
 * there an ACK of 0 is not beyond it.
 */
export interface RoundTripMark {
  started: boolean;
  lastUpdateSeq: number;
}
