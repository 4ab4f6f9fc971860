/**
 * How a model's numbers stand in memory: by their names in its state, the same bytes as engine.wasm writes (src/abi), so that
 * hosts, snapshots and tests read either.
 */
import * as layout from '../../abi/ack-layout.js';
import { QP_LAST_EVENT, QP_NEXT_SEND, QP_RATE } from '../../abi/layout.js';

/** Type and byte offset of a number; of a flag the bit that it is; `less`: this much less is stored, but not below 0. */
export type Place = readonly [type: 'f64' | 'u32' | 'u16' | 'u8', offset: number, less?: number] | readonly [
  type: 'bit',
  offset: number,
  bit: number,
];

/** Places by name. */
export type RecordLayout<Name extends string = string> = Readonly<Record<Name, Place>>;

/** The records of one kind that a QP keeps of its hops. */
export interface HopRecords {
  readonly layout: RecordLayout;
  /** Of the first one, behind the QP's room for hops. */
  readonly from: number;
  /** From one hop to the next. */
  readonly bytes: number;
}

/** Where the state of an algorithm that steers by acknowledgements stands. */
export interface StateRecord {
  /** In the QP's 64 bytes. */
  readonly fields: RecordLayout;
  /** Of the hops, when so many have room. */
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
