/**
 * Headroom of a lossless priority group: what arrives at a port after its fill level calls for a pause.
 *
 *   headroom = cells * (2 * cable + interface + response + waiting frame + pause frame) + begun frame
 *
 *   cable          rate * one-way delay, both ways: the pause goes out, data sent meanwhile comes in
 *   interface      MAC, PCS, FEC, PMA and PMD of the port that sends the pause, both directions
 *   response       of the peer, from the pause at its connector to the last bit of data there
 *   waiting frame  the longest frame, which the port has just begun to send: the pause waits behind it
 *   begun frame    the longest frame, which the peer has just begun to send
 *   cells          memory that packets occupy / their bytes: packets fill whole cells
 *
 * Sources: IEEE 802.1Q, annex O (the terms); IEEE 802.3, 31B.3.7 (the response, in quanta of 512 bit times; it bounds the sum of
 * all sublayers of a PHY, so it is taken for the interface too); the numbers per speed and the cells are those of SONiC
 * (sonic-net/sonic-swss at 18913fa3, cfgmgr/buffer_headroom_mellanox.lua).
 */
import { checkFields, numberIn, orValue, wholeIn, type FieldRules } from '../config/field-rules.js';
import { bytesWithin } from './exact-numbers.js';

/** A link and the switch at its receiving end, for {@link linkHeadroom}. */
export interface LinkHeadroomInput {
  /** Bits per second, a whole number. */
  readonly rateBps: number;
  /** One-way delay of the cable, picoseconds. */
  readonly linkDelayPs: number;
  /** The longest frame, bytes. */
  readonly mtuBytes: number;
  /** Delay of the port's own interface, both directions, picoseconds; default: the bound of IEEE 802.3 for the rate. */
  readonly interfaceDelayPs?: number | undefined;
  /** Response of the peer, picoseconds; default: the bound of IEEE 802.3, 31B.3.7, for the rate. */
  readonly responseDelayPs?: number | undefined;
  /** Size of a cell of the switch's memory, bytes; default 0: packets occupy their bytes. */
  readonly cellBytes?: number | undefined;
  /** Share of packets of 64 bytes among those that arrive, percent; default 100, as SONiC has it. Matters only with cells. */
  readonly smallPacketPercent?: number | undefined;
}

/** One part of a headroom. */
export interface HeadroomTerm {
  /** What it is for. */
  readonly name: 'cable' | 'interface' | 'response' | 'waiting-frame' | 'pause-frame' | 'begun-frame' | 'cells';
  /** Its bytes. */
  readonly bytes: number;
  /** How long it lasts, picoseconds; null: it is a number of bytes. */
  readonly timePs: number | null;
  /** Whether the time is the standard's bound, because none was given. */
  readonly isDefault: boolean;
}

/** The headroom and its parts. */
export interface LinkHeadroom {
  /** The sum, bytes. */
  readonly bytes: number;
  /** In the order of events. */
  readonly terms: readonly HeadroomTerm[];
}

const QUANTUM_BITS = 512;
const PS_PER_SECOND = 1e12;
const PAUSE_FRAME_BYTES = 64;
/** Preamble, start of frame and the gap between frames (IEEE 802.3, section 4.4.2). */
const FRAME_GAP_BYTES = 20;
const SMALLEST_PACKET_BYTES = 64;
const PERCENT = 100;
const ALL_SMALL_PERCENT = 100;

/** Response to a pause, quanta by speed. Between two speeds, and above the last, the time of the faster one counts. */
const RESPONSE_QUANTA: readonly (readonly [rateBps: number, quanta: number])[] = [
  [100e6, 1],
  [1e9, 2],
  [10e9, 67],
  [25e9, 80],
  [40e9, 118],
  [50e9, 147],
  [100e9, 394],
  [200e9, 453],
  [400e9, 905],
];

const TIME_RULE = wholeIn(0, 1e12, 'picoseconds');
const RATE_RULE = wholeIn(1, 1e13, 'bits per second');

