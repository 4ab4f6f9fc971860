/**
 * Space in a lossless buffer: above xoff for data in flight, and between Kmax and xoff for congestion control.
 *
 * Headroom of a priority group on a real port is the bytes that arrive from the decision to pause until the peer has
 * stopped sending, term by term:
 *
 *   own frame    a frame that this port is already sending delays the pause
 *   PFC frame    the time to transmit the pause
 *   cable        the pause travels to the peer while data in flight arrives
 *   interfaces   both directions of both ends (below)
 *   response     the time until the peer's queue is paused
 *   peer frame   the peer completes the frame that it is sending
 *   cells        packets fill whole cells of the buffer (below)
 *
 * Source: IEEE 802.1Q, annex O (802.1Qbb), for the terms; 36.1.3.3 for the response.
 *
 * The rule of the HPCC simulator's switches counts only the cable, 3 * floor(rate * one-way delay): data in flight when
 * the pause leaves, and data sent until it arrives, take two one-way delays; we read the third as a reserve.
 *
 *   control loop  = rate * loop time                         arrivals until senders react to a mark
 *   order         Kmin < Kmax < xoff, at least one control loop between Kmax and xoff
 */
import { checkFields, orValue, wholeIn, type FieldRules, checkField, numberIn } from '../config/field-rules.js';
import { PS_PER_SECOND } from '../units.js';
import { BIT_PS_PER_BYTE, bytesWithin } from '../exact-numbers.js';

/** What a port's headroom depends on in addition to rate and link. */
export interface HeadroomAllowances {
  /** Longest frame of either end, with headers and FCS, bytes. Default 9,216. */
  readonly mtuBytes: number;
  /** Delay of one end's interface, both directions together, picoseconds; null: the limit of IEEE 802.3 for the rate. */
  readonly interfaceDelayPs: number | null;
  /** Time from the pause's arrival at the peer's MAC until its queue is paused, picoseconds. Default 614,400. */
  readonly responseDelayPs: number;
  /** Cell size of the buffer, bytes; null: unknown, not counted. */
  readonly cellBytes: number | null;
}

/** A link and its ports, for {@link portHeadroom}. */
export interface PortHeadroomInput extends Partial<HeadroomAllowances> {
  /** Bits per second, a whole number. */
  readonly rateBps: number;
  /** One-way delay of the cable, picoseconds. */
  readonly linkDelayPs: number;
}

/** Name of a term. */
export type HeadroomTermName = 'own-frame' | 'pfc-frame' | 'cable' | 'interfaces' | 'response' | 'peer-frame' | 'cells';

/** One term of a headroom. */
export interface HeadroomTerm {
  /** Its name; stable. */
  readonly name: HeadroomTermName;
  /** Description in words. */
  readonly what: string;
  /** Bytes that it adds. */
  readonly bytes: number;
  /** Source of its default value. */
  readonly source: string;
}

/** The headroom of a priority group. */
export interface PortHeadroom {
  /** All terms; `cells` only if the cell size is given. */
  readonly terms: readonly HeadroomTerm[];
  /** Their sum, bytes. */
  readonly totalBytes: number;
}

/** Light in fibre takes 5 ns per metre (refractive index 1.5); copper is about as fast. */
export const CABLE_DELAY_PS_PER_M = 5_000;
/** Maximum cable length, metres. */
export const CABLE_MAX_M = 200_000;

/** Jumbo frames of 9,216 bytes; the limits of the standard; 614.4 ns (IEEE 802.1Q, 36.1.3.3); cells not counted. */
export const HEADROOM_ALLOWANCES: HeadroomAllowances = Object.freeze({
  mtuBytes: 9216,
  interfaceDelayPs: null,
  responseDelayPs: 614_400,
  cellBytes: null,
});

