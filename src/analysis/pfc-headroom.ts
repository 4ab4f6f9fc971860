/**
 * Space in a lossless buffer: above xoff for data in flight, and between Kmax and xoff for congestion control.
 *
 *   headroom      = 3 * floor(rate * one-way delay)          the rule of the HPCC simulator's switches
 *   control loop  = rate * loop time                         arrivals until senders react to a mark
 *   order         Kmin < Kmax < xoff, at least one control loop between Kmax and xoff
 *
 * Data in flight when the pause leaves, and data sent until it arrives, take two one-way delays; we read the third as a
 * reserve. The rule has no terms for frames, interfaces and the response of the peer; port-headroom.ts computes the
 * headroom of a real port.
 */
import { checkFields, numberIn, wholeIn, type FieldRules } from '../config/field-rules.js';
import { bytesWithin } from './exact-numbers.js';

/** A link, for {@link simulatorHeadroomBytes}. */
export interface HeadroomInput {
  /** Bits per second, a whole number. */
  readonly rateBps: number;
  /** One-way delay of the link, picoseconds. */
  readonly linkDelayPs: number;
}

/** The congestion control loop and the thresholds, for {@link ecnRoomBelowXoff}. */
export interface EcnRoomInput {
  /** Arrival rate, bits per second, a whole number. */
  readonly rateBps: number;
  /** Time from a mark until the queue receives the first packet sent at the lower rate, picoseconds. */
  readonly controlLoopPs: number;
  /** Queue length from which every packet is marked, bytes. */
  readonly kmaxBytes: number;
  /** Queue length from which PFC pauses, bytes. */
  readonly xoffBytes: number;
}

/** Whether ECN has time to act before PFC does. */
export interface EcnRoom {
  /** xoffBytes - kmaxBytes; negative: PFC acts before every packet is marked. */
  readonly roomBytes: number;
  /** Bytes that arrive within one control loop. */
  readonly neededBytes: number;
  /** Whether marking takes effect before PFC pauses. */
  readonly suffices: boolean;
}

/** Link delays that the simulator's headroom rule reserves. */
export const HEADROOM_LINK_DELAYS = 3;

const BIT_PS_PER_BYTE = 8n * 1_000_000_000_000n;
const RATE_RULE = wholeIn(1, 1e13, 'bits per second');
const TIME_RULE = wholeIn(0, 1e12, 'picoseconds');
const BYTES_RULE = numberIn(0, Number.MAX_SAFE_INTEGER, 'bytes');

const HEADROOM_RULES: FieldRules<HeadroomInput> = { rateBps: RATE_RULE, linkDelayPs: TIME_RULE };
const ROOM_RULES: FieldRules<EcnRoomInput> = {
  rateBps: RATE_RULE,
  controlLoopPs: TIME_RULE,
  kmaxBytes: BYTES_RULE,
  xoffBytes: BYTES_RULE,
};

/**
 * Headroom by the rule of the HPCC simulator: 37 500 bytes for 100 Gb/s and 1 us. For real switches use {@link
 * portHeadroom}.
 *
 * @throws RoceError `invalid-config` naming the field.
 */
export function simulatorHeadroomBytes(input: HeadroomInput): number {
  const { rateBps, linkDelayPs } = checkFields(input, HEADROOM_RULES, 'simulatorHeadroom');
  const oneWayBytes = (BigInt(rateBps) * BigInt(linkDelayPs)) / BIT_PS_PER_BYTE;
  return HEADROOM_LINK_DELAYS * Number(oneWayBytes);
}

/**
 * Bytes that arrive at `rateBps` within one control loop, rounded up.
 *
 * @throws RoceError `invalid-config` naming the field.
 */
export function controlLoopBytes(rateBps: number, controlLoopPs: number): number {
  checkFields({ rateBps, controlLoopPs }, { rateBps: RATE_RULE, controlLoopPs: TIME_RULE }, 'controlLoop');
  return bytesWithin(rateBps, controlLoopPs);
}

/**
 * Compares the space between Kmax and xoff with the arrivals of one control loop.
 *
 * @throws RoceError `invalid-config` naming the field.
 */
export function ecnRoomBelowXoff(input: EcnRoomInput): EcnRoom {
  const { rateBps, controlLoopPs, kmaxBytes, xoffBytes } = checkFields(input, ROOM_RULES, 'ecnRoom');
  const roomBytes = xoffBytes - kmaxBytes;
  const neededBytes = controlLoopBytes(rateBps, controlLoopPs);
  return { roomBytes, neededBytes, suffices: roomBytes >= neededBytes };
}
