/**
 * MAC control (IEEE 802.3, clause 31): what follows EtherType 0x8808.
 *
 *   0 opcode (2) | 2 parameters, by opcode: 0x0001 PAUSE (pause.ts), 0x0101 PFC (pfc.ts) | zeros to 60 bytes of frame
 *
 * Frames go to 01-80-C2-00-00-01, which no bridge forwards, without a VLAN tag. Readers start at the opcode, behind the
 * Ethernet header, and take frames of fewer than 60 bytes as long as the fields are there: captures cut the padding.
 */
import { invalidArgument, requireField, requireLength, requireTarget } from '../bytes.js';
import { MAC_BYTES, buildEthernetInto } from './ethernet.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** EtherType of MAC control frames, PAUSE and PFC among them (IEEE 802.3, clause 31). */
export const ETHERTYPE_MAC_CONTROL = 0x8808;
/** Stop everything (IEEE 802.3, annex 31B). */
export const MAC_CONTROL_PAUSE = 0x0001;
/** Stop by priority (IEEE 802.1Qbb; IEEE 802.3, annex 31D). */
export const MAC_CONTROL_PFC = 0x0101;
/** 01-80-C2-00-00-01, where PAUSE and PFC frames go. */
export const MAC_CONTROL_ADDRESS: readonly number[] = [0x01, 0x80, 0xc2, 0x00, 0x00, 0x01];
/** Shortest Ethernet frame without its check sequence (IEEE 802.3, section 4.4.2), and the length of these frames. */
export const MAC_CONTROL_FRAME_BYTES = 60;

/** Bits of which the time on the wire is one pause quantum (IEEE 802.3, annex 31B). */
export const PAUSE_QUANTUM_BITS = 512;
/** Longest pause: 16 bits. */
export const PAUSE_QUANTA_MAX = 0xffff;
const PS_PER_SECOND = 1e12;

export const MAC_CONTROL = /* @__PURE__ */ defineHeader({
  title: 'MAC control',
  source: 'IEEE 802.3, clause 31',
  layer: 'mac control',
  where: 'macControl',
  followedBy: 'parameters as the opcode says, zeros up to 60 bytes of frame',
  fields: (field) => ({
    /** 0x0001 PAUSE, 0x0101 PFC. */
    opcode: field.bits(16),
  }),
});

/** The opcode, common to every MAC control frame. */
export const MAC_CONTROL_BYTES = MAC_CONTROL.bytes;
/** The drawing of docs/wire.md. */
export const MAC_CONTROL_LAYOUT = MAC_CONTROL.layout;

/** The common start of all MAC control frames, as a value. */
export interface MacControl extends HeaderValue<typeof MAC_CONTROL> {}

/** Reads a MAC control opcode in place. */
export class MacControlView extends MAC_CONTROL.View {}

/**
 * Reads a MAC control opcode; the inverse of `buildMacControl`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export const parseMacControl: ParseHeader<MacControl> = MAC_CONTROL.parse;
/** Writes a MAC control opcode. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildMacControl: BuildHeader<MacControl> = MAC_CONTROL.build;
/** As `buildMacControl`, into `target`. @returns the offset behind the header. */
export const buildMacControlInto: BuildHeaderInto<MacControl> = MAC_CONTROL.buildInto;

/**
 * Writes the Ethernet header of a frame of 60 bytes, and zeros behind it.
 *
 * @param source 6 bytes: the port that requests the pause.
 * @returns the offset behind the EtherType.
 * @throws RoceError `invalid-argument` for a wrong address or too small a target.
 */
export function beginMacControlFrame(target: Uint8Array, offset: number, source: Uint8Array): number {
  requireLength('source', source, MAC_BYTES);
  requireTarget('macControl.frame', target, offset, MAC_CONTROL_FRAME_BYTES);
  target.fill(0, offset, offset + MAC_CONTROL_FRAME_BYTES);
  const destination = Uint8Array.from(MAC_CONTROL_ADDRESS);
  return buildEthernetInto(target, offset, { destination, source, tags: [], etherType: ETHERTYPE_MAC_CONTROL });
}

/**
 * How long a pause lasts: `pauseQuanta` times 512 bit times of the link.
 *
 * @param pauseQuanta 0..65535.
 * @param rateBps of the link that shall pause, bits per second.
 * @returns picoseconds, to the nearest.
 * @throws RoceError `invalid-argument` for a number out of range.
 */
export function pauseQuantaToPs(pauseQuanta: number, rateBps: number): number {
  requireField('pauseQuanta', pauseQuanta, PAUSE_QUANTA_MAX);
  requireRate(rateBps);
  // The product is exact: 512 * 10^12 has 28 significant bits, the quanta 16.
  return Math.round((pauseQuanta * (PAUSE_QUANTUM_BITS * PS_PER_SECOND)) / rateBps);
}

/**
 * The shortest pause that lasts `timePs`; the inverse of `pauseQuantaToPs`. Rounds up, since a pause that ends too soon
 * loses frames.
 *
 * @param timePs an integer, 0 or more.
 * @param rateBps of the link that shall pause, bits per second.
 * @throws RoceError `invalid-argument` for a number out of range, also for a time that takes more than 65535 quanta.
 */
export function psToPauseQuanta(timePs: number, rateBps: number): number {
  requireRate(rateBps);
  const longestPs = pauseQuantaToPs(PAUSE_QUANTA_MAX, rateBps);
  requireField('timePs', timePs, longestPs);
  const estimate = Math.floor((timePs * rateBps) / (PAUSE_QUANTUM_BITS * PS_PER_SECOND));
  let pauseQuanta = Math.min(PAUSE_QUANTA_MAX, Math.max(0, estimate - 1));
  while (pauseQuantaToPs(pauseQuanta, rateBps) < timePs) pauseQuanta++;
  return pauseQuanta;
}

function requireRate(rateBps: number): void {
  if (Number.isFinite(rateBps) && rateBps > 0) return;
  throw invalidArgument('rateBps', rateBps, { above: 0, unit: 'bit/s' });
}
