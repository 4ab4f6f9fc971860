/** What the states of ACK-driven algorithms have in common, and its place in a QP's record. */
import { CONTROLLER, CONTROLLER_STARTED } from '../records/controllers.js';
import type { RecordLayout } from '../record.js';

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
  /** Further fields, in the room for hops, with or without hops before them. */
  readonly behindHops?: RecordLayout;
}

/** What every algorithm keeps. */
export const SENDER_FIELDS = {
  rateBps: ['f64', CONTROLLER.at.rateBps],
  windowBytes: ['f64', CONTROLLER.at.windowBytes],
  lastEventPs: ['f64', CONTROLLER.at.lastEventPs],
  nextSendPs: ['f64', CONTROLLER.at.nextSendPs],
} as const;

/** What those keep, too, that count round trips by sequence numbers. */
export const ROUND_TRIP_FIELDS = {
  ...SENDER_FIELDS,
  lastLenBytes: ['u32', CONTROLLER.at.lastLenBytes],
  lastUpdateSeq: ['u32', CONTROLLER.at.lastUpdateSeq],
  started: ['bit', CONTROLLER.at.flags, CONTROLLER_STARTED],
} as const;

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
