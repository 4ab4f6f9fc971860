/**
 * Headroom of a lossless priority group on a real port, term by term: the bytes that arrive from the decision to pause
 * until the peer has stopped sending.
 *
 *   own frame    a frame that this port is already sending delays the pause
 *   PFC frame    the time to transmit the pause
 *   cable        the pause travels to the peer while data in flight arrives
 *   interfaces   both directions of both ends (interface-delay.ts)
 *   response     the time until the peer's queue is paused
 *   peer frame   the peer completes the frame that it is sending
 *   cells        packets fill whole cells of the buffer (cell-overhead.ts)
 *
 * Source: IEEE 802.1Q, annex O (802.1Qbb), for the terms; 36.1.3.3 for the response. The rule of the HPCC simulator
 * (`simulatorHeadroomBytes`) counts only the cable's delay.
 */
import { checkFields, orValue, wholeIn, type FieldRules } from '../config/field-rules.js';
import { bytesOfCells, WIRE_OVERHEAD_BYTES, worstBytesOfCells } from './cell-overhead.js';
import { bytesWithin } from './exact-numbers.js';
import { interfaceDelay } from './interface-delay.js';

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
    { name: 'cable', what: 'Cable, both ways', bytes: bytesWithin(rateBps, 2 * linkDelayPs), source: ANNEX_O },
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