/** @internal The checks of everything but the link, which has other names elsewhere. */
export const HEADROOM_RULES: FieldRules<Required<Omit<LinkHeadroomInput, 'rateBps' | 'linkDelayPs'>>> = {
  mtuBytes: wholeIn(SMALLEST_PACKET_BYTES, 65_535, 'bytes'),
  interfaceDelayPs: orValue(undefined, TIME_RULE),
  responseDelayPs: orValue(undefined, TIME_RULE),
  cellBytes: wholeIn(0, 65_535, 'bytes'),
  smallPacketPercent: numberIn(0, PERCENT, 'percent'),
};

const RULES: FieldRules<Required<LinkHeadroomInput>> = {
  ...HEADROOM_RULES,
  rateBps: RATE_RULE,
  linkDelayPs: TIME_RULE,
};

/**
 * Bound on the response to a pause (IEEE 802.3, 31B.3.7): 2.01728 us at 100 Gb/s, 1.1584 us at 400 Gb/s.
 *
 * @returns picoseconds.
 * @throws RoceError `invalid-config` naming the field.
 */
export function pauseResponsePs(rateBps: number): number {
  checkFields({ rateBps }, { rateBps: RATE_RULE }, 'pauseResponse');
  const last = RESPONSE_QUANTA.length - 1;
  const [speedBps, quanta] = RESPONSE_QUANTA.find(([speed]) => rateBps <= speed) ?? RESPONSE_QUANTA[last];
  return Math.ceil((quanta * QUANTUM_BITS * PS_PER_SECOND) / speedBps);
}

/**
 * The headroom of a port: 106,468 bytes for 100 Gb/s, 300 m of fibre (1.5 us) and frames of 9,216 bytes.
 *
 * @throws RoceError `invalid-config` naming the field.
 */
export function linkHeadroom(input: LinkHeadroomInput): LinkHeadroom {
  const { cellBytes = 0, smallPacketPercent = ALL_SMALL_PERCENT, interfaceDelayPs, responseDelayPs } = input;
  const checked = checkFields({ ...input, cellBytes, smallPacketPercent, interfaceDelayPs, responseDelayPs }, RULES,
    'linkHeadroom');
  const { rateBps, linkDelayPs, mtuBytes } = checked;
  const during = (name: HeadroomTerm['name'], timePs: number, isDefault: boolean): HeadroomTerm => ({
    name,
    bytes: bytesWithin(rateBps, timePs),
    timePs,
    isDefault,
  });
  const boundPs = pauseResponsePs(rateBps);
  const arriving = [
    fixed('waiting-frame', mtuBytes + FRAME_GAP_BYTES),
    fixed('pause-frame', PAUSE_FRAME_BYTES + FRAME_GAP_BYTES),
    during('interface', interfaceDelayPs ?? boundPs, interfaceDelayPs === undefined),
    during('cable', 2 * linkDelayPs, false),
    during('response', responseDelayPs ?? boundPs, responseDelayPs === undefined),
  ];
  const begun = fixed('begun-frame', mtuBytes);
  const cells = fixed('cells', cellOverhead(sum(arriving), cellBytes, smallPacketPercent));
  const terms = [...arriving, begun, ...(cellBytes === 0 ? [] : [cells])];
  return { bytes: sum(terms), terms };
}

/**
 * Memory beyond the packets' bytes: a packet of 64 bytes alone in a large cell, or the last byte of a packet in a small one
 * (SONiC's worst case).
 */
function cellOverhead(bytes: number, cellBytes: number, smallPacketPercent: number): number {
  if (cellBytes === 0) return 0;
  const worst = cellBytes > 2 * SMALLEST_PACKET_BYTES ?
    cellBytes / SMALLEST_PACKET_BYTES :
    (2 * cellBytes) / (1 + cellBytes);
  return Math.ceil((bytes * smallPacketPercent * (worst - 1)) / PERCENT);
}

function fixed(name: HeadroomTerm['name'], bytes: number): HeadroomTerm {
  return { name, bytes, timePs: null, isDefault: false };
}

function sum(terms: readonly HeadroomTerm[]): number {
  return terms.reduce((total, { bytes }) => total + bytes, 0);
}
