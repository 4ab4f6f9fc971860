/**
 * MAC control (IEEE 802.3, clause 31), after EtherType 0x8808: PAUSE and priority-based flow control, PFC.
 *
 *   0 opcode (2) | 2 parameters, by opcode | zeros to 60 bytes of frame
 *   PAUSE  0 opcode 0x0001 (2) | 2 time (2)
 *   PFC    0 opcode 0x0101 (2) | 2 class-enable vector (2): bit 1 << n is class n, high byte 0 | 4 time[0..7] (2 each)
 *
 * Frames go to 01-80-C2-00-00-01, which no bridge forwards, without a VLAN tag. Readers start at the opcode, after the
 * Ethernet header, and accept frames of fewer than 60 bytes if all fields are present, since captures may omit the
 * padding.
 *
 * PAUSE (annex 31B) stops all traffic for a time in pause quanta; 0 = resume immediately. The time follows the opcode
 * directly; some older dissectors expect it four bytes later, after a timestamp.
 *
 * PFC (IEEE 802.1Qbb; annex 31D) stops some of the eight classes, each for a given time. Class enabled, time 0 = resume
 * immediately; class not enabled = no change, whatever its time. The high byte of the vector is kept as received.
 */
import { PS_PER_SECOND } from '../../units.js';
import { invalidArgument, requireField, requireLength, requireTarget, readU16, requireList,
  requireRecord } from '../bytes.js';
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

const PFC_CLASS_COUNT = 8;

const PFC = /* @__PURE__ */ defineHeader({
  title: 'PFC',
  source: 'IEEE 802.1Qbb; IEEE 802.3, annex 31D',
  layer: 'pfc',
  followedBy: 'zeros up to 60 bytes of frame',
  fields: (field) => {
    const value = {
      /** 16 bits; bit 1 << n: the time of class n applies. The high byte is 0. */
      classEnableVector: field.constant('opcode', 16, MacControl.PFC).bits(16),
    };
    for (let priority = 0; priority < PFC_CLASS_COUNT; priority++) field.implied(timeName(priority), 16);
    return value;
  },
});

/** Offset of the time of class 0; the other times follow. */
const PFC_TIMES = PFC.offsetOf(timeName(0));

/** A PFC frame, as a value. */
export interface Pfc extends ValueOf<typeof PFC> {
  /** Eight times, by class, each 0..65535 in units of 512 bit times of the link; see `MacControl.pauseQuantaToPs`. */
  readonly pauseQuanta: readonly number[];
}

/** Reads a PFC in place. */
export class PfcView extends PFC.View {
  /**
   * Time of a class, 0..65535 pause quanta, even if the vector does not enable the class.
   * @param priority class, 0..7.
   * @throws RoceError `invalid-argument` for another class.
   */
  pauseQuantaOf(priority: number): number {
    requireField('priority', priority, PFC_CLASS_COUNT - 1);
    return readU16(this.bytes, this.offset + PFC_TIMES + priority * Pfc.TIME_BYTES);
  }
}

/** A PFC frame: 20 bytes. */
export const Pfc = /* @__PURE__ */ extendHeader(PFC, {
  /** Reads a PFC in place. */
  View: PfcView,
  /** Length of the time of one class: 2 bytes. */
  TIME_BYTES: 2,
  /** Number of classes in a PFC frame: 8, one per priority. */
  CLASS_COUNT: PFC_CLASS_COUNT,
  /**
   * Reads a PFC; the inverse of `Pfc.write`.
   * @param offset of the opcode, after the EtherType.
   * @throws RoceError `invalid-packet` if it is truncated, or for another opcode.
   */
  read(bytes: Uint8Array, offset = 0): Pfc {
    const view = new PfcView(bytes, offset);
    const pauseQuanta = Array.from({ length: PFC_CLASS_COUNT }, (_, priority) => view.pauseQuantaOf(priority));
    return { classEnableVector: view.classEnableVector, pauseQuanta };
  },
  /**
   * Writes a PFC from its opcode on, without link header and padding.
   * @returns the offset after the last time.
   * @throws RoceError `invalid-argument` naming a field out of range, or unless there are eight times.
   */
  writeInto(target: Uint8Array, offset: number, pfc: Pfc): number {
    requireRecord('pfc', pfc);
    const { pauseQuanta } = pfc;
    requireTimes(pauseQuanta);
    const times = Object.fromEntries(pauseQuanta.map((quanta, priority) => [timeName(priority), quanta]));
    return PFC.writePartInto(target, offset, pfc, PFC.lenBytes, times);
  },
  /**
   * Whether the time of this class applies.
   * @param priority class, 0..7.
   * @throws RoceError `invalid-argument` for another class.
   */
  isClassEnabled(pfc: Pick<Pfc, 'classEnableVector'>, priority: number): boolean {
    requireRecord('pfc', pfc);
    const { classEnableVector } = pfc;
    requireField('pfc.classEnableVector', classEnableVector, 0xffff);
    requireField('priority', priority, PFC_CLASS_COUNT - 1);
    return ((classEnableVector >> priority) & 1) !== 0;
  },
  /**
   * A whole PFC frame of 60 bytes, without check sequence.
   *
   * @param source 6 bytes: the port that requests the pause.
   * @throws RoceError `invalid-argument` for an invalid address, vector or time.
   */
  frame(source: Uint8Array, pfc: Pfc): Uint8Array {
    const target = new Uint8Array(MacControl.FRAME_BYTES);
    Pfc.frameInto(target, 0, source, pfc);
    return target;
  },
  /** Like `Pfc.frame`, into `target`. @returns the offset after the frame. */
  frameInto(target: Uint8Array, offset: number, source: Uint8Array, pfc: Pfc): number {
    const opcodeOffset = beginMacControlFrame(target, offset, source);
    Pfc.writeInto(target, opcodeOffset, pfc);
    return offset + MacControl.FRAME_BYTES;
  },
});

function timeName(priority: number): string {
  return `pauseQuanta${priority}`;
}

function requireTimes(pauseQuanta: readonly number[]): void {
  requireList('pfc.pauseQuanta', pauseQuanta);
  if (pauseQuanta.length !== PFC_CLASS_COUNT) {
    throw invalidArgument('pfc.pauseQuanta', pauseQuanta.length, PFC_CLASS_COUNT, 'number of times');
  }
}
