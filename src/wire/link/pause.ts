/**
 * PAUSE (IEEE 802.3, annex 31B): the receiver stops all traffic for a time. After EtherType 0x8808:
 *
 *   0 opcode 0x0001 (2) | 2 pause quanta (2) | zeros
 *
 * The time follows the opcode directly; some older dissectors expect it four bytes later, after a timestamp. 0 quanta =
 * resume immediately.
 */
import { MacControl, beginMacControlFrame } from './mac-control.js';
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

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
