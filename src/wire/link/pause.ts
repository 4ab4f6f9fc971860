/**
 * PAUSE (IEEE 802.3, annex 31B): the sender's peer stops all traffic for a time. Behind EtherType 0x8808:
 *
 *   0 opcode 0x0001 (2) | 2 pause quanta (2) | zeros
 *
 * The time follows the opcode directly; some older dissectors look for it four bytes later, as if there were a
 * timestamp in front of it. 0 quanta = go on at once.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { readU16, requireField, requireTarget, writeU16 } from '../bytes.js';
import { MAC_CONTROL_FRAME_BYTES, MAC_CONTROL_OPCODE, MAC_CONTROL_PAUSE, MAC_CONTROL_PARAMETERS, PAUSE_QUANTA_MAX,
  beginMacControlFrame, requireMacControl } from './mac-control.js';

/** Offsets from the opcode. */
export const PAUSE_OPCODE = MAC_CONTROL_OPCODE;
export const PAUSE_QUANTA = MAC_CONTROL_PARAMETERS;
export const PAUSE_BYTES = 4;

/** The drawing of docs/wire.md. */
export const PAUSE_LAYOUT: HeaderLayout = {
  title: 'PAUSE',
  source: 'IEEE 802.3, annex 31B',
  bytes: PAUSE_BYTES,
  fields: [
    { name: 'opcode', offset: PAUSE_OPCODE, bits: 16 },
    { name: 'pauseQuanta', offset: PAUSE_QUANTA, bits: 16 },
  ],
  followedBy: 'zeros up to 60 bytes of frame',
};

const LAYER = 'pause';

/** A PAUSE frame, as a value. */
export interface Pause {
  /** 0..65535, in units of 512 bit times of the link; see `pauseQuantaToPs`. 0 = go on. */
  readonly pauseQuanta: number;
}

/** Reads a PAUSE in place. */
export class PauseView extends HeaderView {
  get pauseQuanta(): number {
    return readU16(this.bytes, this.offset + PAUSE_QUANTA);
  }
  get payloadOffset(): number {
    return this.offset + PAUSE_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireMacControl(LAYER, bytes, offset, PAUSE_BYTES, MAC_CONTROL_PAUSE);
  }
}

/**
 * Reads a PAUSE; the inverse of `buildPause`.
 * @param offset of the opcode, behind the EtherType.
 * @throws RoceError `invalid-packet` when the bytes end inside it, or for another opcode.
 */
export function parsePause(bytes: Uint8Array, offset = 0): Pause {
  const { pauseQuanta } = new PauseView(bytes, offset);
  return { pauseQuanta };
}

/**
 * Writes a PAUSE from its opcode on, without link header and padding.
 * @throws RoceError `invalid-argument` when the time is out of range.
 */
export function buildPause(pause: Pause): Uint8Array {
  const bytes = new Uint8Array(PAUSE_BYTES);
  buildPauseInto(bytes, 0, pause);
  return bytes;
}

/** As `buildPause`, into `target`. @returns the offset behind the time. */
export function buildPauseInto(target: Uint8Array, offset: number, { pauseQuanta }: Pause): number {
  requireField('pause.pauseQuanta', pauseQuanta, PAUSE_QUANTA_MAX);
  requireTarget('pause', target, offset, PAUSE_BYTES);
  writeU16(target, offset + PAUSE_OPCODE, MAC_CONTROL_PAUSE);
  writeU16(target, offset + PAUSE_QUANTA, pauseQuanta);
  return offset + PAUSE_BYTES;
}

/**
 * A whole PAUSE frame of 60 bytes, without check sequence.
 *
 * @param source 6 bytes: the port that wants the pause.
 * @throws RoceError `invalid-argument` for a wrong address or time.
 */
export function pauseFrame(source: Uint8Array, pause: Pause): Uint8Array {
  const frame = new Uint8Array(MAC_CONTROL_FRAME_BYTES);
  pauseFrameInto(frame, 0, source, pause);
  return frame;
}

/** As `pauseFrame`, into `target`. @returns the offset behind the frame. */
export function pauseFrameInto(target: Uint8Array, offset: number, source: Uint8Array, pause: Pause): number {
  const opcodeOffset = beginMacControlFrame(target, offset, source);
  buildPauseInto(target, opcodeOffset, pause);
  return offset + MAC_CONTROL_FRAME_BYTES;
}
