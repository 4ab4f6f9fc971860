/**
 * MAC control (IEEE 802.3, clause 31): what stands behind EtherType 0x8808.
 *
 *   0 opcode (2) | 2 parameters, by opcode: 0x0001 PAUSE (pause.ts), 0x0101 PFC (pfc.ts) | zeros to 60 bytes of frame
 *
 * Frames go to 01-80-C2-00-00-01, which no bridge forwards, without a VLAN tag. Readers start at the opcode, behind the
 * Ethernet header, and take frames of fewer than 60 bytes as long as the fields are there: captures cut the padding.
 */
import { RoceError } from '../../errors.js';
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { invalidPacket, readU16, requireField, requireLength, requireBytes, requireTarget,
  writeU16 } from '../bytes.js';
import { ETHERNET_BYTES, ETHERNET_DESTINATION, ETHERNET_SOURCE, ETHERNET_TYPE, MAC_BYTES } from './ethernet.js';

/** Offsets from the first byte behind the EtherType. */
export const MAC_CONTROL_OPCODE = 0;
export const MAC_CONTROL_PARAMETERS = 2;
/** What every MAC control frame has: the opcode. */
export const MAC_CONTROL_BYTES = 2;

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

/** The drawing of docs/wire.md. */
export const MAC_CONTROL_LAYOUT: HeaderLayout = {
  title: 'MAC control',
  source: 'IEEE 802.3, clause 31',
  bytes: MAC_CONTROL_BYTES,
  fields: [{ name: 'opcode', offset: MAC_CONTROL_OPCODE, bits: 16 }],
  followedBy: 'parameters as the opcode says, zeros up to 60 bytes of frame',
};

const LAYER = 'mac control';

/** What all MAC control frames begin with, as a value. */
export interface MacControl {
  /** 0x0001 PAUSE, 0x0101 PFC. */
  readonly opcode: number;
}

/** Reads the opcode in place. */
export class MacControlView extends HeaderView {
  get opcode(): number {
    return readU16(this.bytes, this.offset + MAC_CONTROL_OPCODE);
  }
  get payloadOffset(): number {
    return this.offset + MAC_CONTROL_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, MAC_CONTROL_BYTES);
  }
}

/**
 * Reads the opcode; the inverse of `buildMacControl`.
 * @param offset behind the EtherType.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseMacControl(bytes: Uint8Array, offset = 0): MacControl {
  const { opcode } = new MacControlView(bytes, offset);
  return { opcode };
}

/**
 * Writes the opcode.
 * @throws RoceError `invalid-argument` when it is out of range.
 */
export function buildMacControl(header: MacControl): Uint8Array {
  const bytes = new Uint8Array(MAC_CONTROL_BYTES);
  buildMacControlInto(bytes, 0, header);
  return bytes;
}

/** As `buildMacControl`, into `target`. @returns the offset behind the opcode. */
export function buildMacControlInto(target: Uint8Array, offset: number, { opcode }: MacControl): number {
  requireField('macControl.opcode', opcode, 0xffff);
  requireTarget('macControl', target, offset, MAC_CONTROL_BYTES);
  writeU16(target, offset + MAC_CONTROL_OPCODE, opcode);
  return offset + MAC_CONTROL_BYTES;
}

/**
 * The length and opcode check of the readers of one kind of MAC control.
 * @throws RoceError `invalid-packet` when the bytes end too soon, or the opcode is another.
 */
export function requireMacControl(layer: string, bytes: Uint8Array, offset: number, required: number,
  opcode: number): void {
  requireBytes(layer, bytes, offset, required);
  const got = readU16(bytes, offset + MAC_CONTROL_OPCODE);
  if (got !== opcode) throw invalidPacket(layer, offset, 'has another opcode', got, `${opcode}`);
}

/**
 * Writes the Ethernet header of a frame of 60 bytes, and zeros behind it.
 *
 * @param source 6 bytes: the port that wants the pause.
 * @returns the offset behind the EtherType.
 * @throws RoceError `invalid-argument` for a wrong address or too small a target.
 */
export function beginMacControlFrame(target: Uint8Array, offset: number, source: Uint8Array): number {
  requireLength('source', source, MAC_BYTES);
  requireTarget('macControl.frame', target, offset, MAC_CONTROL_FRAME_BYTES);
  target.fill(0, offset, offset + MAC_CONTROL_FRAME_BYTES);
  target.set(MAC_CONTROL_ADDRESS, offset + ETHERNET_DESTINATION);
  target.set(source, offset + ETHERNET_SOURCE);
  writeU16(target, offset + ETHERNET_TYPE, ETHERTYPE_MAC_CONTROL);
  return offset + ETHERNET_BYTES;
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
  const allowed = 'bits per second, more than 0';
  throw new RoceError('invalid-argument', 'not a rate', { got: rateBps, allowed, where: 'rateBps' });
}