/** A PFC frame has the minimum length (IEEE 802.3, 31.5 and annex 31D). */
const PFC_FRAME_BYTES = 64;
const TIME_RULE = wholeIn(0, 1e12, 'picoseconds');
const RULES: FieldRules<Required<PortHeadroomInput>> = {
  rateBps: wholeIn(1, 1e13, 'bits per second'),
  linkDelayPs: TIME_RULE,
  mtuBytes: wholeIn(64, 65_536, 'bytes'),
  interfaceDelayPs: orValue(null, TIME_RULE),
  responseDelayPs: TIME_RULE,
  cellBytes: orValue(null, wholeIn(1, 65_536, 'bytes')),
};
const ANNEX_O = 'IEEE 802.1Q, annex O';

/**
 * Computes the headroom of a priority group, term by term.
 *
 * @throws RoceError `invalid-config` naming the field.
 */
export function portHeadroom(input: PortHeadroomInput): PortHeadroom {
  const link = checkFields<Required<PortHeadroomInput>>({ ...HEADROOM_ALLOWANCES, ...input }, RULES, 'portHeadroom');
  const [ownFrame, pfcFrame, peerFrame] = frameTerms(link);
  const terms = [ownFrame, pfcFrame, ...delayTerms(link), peerFrame];
  const all = link.cellBytes === null ? terms : [...terms, cellTerm(terms, link, link.cellBytes)];
  return { terms: all, totalBytes: sumOf(all) };
}

function frameTerms({ mtuBytes }: Required<PortHeadroomInput>): HeadroomTerm[] {
  return [
    {
      name: 'own-frame',
      what: 'Frame that this port has begun, with preamble and gap',
      bytes: mtuBytes + WIRE_OVERHEAD_BYTES,
      source: ANNEX_O,
    },
    {
      name: 'pfc-frame',
      what: 'PFC frame, with preamble and gap',
      bytes: PFC_FRAME_BYTES + WIRE_OVERHEAD_BYTES,
      source: ANNEX_O,
    },
    { name: 'peer-frame', what: 'Frame that the peer has begun', bytes: mtuBytes, source: ANNEX_O },
  ];
}

function delayTerms(link: Required<PortHeadroomInput>): HeadroomTerm[] {
  const { rateBps, linkDelayPs, interfaceDelayPs, responseDelayPs } = link;
  const limit = interfaceDelay(rateBps);
  return [
    { name: 'cable', what: 'Cable, both directions', bytes: bytesWithin(rateBps, 2 * linkDelayPs), source: ANNEX_O },
    {
      name: 'interfaces',
      what: 'Interfaces of both ends, both directions',
      bytes: bytesWithin(rateBps, 2 * (interfaceDelayPs ?? limit.delayPs)),
      source: interfaceDelayPs === null ? `IEEE 802.3, 31B.3.7, ${showGbps(limit.listedRateBps)}` : 'given',
    },
    {
      name: 'response',
      what: 'Response of the peer',
      bytes: bytesWithin(rateBps, responseDelayPs),
      source: responseDelayPs === HEADROOM_ALLOWANCES.responseDelayPs ? 'IEEE 802.1Q, 36.1.3.3' : 'given',
    },
  ];
}

/**
 * Overhead of cells: the peer's frame rounded up to whole cells, and everything else as packets of the worst length.
 */
function cellTerm(terms: readonly HeadroomTerm[], { mtuBytes }: Required<PortHeadroomInput>,
  cellBytes: number): HeadroomTerm {
  const wireBytes = sumOf(terms) - mtuBytes;
  const inCells = worstBytesOfCells(wireBytes, cellBytes, mtuBytes) + bytesOfCells(mtuBytes, cellBytes);
  return {
    name: 'cells',
    what: `Cells of ${cellBytes} bytes, filled by the worst packets`,
    bytes: Math.max(0, inCells - wireBytes - mtuBytes),
    source: 'given',
  };
}

function sumOf(terms: readonly HeadroomTerm[]): number {
  return terms.reduce((sum, { bytes }) => sum + bytes, 0);
}

