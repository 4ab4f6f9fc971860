/**
 * Records in memory by their layouts, and the state that ACK-driven algorithms have in common, with its layout in a
 * QP's record.
 */
import { CONTROLLER, CONTROLLER_STARTED } from '../records/controllers.js';

/**
 * Type and byte offset of a number, and for a flag its bit. With `less`, the stored number is reduced by this, but not
 * below 0.
 */
export type Place = readonly [type: 'f64' | 'u32' | 'u16' | 'u8', offset: number, less?: number] | readonly [
  type: 'bit',
  offset: number,
  bit: number,
];

/** Fields by name. */
export type RecordLayout<Name extends string = string> = Readonly<Record<Name, Place>>;

/** Numbers by name, as in a model's state. */
export type RecordValues = Record<string, number | boolean | undefined>;

/** Writes all fields of the layout; absent values are written as 0. */
export function writeRecord(view: DataView, at: number, layout: RecordLayout, values: object): void {
  for (const name in layout) {
    const place = layout[name];
    writeField(view, at + place[1], place, Number((values as RecordValues)[name] ?? 0));
  }
}

/** Reads all fields of the layout; flags become booleans. */
export function readRecord(view: DataView, at: number, layout: RecordLayout): RecordValues {
  const values: RecordValues = {};
  for (const name in layout) values[name] = readField(view, at + layout[name][1], layout[name]);
  return values;
}

function writeField(view: DataView, at: number, [type, , less = 0]: Place, value: number): void {
  if (type === 'f64') view.setFloat64(at, value, true);
  else if (type === 'u32') view.setUint32(at, Math.max(value - less, 0), true);
  else if (type === 'u16') view.setUint16(at, value, true);
  else if (type === 'u8') view.setUint8(at, value);
  else view.setUint8(at, value === 0 ? view.getUint8(at) & ~less : view.getUint8(at) | less);
}

function readField(view: DataView, at: number, [type, , less = 0]: Place): number | boolean {
  if (type === 'f64') return view.getFloat64(at, true);
  if (type === 'u32') return view.getUint32(at, true) + less;
  if (type === 'u16') return view.getUint16(at, true);
  return type === 'u8' ? view.getUint8(at) : (view.getUint8(at) & less) !== 0;
}

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
