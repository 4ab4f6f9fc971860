/** Common state of ACK-driven algorithms, and its layout in a QP's record. */
import { CONTROLLER, CONTROLLER_STARTED } from '../records/controllers.js';
import type { RecordLayout } from '../record.js';

/** Layout of one kind of hop records. */
export interface HopRecords {
  readonly layout: RecordLayout;
  /** Offset of the first record from the start of the QP's hop memory. */
  readonly from: number;
  /** Distance between two records. */
  readonly bytes: number;
}

/** Layout of the state of an ACK-driven algorithm. */
export interface StateRecord {
  /** Fields in the QP's 64 bytes. */
  readonly fields: RecordLayout;
  /** Hop records, given the maximum number of hops. */
  readonly hops?: (room: number) => readonly HopRecords[];
  /** Further fields in the hop memory, after the hops if there are any. */
  readonly behindHops?: RecordLayout;
}

/** Fields of every algorithm. */
export const SENDER_FIELDS = {
  rateBps: ['f64', CONTROLLER.at.rateBps],
  windowBytes: ['f64', CONTROLLER.at.windowBytes],
  lastEventPs: ['f64', CONTROLLER.at.lastEventPs],
  nextSendPs: ['f64', CONTROLLER.at.nextSendPs],
} as const;

/** Fields of algorithms that detect round trips by sequence numbers. */
export const ROUND_TRIP_FIELDS = {
  ...SENDER_FIELDS,
  lastLenBytes: ['u32', CONTROLLER.at.lastLenBytes],
  lastUpdateSeq: ['u32', CONTROLLER.at.lastUpdateSeq],
  started: ['bit', CONTROLLER.at.flags, CONTROLLER_STARTED],
} as const;

/** Common state of all senders. */
export interface SenderState {
  /** Time of the last event, picoseconds. */
  lastEventPs: number;
  /** Earliest time of the next packet, picoseconds; 0 = immediately. */
  nextSendPs: number;
}

/** The part of a QP's state that spaces its packets. */
export interface SendPace {
  /** Earliest time of the next packet, picoseconds; 0 = immediately. */
  nextSendPs: number;
  /** Length of the last packet sent, bytes; 0 = none yet. */
  lastLenBytes: number;
}

/** State of a sender controlled by its rate. */
export interface RateSenderState extends SenderState, SendPace {
  /** R, bits per second. */
  rateBps: number;
}

/**
 * Sequence number that begins the current round trip: everything before it had already been sent. An ACK beyond it
 * begins the next round trip. `started` tells whether an ACK has set it. Under 'u32', as in the reference, 0 means that
 * it is not set, so an ACK of 0 does not count as beyond it.
 */
export interface RoundTripMark {
  started: boolean;
  lastUpdateSeq: number;
}
