/**
 * Priority-based flow control, PFC (IEEE 802.1Qbb; IEEE 802.3, annex 31D): the receiver stops some of its eight
 * classes, each for a given time. After EtherType 0x8808:
 *
 *   0 opcode 0x0101 (2) | 2 class-enable vector (2): bit 1 << n is class n, high byte 0 | 4 time[0..7] (2 each)
 *   20 zeros
 *
 * Class enabled, time 0 = resume immediately; class not enabled = no change, whatever its time.
 * The high byte of the vector is kept as received.
 */
import { invalidArgument, readU16, requireField, requireList, requireRecord } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { MacControl, beginMacControlFrame } from './mac-control.js';

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