function showGbps(rateBps: number): string {
  return `${rateBps / 1e9} Gb/s`;
}

/*
 * Maximum time that one end of an Ethernet link may take from the medium through PMD, PMA, PCS and MAC Control and
 * back, by speed.
 *
 * Source: IEEE 802.3, 31B.3.7, the limit on the reaction to a pause as measured at the medium, in quanta of 512 bit times. It is
 * the sum of the delays that the clauses of each speed allow MAC, PCS, PMA and PMD in both directions: at 400 Gb/s
 * 192 + 625 + 72 + 16 = 905, at 200 Gb/s 96 + 313 + 36 + 8 = 453 (116.4). The quanta are those of sonic-swss,
 * cfgmgr/buffer_headroom_mellanox.lua, which cites 31B.3.7 and takes 800 Gb/s as 400 Gb/s.
 */

/** Speed in bits per second, and its limit in quanta; ascending. */
const PAUSE_QUANTA: readonly (readonly [rateBps: number, quanta: number])[] = [
  [1e8, 1],
  [1e9, 2],
  [10e9, 67],
  [25e9, 80],
  [40e9, 118],
  [50e9, 147],
  [100e9, 394],
  [200e9, 453],
  [400e9, 905],
  [800e9, 905],
];

const QUANTUM_BITS = 512;

/** The limit of one end of a link. */
export interface InterfaceDelay {
  /** Delay of both directions together, picoseconds. */
  readonly delayPs: number;
  /** The listed speed that the limit is for, bits per second: the nearest one at or below the rate. */
  readonly listedRateBps: number;
}

/**
 * The limit for a port: 2.017 us at 100 Gb/s, 1.158 us at 400 Gb/s. An unlisted speed has the limit of the nearest one
 * below it, or else of the slowest one.
 *
 * @param rateBps bits per second, a whole number.
 * @throws RoceError `invalid-config` for a rate out of range.
 */
export function interfaceDelay(rateBps: number): InterfaceDelay {
  checkField(rateBps, wholeIn(1, 1e13, 'bits per second'), 'interfaceDelay.rateBps');
  const [listedRateBps, quanta] = PAUSE_QUANTA.findLast(([listed]) => listed <= rateBps) ?? PAUSE_QUANTA[0];
  return { delayPs: Math.ceil((quanta * QUANTUM_BITS * PS_PER_SECOND) / listedRateBps), listedRateBps };
}

/*
 * Overhead of buffers that are divided into cells: each packet takes whole cells, so small packets fill a buffer faster
 * than their bytes arrive.
 */

/** Shortest frame (IEEE 802.3, 4A.4.2). */
const FRAME_MIN_BYTES = 64;
/** Preamble, start of frame and interpacket gap: 7 + 1 + 12 bytes (IEEE 802.3, 3.1 and 4A.4.2). */
const WIRE_OVERHEAD_BYTES = 20;

/** Bytes of the whole cells that a packet occupies. */
function bytesOfCells(packetBytes: number, cellBytes: number): number {
  return Math.ceil(packetBytes / cellBytes) * cellBytes;
}

/** Maximum bytes of cells that are filled while the wire carries `wireBytes`, with packets of the worst length. */
function worstBytesOfCells(wireBytes: number, cellBytes: number, mtuBytes: number): number {
  const straddling = Math.max(1, Math.ceil((FRAME_MIN_BYTES - 1) / cellBytes)) * cellBytes + 1;
  const lengths = straddling <= mtuBytes ? [FRAME_MIN_BYTES, straddling] : [FRAME_MIN_BYTES];
  return Math.max(
    ...lengths.map((length) => Math.ceil(wireBytes / (length + WIRE_OVERHEAD_BYTES)) * bytesOfCells(length, cellBytes)),
  );
}

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

const RATE_RULE = wholeIn(1, 1e13, 'bits per second');
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
