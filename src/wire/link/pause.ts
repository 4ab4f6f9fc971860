/**
 * PAUSE (IEEE 802.3, annex 31B): the sender's peer stops all traffic for a time. Behind EtherType 0x8808:
 *
 *   0 opcode 0x0001 (2) | 2 pause quanta (2) | zeros
 *
 * The time follows the opcode directly; some older dissectors look for it four bytes later, as if there were a
 * timestamp in front of it. 0 quanta = resume at once.
 */
import { allocating } from '../bytes.js';
import { MAC_CONTROL_FRAME_BYTES, MAC_CONTROL_PAUSE, beginMacControlFrame } from './mac-control.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const PAUSE = /* @__PURE__ */ defineHeader({
  title: 'PAUSE',
  source: 'IEEE 802.3, annex 31B',
  layer: 'pause',
  followedBy: 'zeros up to 60 bytes of frame',
  fields: (field) => ({
    /** 0..65535, in units of 512 bit times of the link; see `pauseQuantaToPs`. 0 = resume. */
    pauseQuanta: field.constant('opcode', 16, MAC_CONTROL_PAUSE).bits(16),
  }),
});

/** Length without link header and padding: 4 bytes, opcode and time. */
export const PAUSE_BYTES = PAUSE.bytes;
/** The drawing of docs/wire.md. */
export const PAUSE_LAYOUT = PAUSE.layout;

/** A PAUSE frame from its opcode on, without link header and padding, as a value. */
export interface Pause extends HeaderValue<typeof PAUSE> {}

/** Reads a PAUSE in place. */
export class PauseView extends PAUSE.View {}

/**
 * Reads a PAUSE; the inverse of `buildPause`.
 * @throws RoceError `invalid-packet` when the bytes end inside it, or for another opcode.
 */
export const parsePause: ParseHeader<Pause> = PAUSE.parse;
/** Writes a PAUSE. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildPause: BuildHeader<Pause> = PAUSE.build;
/** As `buildPause`, into `target`. @returns the offset behind the header. */
export const buildPauseInto: BuildHeaderInto<Pause> = PAUSE.buildInto;

/**
 * A whole PAUSE frame of 60 bytes, without check sequence.
 *
 * @param source 6 bytes: the port that requests the pause.
 * @throws RoceError `invalid-argument` for a wrong address or time.
 */
export const pauseFrame: (source: Uint8Array, pause: Pause) => Uint8Array = /* @__PURE__ */ allocating<
  Uint8Array,
  [pause: Pause]
>(() => MAC_CONTROL_FRAME_BYTES, pauseFrameInto);

/** As `pauseFrame`, into `target`. @returns the offset behind the frame. */
export function pauseFrameInto(target: Uint8Array, offset: number, source: Uint8Array, pause: Pause): number {
  const opcodeOffset = beginMacControlFrame(target, offset, source);
  buildPauseInto(target, opcodeOffset, pause);
  return offset + MAC_CONTROL_FRAME_BYTES;
}
