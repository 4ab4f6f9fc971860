/**
 * MAC control (IEEE 802.3, clause 31), after EtherType 0x8808.
 *
 *   0 opcode (2) | 2 parameters, by opcode: 0x0001 PAUSE, 0x0101 PFC (pfc.ts) | zeros to 60 bytes of frame
 *
 * Frames go to 01-80-C2-00-00-01, which no bridge forwards, without a VLAN tag. Readers start at the opcode, after the
 * Ethernet header, and accept frames of fewer than 60 bytes if all fields are present, since captures may omit the
 * padding.
 *
 * PAUSE (annex 31B) stops all traffic for a time in pause quanta (2); 0 = resume immediately. The time follows the opcode
 * directly; some older dissectors expect it four bytes later, after a timestamp.
 */
import { PS_PER_SECOND } from '../../unit-sizes.js';
import { invalidArgument, requireField, requireLength, requireTarget } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { Ethernet, EtherType } from './ethernet.js';

const MAC_CONTROL = /* @__PURE__ */ defineHeader({
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

/** The common start of all MAC control frames, as a value. */
export interface MacControl extends ValueOf<typeof MAC_CONTROL> {}

/** The common start of all MAC control frames. */
export const MacControl = /* @__PURE__ */ extendHeader(MAC_CONTROL, {
  /** Opcode of PAUSE, for all traffic (IEEE 802.3, annex 31B). */
  PAUSE: 0x0001,
  /** Opcode of PFC, by priority (IEEE 802.1Qbb; IEEE 802.3, annex 31D). */
  PFC: 0x0101,
  /** 01-80-C2-00-00-01, the destination of PAUSE and PFC frames. */
  ADDRESS: [0x01, 0x80, 0xc2, 0x00, 0x00, 0x01],
  /**
   * Minimum length of an Ethernet frame without its check sequence (IEEE 802.3, section 4.4.2), and length of these
   * frames.
   */
  FRAME_BYTES: 60,
  /** A pause quantum is the time to send this many bits (IEEE 802.3, annex 31B). */
  PAUSE_QUANTUM_BITS: 512,
  /** Maximum pause time: 16 bits. */
  PAUSE_QUANTA_MAX: 0xffff,
  /**
   * Duration of a pause: `pauseQuanta` times 512 bit times of the link.
   *
   * @param pauseQuanta 0..65535.
   * @param rateBps rate of the paused link, bits per second.
   * @returns picoseconds, rounded to nearest.
   * @throws RoceError `invalid-argument` for a number out of range.
   */
  pauseQuantaToPs(pauseQuanta: number, rateBps: number): number {
    requireField('pauseQuanta', pauseQuanta, MacControl.PAUSE_QUANTA_MAX);
    requireRate(rateBps);
    // The product is exact: 512 * 10^12 has 28 significant bits, the quanta 16.
    return Math.round((pauseQuanta * (MacControl.PAUSE_QUANTUM_BITS * PS_PER_SECOND)) / rateBps);
  },
  /**
   * The shortest pause that lasts `timePs`; the inverse of `MacControl.pauseQuantaToPs`. Rounds up, since frames are
   * lost if a pause ends too soon.
   *
   * @param timePs an integer, 0 or more.
   * @param rateBps rate of the paused link, bits per second.
   * @throws RoceError `invalid-argument` for a number out of range, including a time of more than 65535 quanta.
   */
  psToPauseQuanta(timePs: number, rateBps: number): number {
    requireRate(rateBps);
    const longestPs = MacControl.pauseQuantaToPs(MacControl.PAUSE_QUANTA_MAX, rateBps);
    requireField('timePs', timePs, longestPs);
    const estimate = Math.floor((timePs * rateBps) / (MacControl.PAUSE_QUANTUM_BITS * PS_PER_SECOND));
    let pauseQuanta = Math.min(MacControl.PAUSE_QUANTA_MAX, Math.max(0, estimate - 1));
    while (MacControl.pauseQuantaToPs(pauseQuanta, rateBps) < timePs) pauseQuanta++;
    return pauseQuanta;
  },
});

/**
 * Writes the Ethernet header of a frame of 60 bytes, followed by zeros.
 *
 * @param source 6 bytes: the port that requests the pause.
 * @returns the offset after the EtherType.
 * @throws RoceError `invalid-argument` for an invalid address or a target that is too small.
 */
export function beginMacControlFrame(target: Uint8Array, offset: number, source: Uint8Array): number {
  requireLength('source', source, Ethernet.MAC_BYTES);
  requireTarget('macControl.frame', target, offset, MacControl.FRAME_BYTES);
  target.fill(0, offset, offset + MacControl.FRAME_BYTES);
  const destination = Uint8Array.from(MacControl.ADDRESS);
  return Ethernet.writeInto(target, offset, { destination, source, tags: [], etherType: EtherType.MAC_CONTROL });
}

const PAUSE = /* @__PURE__ */ defineHeader({
  title: 'PAUSE',
  source: 'IEEE 802.3, annex 31B',
  layer: 'pause',
  followedBy: 'zeros up to 60 bytes of frame',
  fields: (field) => ({
    /** 0..65535, in units of 512 bit times of the link; see `MacControl.pauseQuantaToPs`. 0 = resume. */
    pauseQuanta: field.constant('opcode', 16, MacControl.PAUSE).bits(16),
  }),
});

/** A PAUSE frame from its opcode on, without link header and padding, as a value. */
export interface Pause extends ValueOf<typeof PAUSE> {}

/** A PAUSE frame from its opcode on, without link header and padding: 4 bytes, opcode and time. */
export const Pause = /* @__PURE__ */ extendHeader(PAUSE, {
  /**
   * A whole PAUSE frame of 60 bytes, without check sequence.
   *
   * @param source 6 bytes: the port that requests the pause.
   * @throws RoceError `invalid-argument` for an invalid address or time.
   */
  frame(source: Uint8Array, pause: Pause): Uint8Array {
    const target = new Uint8Array(MacControl.FRAME_BYTES);
    Pause.frameInto(target, 0, source, pause);
    return target;
  },
  /** Like `Pause.frame`, into `target`. @returns the offset after the frame. */
  frameInto(target: Uint8Array, offset: number, source: Uint8Array, pause: Pause): number {
    const opcodeOffset = beginMacControlFrame(target, offset, source);
    PAUSE.writeInto(target, opcodeOffset, pause);
    return offset + MacControl.FRAME_BYTES;
  },
});

function requireRate(rateBps: number): void {
  if (Number.isFinite(rateBps) && rateBps > 0) return;
  throw invalidArgument('rateBps', rateBps, { above: 0, unit: 'bit/s' });
}
