/**
 * Invalidate extended transport header, IETH (IBTA volume 1, section 9.3).
 *
 *   0 R_Key (4)
 *
 * SEND last and SEND only with invalidate have one, of RC and of XRC.
 */
import { HeaderView } from '../header-view.js';
import type { HeaderLayout } from '../layout.js';
import { requireField, requireBytes, requireTarget } from '../bytes.js';
import { U32_MAX, readU32, writeU32 } from '../wide-bytes.js';

/** Offsets from the first byte of the header. */
export const IETH_RKEY = 0;
export const IETH_BYTES = 4;

/** The drawing of docs/wire.md. */
export const IETH_LAYOUT: HeaderLayout = {
  title: 'IETH',
  source: 'IBTA volume 1, section 9.3',
  bytes: IETH_BYTES,
  fields: [
    { name: 'rKey', offset: IETH_RKEY, bits: 32 },
  ],
};

const LAYER = 'ieth';

/** The invalidate extended header, as a value. */
export interface Ieth {
  /** 32 bits: R_Key that the receiver invalidates. */
  readonly rKey: number;
}

/** Reads an IETH in place. */
export class IethView extends HeaderView {
  get rKey(): number {
    return readU32(this.bytes, this.offset + IETH_RKEY);
  }
  get payloadOffset(): number {
    return this.offset + IETH_BYTES;
  }

  protected check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, IETH_BYTES);
  }
}

/**
 * Reads an IETH; the inverse of `buildIeth`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export function parseIeth(bytes: Uint8Array, offset = 0): Ieth {
  const { rKey } = new IethView(bytes, offset);
  return { rKey };
}

/**
 * Writes an IETH: 4 bytes.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIeth(header: Ieth): Uint8Array {
  const bytes = new Uint8Array(IETH_BYTES);
  buildIethInto(bytes, 0, header);
  return bytes;
}

/** As `buildIeth`, into `target`. @returns the offset behind the header. */
export function buildIethInto(target: Uint8Array, offset: number, header: Ieth): number {
  const { rKey } = header;
  requireField('ieth.rKey', rKey, U32_MAX);
  requireTarget(LAYER, target, offset, IETH_BYTES);
  writeU32(target, offset + IETH_RKEY, rKey);
  return offset + IETH_BYTES;
}
