/**
 * Headroom of a lossless priority group on a real port, term by term: what arrives between the decision to pause and the last
 * byte that the peer had begun to send.
 *
 *   own frame    a frame that this port has begun delays the pause
 *   PFC frame    the pause takes its time on the wire
 *   cable        the pause travels there, and data in flight arrives
 *   interfaces   both directions of both ends (interface-delay.ts)
 *   response     the peer's queue goes into the paused state
 *   peer frame   a frame that the peer has begun is sent to its end
 *   cells        packets fill whole cells of the buffer (cell-overhead.ts)
 *
 * Source: IEEE 802.1Q, annex O (802.1Qbb), for the terms; 36.1.3.3 for the response. `simulatorHeadroomBytes` is the rule of the
 * HPCC simulator, which has the cable's delay alone.
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
  /** From the pause at the peer's MAC to its paused queue, picoseconds. Default 614,400. */
  readonly responseDelayPs: number;
  /** Cells of the buffer, bytes; null: not known, and not counted. */
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
  /** The same in words. */
  readonly what: string;
  /** What it adds, bytes. */
  readonly bytes: number;
  /** Where its default is from. */
  readonly source: string;
}

/** The headroom of a priority group. */
export interface PortHeadroom {
  /** All terms; `cells` only where the size of a cell is given. */
  readonly terms: readonly HeadroomTerm[];
  /** Their sum, bytes. */
  readonly totalBytes: number;
}

/** Light in fibre takes 5 ns per metre (refractive index 1.5); copper is about as fast. */
export const CABLE_DELAY_PS_PER_M = 5_000;
/** Longest cable that is computed, metres. */
export const CABLE_MAX_M = 200_000;

/** Jumbo frames of 9,216 bytes; the limits of the standard; 614.4 ns (IEEE 802.1Q, 36.1.3.3); cells not counted. */
export const HEADROOM_ALLOWANCES: HeadroomAllowances = Object.freeze({
  mtuBytes: 9216,
  interfaceDelayPs: null,
  responseDelayPs: 614_400,
  cellBytes: null,
});

/** A PFC frame has the least length (IEEE 802.3, 31.5 and annex 31D). */
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
 * The headroom of a priority group, and what it is made of.
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

/** What cells add: the peer's frame rounded up, and all else as the worst packets. */
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
